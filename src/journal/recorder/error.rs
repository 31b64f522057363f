//! Why a recorder refuses, or fails to record.

use crate::event::limits::TOOL_NAME_BYTES_MAX;
use crate::event::{EventError, ExecutionId, Sequence};
use crate::execution::query::QueryError;
use crate::journal::time_guard::TimeRefused;
use crate::journal::{JournalError, ProjectError};

/// Why a recorder refuses, or fails to record. Nothing of the call that gave it was recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error(
        "tool `{tool}` is not in the contract's list: declare it with `annals tool declare \
         {tool}`, or record under one of the declared names: {declared}"
    )]
    Undeclared { tool: String, declared: String },
    #[error(
        "`{tool}` cannot be a tool's name: 1 to {TOOL_NAME_BYTES_MAX} ASCII letters, digits and \
         `_ - . : /`, beginning with a letter, a digit or `_`"
    )]
    ToolName { tool: String },
    #[error(
        "the project's contract is locked to its first eleven tools: set `contract = \"open\"` in \
         .annals/config.toml to declare `{tool}`"
    )]
    Locked { tool: String },
    #[error("event {at} ({name}) is refused")]
    Time { at: usize, name: &'static str, source: TimeRefused },
    #[error("event {at} ({name}) is refused")]
    Event { at: usize, name: &'static str, source: EventError },
    #[error("event {at} ({name}) is refused: its arguments are JSON, but not an object")]
    NotAnObject { at: usize, name: &'static str },
    #[error(
        "event {at} ({name}) is refused: the {what}'s name is, or holds, what looks like a secret: \
         names are kept as they are"
    )]
    SecretName { at: usize, name: &'static str, what: &'static str },
    #[error(
        "execution {execution} is on record with {other}: the same id is the same call; leave the id \
         out, or give another, to record another call"
    )]
    OtherContent { execution: ExecutionId, other: &'static str },
    #[error("index.db cannot be asked what is recorded already: `annals rebuild index` mends it")]
    Index(#[source] QueryError),
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl RecordError {
    /// The journal's last event, where others were faster and nothing was recorded therefore.
    pub fn overtaken(&self) -> Option<Sequence> {
        match self {
            Self::Journal(error) => error.overtaken(),
            _ => None,
        }
    }
}
