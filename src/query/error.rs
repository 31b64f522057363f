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
    #[error("there is no graph to ask ({why}); it is made with the next recorded execution")]
    NoGraph { why: String },
    #[error("{text:?} is no place where a page ended")]
    NoCursor { text: String },
    #[error(
        "the graph has no diagnostic {id:?}: give a code (E0425), a name (diagnostic:E0425:…) or an \
         entity's id"
    )]
    NoDiagnostic { id: String },
    #[error(
        "{text:?} names no execution: give an ordinal (142), a sequence (@4711), a UUID or its \
         beginning, or `last`"
    )]
    NoReference { text: String },
}
