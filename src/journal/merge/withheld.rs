//! What was redacted before comes in by no merge: of such a record only what redaction leaves is taken over.

use super::source::Taken;
use super::{Input, MergeError};
use crate::event::{self, Kind, Sequence};
use crate::journal::JournalReader;
use crate::journal::withheld::{Recorded, Withheld};

/// By which records of a source come in; `None` where this user withholds nothing.
pub(super) struct Door(Option<(Recorded, JournalReader)>);

impl Door {
    pub fn of_user(input: &Input) -> Result<Self, MergeError> {
        // One that is there and cannot be used lets nothing pass unseen.
        let withheld = Withheld::of_user().map_err(MergeError::Withheld)?;
        let Some(withheld) = withheld else { return Ok(Self(None)) };
        let reader = JournalReader::reading(&input.journal, input.reading)?;
        Ok(Self(Some((Recorded::new(withheld), reader))))
    }

    /// The record as it may go over, and whether that is without what it holds.
    pub fn passed(&mut self, record: Taken) -> (Taken, bool) {
        let Some((recorded, reader)) = &mut self.0 else { return (record, false) };
        // What is redacted already, or cannot be read, tells nothing.
        let decoded = record.carried.payload().ok().and_then(|payload| {
            event::decode(Kind(record.carried.kind), record.carried.version, &payload).ok() // as above
        });
        let Some(event) = decoded else { return (record, false) };
        let is_one = recorded.take(Sequence(record.local), &event, record.origin.journal, reader);
        match is_one {
            true => (Taken { carried: record.carried.redacted(), ..record }, true),
            false => (record, false),
        }
    }
}
