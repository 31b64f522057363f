//! Folds of sessions that an import has met and may meet again, packed: to read one from the journal takes as long as
//! the journal is.

use std::collections::HashMap;

use crate::event::SessionId;
use crate::grounding::fold::Grounding;

/// Of all that is kept: a fold takes some 3 KiB.
const BYTES_MAX: usize = 16 << 20;
/// Of one as it was: far more than a fold takes.
const FOLD_BYTES_MAX: usize = 1 << 20;
const LEVEL: i32 = 1;

#[derive(Debug, Default)]
pub struct Rested {
    packed: HashMap<SessionId, Vec<u8>>,
    bytes: usize,
}

impl Rested {
    /// Keeps a fold, as long as there is room.
    pub fn keep(&mut self, grounding: &Grounding) {
        // One that cannot be packed is read from the journal.
        let text = serde_json::to_vec(grounding).ok();
        let packed = text.and_then(|text| zstd::bulk::compress(&text, LEVEL).ok()); // as above
        let Some(packed) = packed.filter(|it| self.bytes + it.len() <= BYTES_MAX) else { return };
        self.bytes += packed.len();
        self.packed.insert(grounding.session(), packed);
    }

    /// Gives what was kept of a session, and keeps it no longer.
    pub fn take(&mut self, session: SessionId) -> Option<Grounding> {
        let packed = self.packed.remove(&session)?;
        self.bytes -= packed.len();
        let text = zstd::bulk::decompress(&packed, FOLD_BYTES_MAX).ok()?; // it is read from the journal
        serde_json::from_slice(&text).ok() // as above
    }
}
