//! Bytes that recovery cuts are kept, never thrown away.
//!
//! `quarantine/{segment:010}-{offset:020}-{next:020}-{copy}.bin`, where `next` is the lowest
//! sequence that nothing in the cut bytes had taken: so that no number seen on disk is given
//! again even when the writer that saw it dies before its first append.

use std::io;
use std::path::Path;

use crate::storage::{OpenHow, Storage, StorageFile, read_full, write_full};
use crate::units::{Offset, Position, SegmentNumber, Sequence};

/// The folder's name in a journal's folder.
pub const QUARANTINE_NAME: &str = "quarantine";

const COPIES_MAX: u32 = 1000;

/// Keeps bytes that stood at `at`; durable when this returns. The same bytes of the same place
/// are kept once.
pub fn keep<S: Storage>(
    storage: &S,
    journal: &Path,
    at: Position,
    next: Sequence,
    bytes: &[u8],
) -> io::Result<String> {
    let folder = journal.join(QUARANTINE_NAME);
    storage.create_folder(&folder)?;
    for copy in 0..COPIES_MAX {
        let name = name(at, next, copy);
        let path = folder.join(&name);
        match holds(storage, &path, bytes)? {
            Some(true) => return Ok(name),
            Some(false) => continue,
            None => {}
        }
        let temporary = folder.join(format!("{name}.tmp"));
        let file = create_afresh(storage, &temporary)?;
        write_full(&file, bytes, 0)?;
        file.sync_data()?;
        storage.rename(&temporary, &path)?;
        storage.sync_folder(&folder)?;
        storage.sync_folder(journal)?;
        return Ok(name);
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "a thousand quarantine files of one place"))
}

/// The lowest sequence above all that quarantined bytes had taken.
pub fn next_sequence<S: Storage>(storage: &S, journal: &Path) -> io::Result<Sequence> {
    let names = match storage.list(&journal.join(QUARANTINE_NAME)) {
        Ok(names) => names,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Sequence(0)),
        Err(error) => return Err(error),
    };
    let next = names.iter().filter_map(|name| parse(name)).map(|(_, next)| next).max();
    Ok(next.unwrap_or_default())
}

/// Where a quarantined file's bytes stood, and the lowest sequence that they had not taken.
pub fn parse(name: &str) -> Option<(Position, Sequence)> {
    let mut parts = name.strip_suffix(".bin")?.splitn(4, '-');
    let mut number = || parts.next()?.parse::<u64>().ok();
    let at = Position { segment: SegmentNumber(number()?), offset: Offset(number()?) };
    Some((at, Sequence(number()?)))
}

fn name(at: Position, next: Sequence, copy: u32) -> String {
    format!("{:010}-{:020}-{:020}-{copy}.bin", at.segment.0, at.offset.0, next.0)
}

/// A new, empty file, whatever a dead writer left under the name.
pub(crate) fn create_afresh<S: Storage>(storage: &S, path: &Path) -> io::Result<S::File> {
    match storage.remove(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    storage.open(path, OpenHow::CreateNew)
}

/// Whether a file holds exactly these bytes; `None` where there is no such file.
fn holds<S: Storage>(storage: &S, path: &Path, bytes: &[u8]) -> io::Result<Option<bool>> {
    let file = match storage.open(path, OpenHow::Read) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if file.len()? != bytes.len() as u64 {
        return Ok(Some(false));
    }
    let mut held = vec![0; bytes.len()];
    let read = read_full(&file, &mut held, 0)?;
    Ok(Some(read == bytes.len() && held == bytes))
}
