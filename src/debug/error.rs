//! Why an operation on debug memory is refused, or fails.

use std::io;
use std::path::PathBuf;

use crate::config::ATTEMPTS_MAX;
use crate::event::{DebugSessionId, DebugStatus};
use crate::execution::query::QueryError;
use crate::execution::replay::WalkError;
use crate::fault::{Class, Fault, Listing, Remedy, Sorted};
use crate::journal::fault;
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
    #[error(
        "template names the pattern {pattern:?} of the debug session {session}, which has none of that name"
    )]
    NoTemplate { session: DebugSessionId, pattern: String },
    #[error("there is no debug session {session}")]
    NoSession { session: String },
    #[error(
        "the debug session {session} was kept as long as the settings say, and is in no store any more: its events are in the journal"
    )]
    Expired { session: DebugSessionId },
    #[error("the debug session {session} has {ATTEMPTS_MAX} attempts, and takes no more")]
    TooMany { session: DebugSessionId },
    #[error("the document of the debug session {session} has no room for more")]
    Full { session: DebugSessionId },
    #[error("there is a debug session {session} already")]
    Exists { session: DebugSessionId },
    #[error(
        "the debug session {session} is {}, and that is final: another can be opened",
        status.as_str()
    )]
    Final { session: DebugSessionId, status: DebugStatus, file_path: String },
    #[error("the debug session {session} has no attempt {attempt}")]
    NoAttempt { session: DebugSessionId, attempt: u32 },
    #[error("the debug session {session} has no attempt yet")]
    NoAttempts { session: DebugSessionId },
    #[error("attempt {attempt} of the debug session {session} has no fix")]
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
    #[error("it was recorded, as event {sequence}, but cannot be read back")]
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

impl Fault for DebugError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Field { .. } | Self::Invalid { .. } => Class::Argument.alone(),
            Self::NoTemplate { .. } => Class::Argument.with(Remedy::List(Listing::Templates)),
            Self::NoSession { .. } => Class::Missing.with(Remedy::List(Listing::DebugSessions)),
            Self::TooMany { session } | Self::Full { session } => {
                Class::Refused.with(Remedy::CloseDebug(session.to_string()))
            }
            Self::Exists { session } | Self::NoAttempt { session, .. } => {
                Class::Refused.with(Remedy::ShowDebug(session.to_string()))
            }
            Self::Final { file_path, .. } => {
                Class::Refused.with(Remedy::OpenDebug(file_path.clone()))
            }
            Self::NoAttempts { .. } => Class::Refused.with(Remedy::AddAttempt),
            Self::NoFix { .. } => Class::Refused.with(Remedy::AddFix),
            error if error.is_refusal() => Class::Refused.alone(),
            Self::Busy => Class::Locked.alone(),
            Self::Unread { .. } => Class::Findings.with(Remedy::Status),
            Self::Gone { .. } => Class::Findings.alone(),
            Self::File { source, .. } | Self::Lock { source, .. } => fault::of_io(source),
            Self::Project(error) => error.sorted(),
            Self::Record(error) => error.sorted(),
            Self::Walk(error) => error.sorted(),
            Self::Query(error) => error.sorted(),
            Self::Store(error) => error.sorted(),
            Self::CatchUp(error) => error.sorted(),
            error => fault::of_causes(error),
        }
    }
}

impl DebugError {
    /// Whether what was asked for cannot be done as it was asked (exit code 2), rather than that
    /// something failed.
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::Field { .. }
                | Self::NoTemplate { .. }
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
