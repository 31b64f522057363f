//! How a journal looks from outside: its id, its end, its size. Changes nothing, and reads no more
//! than opening a reader does; every byte is [`super::verify`]'s to read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::event::Sequence;
use crate::journal::{JournalError, JournalReader, Reading};

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
}

/// Looks at the journal in a folder, or at one file of it.
///
/// # Errors
/// Where the folder cannot be listed.
pub fn journal_health(folder: &Path, reading: Reading) -> io::Result<JournalHealth> {
    let reader = JournalReader::reading(folder, reading);
    let held = reader.as_ref().map_or(0, JournalReader::segments);
    let end = reader.map(|reader| (reader.id(), reader.mark().sequence));
    let (mut segments, mut bytes) = (0, 0);
    let about = fs::metadata(folder)?;
    if about.is_file() {
        let (path, bytes) = (folder.to_owned(), about.len());
        return Ok(JournalHealth { path, end, segments: held, bytes, quarantined: 0 });
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.path().extension().is_some_and(|extension| extension == "seg") {
            segments += 1;
            bytes += entry.metadata()?.len();
        }
    }
    let quarantined = match fs::read_dir(folder.join("quarantine")) {
        Ok(entries) => entries.count() as u64,
        Err(_) => 0, // there is none until something was cut
    };
    Ok(JournalHealth { path: folder.to_owned(), end, segments, bytes, quarantined })
}
