//! Where an event's bytes lie.

use std::path::{Path, PathBuf};

use crate::event::Sequence;
use crate::journal::{JournalError, JournalReader};

/// Where an event's frame lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The segment's file.
    pub path: PathBuf,
    /// Where its frame begins, a byte offset in the file.
    pub offset: u64,
}

/// The place of an event in the journal of a folder; `None` where the journal has no such event.
pub fn place(journal: &Path, at: Sequence) -> Result<Option<Place>, JournalError> {
    JournalReader::open(journal)?
        .place(at)
        .map(|found| found.map(|(path, offset)| Place { path, offset }))
}
