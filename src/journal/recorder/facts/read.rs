//! How much of the journal had to be read behind what the index knows.

use crate::journal::Bookmark;

#[derive(Clone, Copy, Default)]
pub(super) struct Read {
    pub events: u64,
    bytes: u64,
}

/// What every recording may read again, rather than wait for the stores to be caught up.
const READ_MAX: Read = Read { events: 256, bytes: 1 << 20 };

impl Read {
    /// A commit: from where the one before it ended, where that is known, to its own end.
    pub fn add(&mut self, before: Option<&Bookmark>, end: &Bookmark) {
        self.bytes += before.map_or(0, |before| end.bytes_since(before));
    }

    pub fn is_much(&self) -> bool {
        self.events > READ_MAX.events || self.bytes > READ_MAX.bytes
    }
}
