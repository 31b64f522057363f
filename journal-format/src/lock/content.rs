//! What is in a lock file, for those who do not take the lock.

use std::io;

use super::{ACTIVE_BYTES, FILE_BYTES, JournalLock, SLOTS_AT, Said, TailSlot};
use crate::storage::{Storage, StorageFile, read_full};
use crate::units::{JournalId, SegmentNumber};

/// What is in a lock file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockContent {
    /// Nothing but zeros: who made it died before the first word.
    Empty,
    /// The later slot; whatever else is there holds, or was never written.
    Sound(TailSlot),
    /// Something that no writer leaves, or one that is at work, or that died at it.
    Damaged,
}

impl LockContent {
    /// Reads it; takes no lock.
    pub fn read<F: StorageFile>(file: &F) -> io::Result<Self> {
        let mut bytes = [0; FILE_BYTES];
        read_full(file, &mut bytes, 0)?;
        if is_zero(&bytes) {
            return Ok(Self::Empty);
        }
        let said = Said::parse(&bytes);
        let are_whole = SLOTS_AT.into_iter().all(|at| {
            let slot = &bytes[at as usize..at as usize + TailSlot::BYTES];
            TailSlot::parse(slot).is_some() || is_zero(slot)
        });
        Ok(match said.slot() {
            Some(slot) if are_whole && said.active.is_some() => Self::Sound(slot),
            _ => Self::Damaged,
        })
    }
}

impl<S: Storage> JournalLock<S> {
    /// Makes the slots good: what is neither one of this journal nor zeros becomes zeros, and where none is
    /// left the witness is written. Only under the lock.
    pub fn mend(&self, journal: JournalId, witness: Option<&TailSlot>) -> io::Result<()> {
        let mut bytes = [0; FILE_BYTES];
        read_full(&*self.file, &mut bytes, 0)?;
        let mut is_left = false;
        for at in SLOTS_AT {
            let slot = &bytes[at as usize..at as usize + TailSlot::BYTES];
            match TailSlot::parse(slot) {
                Some(slot) if slot.journal == journal => is_left = true,
                None if is_zero(slot) => {}
                _ => self.put(&[0; TailSlot::BYTES], at)?,
            }
        }
        match witness.filter(|slot| !is_left && slot.journal == journal) {
            Some(slot) => self.set_slot(slot, &self.said()?),
            None => Ok(()),
        }
    }
}

/// The number of the newest segment, where it and its complement agree.
pub(super) fn number(bytes: &[u8]) -> Option<SegmentNumber> {
    let (number, complement) = bytes.get(..ACTIVE_BYTES)?.split_at(8);
    let number = u64::from_le_bytes(number.try_into().ok()?);
    let complement = u64::from_le_bytes(complement.try_into().ok()?);
    (number == !complement).then_some(SegmentNumber(number))
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}
