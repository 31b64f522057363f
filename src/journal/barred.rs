//! A journal that nothing may be appended to because of what its newest segment is on the disk: a second
//! name, another owner. Nothing is lost by it, and a copy in its place ends it.

use std::path::{Path, PathBuf};

use annals_journal_format::writer::OpenError;

use super::JournalError;
use crate::journal::enclosure;

/// A newest segment that is not to be written.
#[derive(Debug)]
pub struct Barred {
    pub segment: PathBuf,
    /// As opening the journal for writing says it.
    pub error: JournalError,
}

impl Barred {
    /// Looks at the journal in a folder; `None` where it may be appended to, or cannot be looked at.
    pub fn of(journal: &Path) -> Option<Self> {
        let is_segment = |name: &Path| name.extension().is_some_and(|it| it == "seg");
        let names = enclosure::names(journal).ok()?.into_iter().map(|(name, _)| name); // told by readers
        let newest = names.filter(|name| is_segment(name.as_ref())).max()?;
        let segment = journal.join(newest);
        let source =
            enclosure::must_be_writable(&segment).err().filter(enclosure::is_in_the_way)?;
        let source = OpenError::Io { doing: "open", path: segment.clone(), source };
        Some(Self { segment, error: JournalError::Open { dir: journal.to_owned(), source } })
    }
}
