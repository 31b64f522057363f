//! What can be wrong with redaction's rules.

use std::path::PathBuf;

/// What can be wrong with redaction's rules, a user's or our own.
#[derive(Debug, thiserror::Error)]
pub enum RedactError {
    #[error(
        "{}: number {number} of [[redact.patterns]], `{name}`, is not a regular expression",
        path.display()
    )]
    Pattern { path: PathBuf, number: usize, name: String, source: Box<regex::Error> },
    #[error("{}: number {number} of [[redact.patterns]] cannot be used: {reason}", path.display())]
    Unusable { path: PathBuf, number: usize, reason: &'static str },
}
