//! What a child printed, kept within a bound: all of it, or its beginning and its end.

use std::collections::VecDeque;

use crate::event::Content;
use crate::redact::{end_of_head, start_of_tail};

/// Above this only the beginning and the end are kept.
pub const WHOLE_BYTES_MAX: usize = 8 << 20;
pub const HEAD_BYTES: usize = 1 << 20;
pub const TAIL_BYTES: usize = 1 << 20;

const _: () = assert!(HEAD_BYTES + TAIL_BYTES <= WHOLE_BYTES_MAX);
const _: () = assert!(HEAD_BYTES + TAIL_BYTES < crate::event::limits::PAYLOAD_BYTES_MAX / 2);

#[derive(Debug, Default)]
pub struct Capture {
    first: Vec<u8>,
    last: VecDeque<u8>,
    len: u64,
}

impl Capture {
    pub fn take(&mut self, bytes: &[u8]) {
        self.len += bytes.len() as u64;
        let room = WHOLE_BYTES_MAX.saturating_sub(self.first.len());
        let (first, rest) = bytes.split_at(room.min(bytes.len()));
        self.first.extend_from_slice(first);
        self.last.extend(&rest[rest.len().saturating_sub(TAIL_BYTES)..]);
        let over = self.last.len().saturating_sub(TAIL_BYTES);
        self.last.drain(..over);
    }

    pub fn seen(&self) -> u64 {
        self.len
    }

    /// The beginning, as far as it was kept whole: what diagnostics are read from.
    pub fn head(&self) -> &[u8] {
        &self.first
    }

    /// The bytes as an event carries them; `None` where nothing was printed.
    pub fn content(&self) -> Option<Content> {
        if self.len == 0 {
            return None;
        }
        if self.len <= WHOLE_BYTES_MAX as u64 {
            return Some(Content::Inline(self.first.clone()));
        }
        // The end may lie partly in `first`, where little more than the bound was printed.
        let missing = TAIL_BYTES - self.last.len();
        // One byte more tells whether a word goes on over the cut.
        let mut tail = self.first[self.first.len() - missing..].to_vec();
        tail.extend(&self.last);
        let tail = tail.split_off(start_of_tail(&tail, 1));
        let head = self.first[..end_of_head(&self.first, HEAD_BYTES)].to_vec();
        Some(Content::Truncated { head, tail, len: self.len })
    }
}
