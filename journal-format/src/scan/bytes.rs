//! Where a scan gets its bytes.

use std::io;
use std::sync::Arc;

/// A segment's bytes, from a map or through a window.
pub trait Bytes {
    /// The bytes from `at` on: at least `want` of them where the file has so many, perhaps more.
    fn bytes(&mut self, at: u64, want: usize) -> io::Result<&[u8]>;
    /// The file's length when the scan began.
    fn len(&self) -> u64;
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The first offset, `at` or behind it, that is not known to hold zeros without being read.
    fn data_from(&self, at: u64) -> u64 {
        at
    }
    /// What the bytes that were last given lie in, where that can be kept: whoever does has it unchanged.
    fn shared(&self) -> Option<&Arc<Vec<u8>>> {
        None
    }
}

/// Bytes that are all there already.
#[derive(Clone, Copy, Debug)]
pub struct SliceBytes<'a>(pub &'a [u8]);

impl Bytes for SliceBytes<'_> {
    fn bytes(&mut self, at: u64, _want: usize) -> io::Result<&[u8]> {
        let at = usize::try_from(at).unwrap_or(usize::MAX).min(self.0.len());
        Ok(&self.0[at..])
    }

    fn len(&self) -> u64 {
        self.0.len() as u64
    }
}
