//! Whether a journal has grown: asked again and again by who shows it.

use std::path::Path;

use crate::journal::{JournalError, JournalReader, Mark};

/// A journal's end, looked at again and again. Nothing is locked or written.
pub struct Growth {
    reader: JournalReader,
    seen: Mark,
}

impl Growth {
    /// From the journal's end as it is now.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn of(journal: &Path) -> Result<Self, JournalError> {
        let reader = JournalReader::open(journal)?;
        let seen = reader.mark();
        Ok(Self { reader, seen })
    }

    /// Whether it ends elsewhere than when this was last asked.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn look(&mut self) -> Result<bool, JournalError> {
        let now = self.reader.refresh()?;
        let grown = now != self.seen;
        self.seen = now;
        Ok(grown)
    }
}
