//! Verifying a journal, or one segment of it, and taking it apart. Changes nothing.

use std::path::{Path, PathBuf};

use super::Source;
use crate::journal::{
    self, Audit, Fork, Inspect, JournalError, JournalReader, Reading, VerifyReport,
};

/// Reads every byte of a journal and holds it to its checksums and its chain.
///
/// `path` is a project, its `.annals`, a journal's folder, one `.seg` file or a bundle. Nobody's
/// lock is taken where it is not a project's, or cannot be written.
///
/// # Errors
/// Where nothing of a journal can be read there. Damage is no error: it is in the report.
pub fn verify(path: &Path) -> Result<VerifyReport, JournalError> {
    verify_as(path, reading(path, false))
}

/// As [`verify`], read as one says.
///
/// # Errors
/// As [`verify`].
pub fn verify_as(path: &Path, reading: Reading) -> Result<VerifyReport, JournalError> {
    journal::verify(&journal_path(path), reading)
}

/// As [`verify_as`], with the losses that the journal itself tells of.
///
/// # Errors
/// As [`verify`].
pub fn audit(path: &Path, reading: Reading) -> Result<Audit, JournalError> {
    journal::audit(&journal_path(path), reading)
}

/// Where two journals of one id part; `None` where they do not, or are of two ids.
///
/// # Errors
/// Where one of them cannot be read.
pub fn fork(one: (&Path, Reading), other: (&Path, Reading)) -> Result<Option<Fork>, JournalError> {
    let open =
        |(path, reading): (&Path, Reading)| JournalReader::reading(&journal_path(path), reading);
    journal::fork(&open(one)?, &open(other)?)
}

/// Takes a journal apart, part by part; `path` as in [`verify`].
///
/// # Errors
/// Where nothing of a journal can be read there.
pub fn inspect(path: &Path, reading: Reading) -> Result<Inspect, JournalError> {
    journal::inspect(&journal_path(path), reading)
}

/// The journal that a path means: a project's, an `.annals` folder's, or the path itself.
pub fn journal_path(path: &Path) -> PathBuf {
    Source::of(path).map_or_else(|_| path.to_owned(), |source| source.journal)
}

/// How what a path means may be read: as evidence where that was asked for, or nothing else is
/// possible.
pub fn reading(path: &Path, evidence: bool) -> Reading {
    // What is no source of ours says so when it is read.
    Source::of(path).map_or(Reading::Evidence, |source| source.reading(evidence))
}
