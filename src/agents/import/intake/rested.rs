//! Folds of sessions that an import has met and may meet again, packed: to read one from the journal takes as long as
//! the journal is.

use std::collections::VecDeque;

use crate::event::SessionId;
use crate::grounding::fold::Grounding;

/// Of all that is kept: a fold takes some 3 KiB, of a session with many failures ten times that.
const BYTES_MAX: usize = if cfg!(test) { 256 << 10 } else { 2 << 20 };
/// Of one as it was: far more than a fold takes.
const FOLD_BYTES_MAX: usize = 1 << 20;
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
        let text = serde_json::to_vec(grounding).ok();
        let packed = text.and_then(|text| zstd::bulk::compress(&text, LEVEL).ok()); // as above
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
        let text = zstd::bulk::decompress(&packed, FOLD_BYTES_MAX).ok()?; // it is read from the journal
        serde_json::from_slice(&text).ok() // as above
    }
}
