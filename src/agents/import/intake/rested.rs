//! Folds of sessions that an import has met and may meet again, packed: to read one from the journal takes as long as
//! the journal is.

use std::collections::VecDeque;

use crate::event::{SessionId, derived};
use crate::grounding::fold::Grounding;

/// Of all that is kept; the oldest makes room.
const BYTES_MAX: usize = if cfg!(test) { 256 << 10 } else { 1 << 20 };
const LEVEL: i32 = 1;

#[derive(Debug, Default)]
pub struct Rested {
    /// The newest at the back.
    packed: VecDeque<(SessionId, Vec<u8>)>,
    bytes: usize,
}

impl Rested {
    /// Keeps a fold, until there is no room for it any more.
    pub fn keep(&mut self, grounding: &Grounding) {
        // One that cannot be packed is read from the journal.
        let bytes = derived::encode(grounding).ok();
        let packed = bytes.and_then(|bytes| zstd::bulk::compress(&bytes, LEVEL).ok()); // as above
        let Some(packed) = packed else { return };
        self.bytes += packed.len();
        self.packed.push_back((grounding.session(), packed));
        while self.bytes > BYTES_MAX
            && let Some((_, oldest)) = self.packed.pop_front()
        {
            self.bytes -= oldest.len();
        }
    }

    /// Gives what was kept of a session, and keeps it no longer.
    pub fn take(&mut self, session: SessionId) -> Option<Grounding> {
        let at = self.packed.iter().position(|it| it.0 == session)?;
        let (_, packed) = self.packed.remove(at)?;
        self.bytes -= packed.len();
        let bytes = zstd::bulk::decompress(&packed, derived::BYTES_MAX).ok()?; // it is read from the journal
        derived::decode(&bytes)
    }
}
