//! What moved in from another program's memory, or out to it.

use serde::Serialize;

use crate::command::memory as done;

/// What an import found and recorded.
#[derive(Clone, Debug, Serialize)]
pub struct Imported {
    pub branches: u64,
    pub core: u64,
    pub events: u64,
    pub records: u64,
    pub summaries: u64,
    /// What was here already.
    pub known: u64,
    /// What has another number here.
    pub renumbered: u64,
}

/// What an export wrote.
#[derive(Clone, Debug, Serialize)]
pub struct Exported {
    pub file: String,
    pub branches: u64,
    pub core: u64,
    pub events: u64,
    pub records: u64,
    pub exclusions: u64,
    pub summaries: u64,
    /// Deleted keys that hide something of the branches above, and cannot be said there.
    pub deletions_left_out: u64,
}

impl Imported {
    pub fn of(done: &done::MemoryImport) -> Self {
        Self {
            branches: done.branches,
            core: done.core,
            events: done.events,
            records: done.records,
            summaries: done.summaries,
            known: done.known,
            renumbered: done.renumbered,
        }
    }
}

impl Exported {
    pub fn of(file: &std::path::Path, done: &done::MemoryExport) -> Self {
        Self {
            file: file.to_string_lossy().into_owned(),
            branches: done.branches,
            core: done.core,
            events: done.events,
            records: done.records,
            exclusions: done.exclusions,
            summaries: done.summaries,
            deletions_left_out: done.deletions_left_out,
        }
    }
}
