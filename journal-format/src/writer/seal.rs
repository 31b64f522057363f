//! Sealing: a segment that nothing is added to any more, with what vouches for all records up to its end.

use crate::limits::HEADER_PAGE_BYTES;
use crate::storage::Storage;
use crate::units::{Offset, SegmentNumber, Sequence};

use super::tail::{State, Tail};
use super::{AppendError, Writer};

/// What a SEAL commit says (FORMAT.md §6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seal {
    /// The journal's last event, which it must still end at.
    pub last: Sequence,
    /// Event frames up to it.
    pub size: u64,
    /// The root over their leaves.
    pub root: [u8; 32],
}

impl<S: Storage> Writer<S> {
    /// Seals the segment that is appended to, and begins the next; answers its number, and `None` where it holds
    /// nothing yet.
    ///
    /// # Errors
    /// [`AppendError::Overtaken`] where the journal does not end at `seal.last` any more.
    pub fn seal(&self, seal: &Seal) -> Result<Option<SegmentNumber>, AppendError> {
        let mut tail = self.tail();
        let sealed = tail.seal_end(seal);
        let proven = tail.proven.mark;
        drop(tail);
        self.know_proven(proven);
        sealed
    }
}

impl<S: Storage> Tail<S> {
    fn seal_end(&mut self, seal: &Seal) -> Result<Option<SegmentNumber>, AppendError> {
        if self.state != State::Sound {
            return Err(AppendError::Fenced { segment: self.active.number() });
        }
        self.state = State::Moving;
        let sealed = self.acquire().and_then(|held| {
            self.catch_up(held.fresh())?;
            let number = self.active.number();
            match self.end == Offset(HEADER_PAGE_BYTES) {
                true => Ok(None),
                false => self.seal(seal).map(|()| Some(number)),
            }
        });
        if self.state == State::Moving {
            self.state = State::Sound;
        }
        sealed
    }
}
