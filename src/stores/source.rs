//! Opening a project or a source with the stores that may lie around its journal.

use std::path::{Path, PathBuf};

use super::STORES;
use crate::journal::project::InitReport;
use crate::journal::{
    self, InitOptions, JournalError, Project, ProjectError, Reading, Source, SourceError,
    VerifyReport,
};

impl Project {
    /// Makes `root` a project, or completes what an interrupted `init` left. Twice is harmless.
    pub fn init(root: &Path, options: &InitOptions) -> Result<(Self, InitReport), ProjectError> {
        Self::init_around(root, options, &STORES)
    }

    /// Opens the project whose root, or whose `.annals` folder, this is.
    pub fn open(folder: &Path) -> Result<Self, ProjectError> {
        Self::open_around(folder, &STORES)
    }

    /// Opens the nearest project at or above a folder.
    pub fn find(start: &Path) -> Result<Self, ProjectError> {
        Self::find_around(start, &STORES)
    }
}

impl Source {
    pub fn of(path: &Path) -> Result<Self, SourceError> {
        Self::of_around(path, &STORES)
    }

    pub fn find(start: &Path) -> Result<Option<Self>, SourceError> {
        Self::find_around(start, &STORES)
    }
}

/// Reads every byte of a journal and holds it to its checksums and its chain.
///
/// `path` is a project, its `.annals`, a journal's folder, one `.seg` file or a bundle. Nobody's
/// lock is taken where it is not a project's, or cannot be written.
pub fn verify(path: &Path) -> Result<VerifyReport, JournalError> {
    journal::verify(&journal_path(path), reading(path, false))
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
