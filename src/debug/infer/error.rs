//! Why a journal's sessions cannot be turned into debug sessions.

use crate::debug::DebugError;
use crate::execution::replay::WalkError;
use crate::journal::JournalError;
use crate::journal::{ProjectError, RecordError};

/// Why an agent's session cannot be turned into debug sessions. What was recorded before stays, and is
/// not recorded again.
#[derive(Debug, thiserror::Error)]
pub enum InferError {
    #[error(transparent)]
    Walk(#[from] WalkError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Debug(#[from] DebugError),
}
