//! What can be wrong with a user's patterns.

use std::path::PathBuf;

/// What can be wrong with a user's patterns.
#[derive(Debug, thiserror::Error)]
pub enum RedactError {
    #[error("{}: [[redact.patterns]] number {number} (`{name}`) is not a regular expression", path.display())]
    Pattern { path: PathBuf, number: usize, name: String, source: Box<regex::Error> },
    #[error("{}: [[redact.patterns]] number {number}: {reason}", path.display())]
    Unusable { path: PathBuf, number: usize, reason: &'static str },
}
