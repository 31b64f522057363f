//! Whether a journal has grown: asked again and again by who shows it.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use crate::journal::{JournalError, JournalReader, Mark, enclosure};

/// Looks at files that stand still, before that is believed: two writes within a tick of the file
/// system's clock leave the same time.
const LOOKS_UNTIL_STILL: u32 = 5;

/// A journal's end, looked at again and again. Nothing is locked or written, and where no file of it
/// was touched none is read.
pub struct Growth {
    dir: PathBuf,
    reader: JournalReader,
    seen: Mark,
    files: Option<Files>,
    /// Looks since the files were seen to change.
    still: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Files {
    count: u64,
    bytes: u64,
    touched: (i64, u64),
}

impl Growth {
    /// From the journal's end as it is now.
    pub fn of(journal: &Path) -> Result<Self, JournalError> {
        let reader = JournalReader::open(journal)?;
        let seen = reader.mark();
        Ok(Self { dir: journal.to_owned(), reader, seen, files: None, still: 0 })
    }

    pub fn look(&mut self) -> Result<bool, JournalError> {
        let files = Files::of(&self.dir);
        let is_same = files.is_some() && files == self.files;
        self.still = if is_same { self.still.saturating_add(1) } else { 0 };
        self.files = files;
        if self.still > LOOKS_UNTIL_STILL {
            return Ok(false);
        }
        let now = self.reader.refresh()?;
        let grown = now != self.seen;
        self.seen = now;
        Ok(grown)
    }
}

impl Files {
    /// `None` where that cannot be told: then the journal itself is read.
    fn of(dir: &Path) -> Option<Self> {
        // Whatever fails here is told by reading the journal.
        let touched = enclosure::look(dir).ok()?.changed;
        let mut files = Self { count: 0, bytes: 0, touched };
        for (name, _) in enclosure::names(dir).ok()? {
            let look = enclosure::look(&dir.join(name)).ok()?; // as above
            files.count += 1;
            files.bytes += look.bytes;
            files.touched = files.touched.max(look.changed);
        }
        Some(files)
    }
}
