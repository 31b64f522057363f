//! Why a journal cannot be walked as asked.

use crate::journal::JournalError;

/// Why a journal cannot be walked as asked.
#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("nothing in the journal is {reference:?}; `annals log` lists what is")]
    NotFound { reference: String },
    #[error("{reference:?} begins more than one id; give more of it")]
    Ambiguous { reference: String },
    #[error("no session in the journal is {session:?}; `annals sessions` lists them")]
    NoSession { session: String },
}
