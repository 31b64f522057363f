//! Errors of debug memory, sorted.

use super::{Sorted, catch_up, io, journal, project, query, record, store, walk};
use crate::cli::Exit;
use crate::debug::DebugError;
use crate::debug::infer::InferError;

pub fn debug(error: &DebugError) -> Sorted {
    match error {
        error if error.is_refusal() => (Exit::Usage, None),
        DebugError::Busy => (Exit::Locked, None),
        DebugError::Unread { .. } | DebugError::Gone { .. } => (Exit::Findings, None),
        DebugError::File { source, .. } | DebugError::Lock { source, .. } => io(source),
        DebugError::Project(error) => project(error),
        DebugError::Record(error) => record(error),
        DebugError::Query(error) => query(error),
        DebugError::Store(error) => store(error),
        DebugError::CatchUp(error) => catch_up(error),
        error => journal(error),
    }
}

pub fn infer(error: &InferError) -> Sorted {
    match error {
        InferError::Walk(error) => walk(error),
        InferError::Project(error) => project(error),
        InferError::Record(error) => record(error),
        InferError::Debug(error) => debug(error),
        InferError::Journal(error) => journal(error),
    }
}
