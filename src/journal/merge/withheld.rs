//! What was redacted before comes in by no merge: of such a record only what redaction leaves is taken over.

use annals_journal_format::frame::Flags;

use super::source::Taken;
use super::{Input, MergeError};
use crate::event::{self, Kind, Sequence};
use crate::journal::JournalReader;
use crate::journal::withheld::{Met, Recorded, Withheld};

/// By which records of a source come in; `None` where this user withholds nothing.
pub(super) struct Door(Option<(Recorded, JournalReader)>);

impl Door {
    pub fn of_user(input: &Input) -> Result<Self, MergeError> {
        // One that is there and cannot be used lets nothing pass unseen.
        let withheld = Withheld::of_user().map_err(MergeError::Withheld)?;
        let Some(withheld) = withheld else { return Ok(Self(None)) };
        let reader = JournalReader::reading(&input.journal, input.reading)?;
        Ok(Self(Some((Recorded::new(withheld, &reader)?, reader))))
    }

    /// The record as it may go over, and whether that is without what it holds.
    pub fn passed(&mut self, record: Taken) -> (Taken, bool) {
        let Some((recorded, reader)) = &mut self.0 else { return (record, false) };
        if record.carried.flags.has(Flags::REDACTED) {
            return (record, false);
        }
        // What cannot be read is known by its leaf alone.
        let decoded = record.carried.payload().ok().and_then(|payload| {
            event::decode(Kind(record.carried.kind), record.carried.version, &payload).ok() // as above
        });
        let (leaves, journal) =
            ([record.carried.leaf(), record.origin.leaf], record.origin.journal);
        let met = Met { at: Sequence(record.local), leaves, event: decoded.as_ref(), journal };
        match recorded.take(&met, reader) {
            true => (Taken { carried: record.carried.redacted(), ..record }, true),
            false => (record, false),
        }
    }
}
