//! Errors of debug memory, sorted.

use super::{Sorted, catch_up, io, journal, project, query, record, store, walk};
use crate::cli::Exit;
use crate::debug::DebugError;

pub fn debug(error: &DebugError) -> Sorted {
    match error {
        error if error.is_refusal() => (Exit::Usage, None),
        DebugError::Busy => (Exit::Locked, None),
        DebugError::Unread { .. } | DebugError::Gone { .. } => (Exit::Findings, None),
        DebugError::File { source, .. } | DebugError::Lock { source, .. } => io(source),
        DebugError::Project(error) => project(error),
        DebugError::Record(error) => record(error),
        DebugError::Walk(error) => walk(error),
        DebugError::Query(error) => query(error),
        DebugError::Store(error) => store(error),
        DebugError::CatchUp(error) => catch_up(error),
        error => journal(error),
    }
}
