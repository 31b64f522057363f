//! How a journal looks from outside: its id, its end, its size. Changes nothing, and reads no more
//! than opening a reader does; every byte is [`crate::store::verify::verify`]'s to read.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::event::Sequence;
use crate::journal::{JournalError, JournalReader, Reading, enclosure};
use crate::store::Quarantined;

/// How a journal looks from outside.
#[derive(Debug)]
pub struct JournalHealth {
    pub path: PathBuf,
    /// Its id and its last event; the error is why it cannot be read.
    pub end: Result<([u8; 16], Sequence), JournalError>,
    pub segments: u64,
    /// Of the segments, the space filled ahead included.
    pub bytes: u64,
    /// Files in `quarantine/`.
    pub quarantined: u64,
    pub quarantined_bytes: u64,
}

/// Looks at the journal in a folder, or at one file of it.
pub fn journal_health(folder: &Path, reading: Reading) -> io::Result<JournalHealth> {
    let reader = JournalReader::reading(folder, reading);
    let held = reader.as_ref().map_or(0, JournalReader::segments);
    let end = reader.map(|reader| (reader.id(), reader.mark().sequence));
    let (mut segments, mut bytes) = (0, 0);
    let about = fs::metadata(folder)?;
    if about.is_file() {
        let (path, bytes) = (folder.to_owned(), about.len());
        let (segments, quarantined, quarantined_bytes) = (held, 0, 0);
        return Ok(JournalHealth { path, end, segments, bytes, quarantined, quarantined_bytes });
    }
    for (name, _) in enclosure::names(folder)? {
        if Path::new(&name).extension().is_some_and(|extension| extension == "seg") {
            segments += 1;
            bytes += enclosure::look(&folder.join(name))?.bytes;
        }
    }
    // One that cannot be listed is told by whoever writes into it.
    let cut = Quarantined::of(&folder.join("quarantine")).unwrap_or_default();
    let quarantined = cut.files + cut.evidence_files;
    let quarantined_bytes = cut.bytes + cut.evidence_bytes;
    let path = folder.to_owned();
    Ok(JournalHealth { path, end, segments, bytes, quarantined, quarantined_bytes })
}
