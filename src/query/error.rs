//! Why a question has no answer.

use crate::store::StoreError;

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("nothing is recorded under {reference:?}; `annals log` lists what is")]
    NotFound { reference: String },
    #[error("{reference:?} begins {count} ids or more; give more of it")]
    Ambiguous { reference: String, count: usize },
    #[error(
        "{text:?} names no execution: give an ordinal (142), a sequence (@4711), a UUID or its \
         beginning, or `last`"
    )]
    NoReference { text: String },
}
