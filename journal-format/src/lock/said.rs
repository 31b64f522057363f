//! What the lock file says, read at once.

use std::io;

use super::content::number;
use super::{ACTIVE_AT, FILE_BYTES, SLOTS_AT, TailSlot};
use crate::storage::{StorageFile, read_full};
use crate::units::SegmentNumber;

/// What the lock file says, read at once.
#[derive(Clone, Copy, Debug)]
pub struct Said {
    /// The number of the newest segment, as the last writer to roll or fence wrote it; `None`
    /// where nothing sound is there.
    pub active: Option<SegmentNumber>,
    slots: [Option<TailSlot>; 2],
}

impl Said {
    pub(super) fn read<F: StorageFile>(file: &F) -> io::Result<Self> {
        let mut bytes = [0; FILE_BYTES];
        read_full(file, &mut bytes, 0)?;
        Ok(Self::parse(&bytes))
    }

    pub(super) fn parse(bytes: &[u8; FILE_BYTES]) -> Self {
        Self {
            active: number(&bytes[ACTIVE_AT as usize..]),
            slots: SLOTS_AT.map(|at| TailSlot::parse(&bytes[at as usize..])),
        }
    }

    /// The later of the two tail slots whose sums hold.
    pub fn slot(&self) -> Option<TailSlot> {
        self.later().map(|(slot, _)| slot)
    }

    /// The turn and the place of the slot that is written next: over the earlier of the two.
    pub(super) fn next(&self) -> (u64, u64) {
        match self.later() {
            Some((last, 0)) => (last.turn.saturating_add(1), SLOTS_AT[1]),
            Some((last, _)) => (last.turn.saturating_add(1), SLOTS_AT[0]),
            None => (1, SLOTS_AT[0]),
        }
    }

    /// The slot that was written last, and which it is.
    fn later(&self) -> Option<(TailSlot, usize)> {
        let [first, second] = self.slots;
        match (first, second) {
            (Some(a), Some(b)) if b.turn > a.turn => Some((b, 1)),
            (Some(a), _) => Some((a, 0)),
            (None, b) => b.map(|slot| (slot, 1)),
        }
    }
}
