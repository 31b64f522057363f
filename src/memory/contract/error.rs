//! Why a call of the façade fails.

use crate::journal::ProjectError;
use crate::memory::MemoryError;
use crate::parse::reply::ReplyError;

/// Why a call of the façade fails. Nothing of the call was recorded.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("no branch is named: give a `branch_id`, or say `with_branch` once")]
    NoBranch,
    #[error("{record_id:?} is no record's number: give what `mem_archival_write` returned")]
    RecordId { record_id: String },
    #[error("{scope:?} is no scope: give `all`, `core`, `recall` or `archival`")]
    Scope { scope: String },
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Memory(#[from] MemoryError),
    #[error(transparent)]
    Updates(#[from] ReplyError),
}

/// What the façade's calls give.
pub type Result<T, E = Error> = std::result::Result<T, E>;
