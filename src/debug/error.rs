//! Why an operation on debug memory is refused, or fails.

use std::io;
use std::path::PathBuf;

use crate::config::ATTEMPTS_MAX;
use crate::event::{DebugSessionId, DebugStatus};
use crate::execution::query::QueryError;
use crate::execution::replay::WalkError;
use crate::journal::{JournalError, ProjectError, RecordError};
use crate::store::catch_up::CatchUpError;
use crate::store::evidence::EvidenceError;
use crate::store::{FeedError, StoreError};

/// Why an operation on debug memory is refused, or fails. Nothing of it was recorded, but for
/// [`Self::Unread`].
#[derive(Debug, thiserror::Error)]
pub enum DebugError {
    #[error("{field} {why}")]
    Field { field: String, why: String },
    #[error("there is no debug session {session}: `annals debug list` has what there is")]
    NoSession { session: String },
    #[error(
        "the debug session {session} was kept as long as the settings say, and is in no store any more: its events are in the journal"
    )]
    Expired { session: DebugSessionId },
    #[error(
        "the debug session {session} has {ATTEMPTS_MAX} attempts, and takes no more: `annals debug close {session}` ends it"
    )]
    TooMany { session: DebugSessionId },
    #[error(
        "the document of the debug session {session} has no room for more: `annals debug close {session}` ends it"
    )]
    Full { session: DebugSessionId },
    #[error("there is a debug session {session} already: `annals debug show {session}` has it")]
    Exists { session: DebugSessionId },
    #[error(
        "the debug session {session} is {}, and that is final: `annals debug open {file_path}` begins another",
        status.as_str()
    )]
    Final { session: DebugSessionId, status: DebugStatus, file_path: String },
    #[error(
        "the debug session {session} has no attempt {attempt}: `annals debug show {session}` has what there is"
    )]
    NoAttempt { session: DebugSessionId, attempt: u32 },
    #[error("the debug session {session} has no attempt yet: `annals debug attempt` records one")]
    NoAttempts { session: DebugSessionId },
    #[error(
        "attempt {attempt} of the debug session {session} has no fix: `annals debug fix` records one"
    )]
    NoFix { session: DebugSessionId, attempt: u32 },
    #[error("{what}: document {document} is refused at {}: {why}", if at.is_empty() { "/" } else { at })]
    Invalid { what: String, document: usize, at: String, why: String },
    #[error(
        "{what}: document {document} has the id of the debug session {session}, {}",
        if *is_expired {
            "which was kept as long as the settings say: `--replace` brings it back"
        } else {
            "which is here and reads otherwise: `--replace` puts this one in its place"
        }
    )]
    Taken { what: String, document: usize, session: DebugSessionId, is_expired: bool },
    #[error(
        "{what}: documents {first} and {second} have the same id, {session}, and read otherwise: keep one of them"
    )]
    Twice { what: String, first: usize, second: usize, session: DebugSessionId },
    #[error("{what} is refused: {why}")]
    Unreadable { what: String, why: String },
    #[error("{} cannot be {did}", path.display())]
    File { path: PathBuf, did: &'static str, source: io::Error },
    #[error("another process has been changing debug memory for too long: wait, or end it")]
    Busy,
    #[error("the lock of those who change debug memory cannot be taken in {}", path.display())]
    Lock { path: PathBuf, source: io::Error },
    #[error(
        "it was recorded, as event {sequence}, but cannot be read back: `annals status` says why"
    )]
    Unread { sequence: u64, source: Box<DebugError> },
    #[error("it was recorded, as event {sequence}, and is gone again: another process removed it")]
    Gone { sequence: u64 },
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error(transparent)]
    CatchUp(#[from] CatchUpError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Walk(#[from] WalkError),
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error(transparent)]
    Stores(#[from] EvidenceError),
}

impl DebugError {
    /// Whether what was asked for cannot be done as it was asked (exit code 2), rather than that
    /// something failed.
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::Field { .. }
                | Self::NoSession { .. }
                | Self::Expired { .. }
                | Self::Full { .. }
                | Self::TooMany { .. }
                | Self::Exists { .. }
                | Self::Final { .. }
                | Self::NoAttempt { .. }
                | Self::NoAttempts { .. }
                | Self::NoFix { .. }
                | Self::Invalid { .. }
                | Self::Taken { .. }
                | Self::Twice { .. }
                | Self::Unreadable { .. }
        )
    }
}

pub(crate) type Result<T, E = DebugError> = std::result::Result<T, E>;
