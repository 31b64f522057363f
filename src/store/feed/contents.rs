//! Contents that lie elsewhere in a journal, kept for who refers to them next.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

const BYTES_MAX: usize = 4 << 20;

/// Contents that were brought from where they first stand: what is referred to once is referred to
/// again, and reading it means a search in a segment each time. The one not asked for longest goes
/// first.
#[derive(Debug, Default)]
pub(super) struct Kept(Mutex<Held>);

#[derive(Debug, Default)]
struct Held {
    /// By blake3; the newest at the back.
    contents: VecDeque<([u8; 32], Vec<u8>)>,
    bytes: usize,
}

impl Kept {
    pub(super) fn get_or<E>(
        &self,
        hash: &[u8; 32],
        bring: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<Vec<u8>, E> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = held.contents.iter().rposition(|(known, _)| known == hash)
            && let Some(found) = held.contents.remove(at)
        {
            let bytes = found.1.clone();
            held.contents.push_back(found);
            return Ok(bytes);
        }
        let bytes = bring()?;
        held.bytes += bytes.len();
        held.contents.push_back((*hash, bytes.clone()));
        while held.bytes > BYTES_MAX
            && let Some((_, oldest)) = held.contents.pop_front()
        {
            held.bytes -= oldest.len();
        }
        Ok(bytes)
    }
}
