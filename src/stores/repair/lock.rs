//! The journal's `LOCK`: opening the journal makes it where that can be done; what is in its place is moved
//! away first.

use std::io::ErrorKind;

use super::{RepairError, RepairStep};
use crate::journal::LockFile;
use crate::journal::{Project, ProjectError, RecordError, enclosure};

/// Things that are kept of what was in its place.
const KEPT_MAX: u32 = 1_000;

/// What is due.
pub(super) fn look(project: &Project) -> Option<RepairStep> {
    let why = LockFile::of(&project.journal_dir()).why_mended()?;
    Some(RepairStep::LockMade { why: why.to_owned() })
}

/// Moves what cannot be written as it into the journal's quarantine.
pub(super) fn make_room(project: &Project) -> Result<(), RepairError> {
    let journal = project.journal_dir();
    if LockFile::of(&journal) != LockFile::InTheWay {
        return Ok(());
    }
    let (path, kept) = (journal.join("LOCK"), journal.join("quarantine"));
    let moved = enclosure::make_folder(&kept).and_then(|_| {
        let moved = |number| enclosure::rename_new(&path, &kept.join(format!("LOCK.{number}")));
        let is_taken = |done: &std::io::Result<()>| {
            done.as_ref().is_err_and(|error| error.kind() == ErrorKind::AlreadyExists)
        };
        let mut tried = (1..=KEPT_MAX).map(moved).skip_while(is_taken);
        tried.next().unwrap_or_else(|| Err(ErrorKind::AlreadyExists.into()))
    });
    let failed = |source| ProjectError::Folder { path, did: "moved away", source };
    Ok(moved.map_err(failed).map_err(RecordError::from)?)
}
