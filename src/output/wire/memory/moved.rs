//! What moved in from another program's memory, or out to it.

use serde::Serialize;

use crate::memory as done;
use crate::memory::query as memory;

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
    /// The first of them.
    pub deleted_keys: Vec<GoneKey>,
    /// Values whose time is over: there nobody judges that, and they are valid again.
    pub expired: u64,
    /// The first of them.
    pub expired_keys: Vec<GoneKey>,
}

/// A key of a branch.
#[derive(Clone, Debug, Serialize)]
pub struct GoneKey {
    pub branch: String,
    pub key: String,
}

impl GoneKey {
    fn of(keys: &[memory::GoneKey]) -> Vec<Self> {
        let of = |it: &memory::GoneKey| Self { branch: it.branch.clone(), key: it.key.clone() };
        keys.iter().map(of).collect()
    }
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
            deletions_left_out: done.unsaid.deleted,
            deleted_keys: GoneKey::of(&done.unsaid.deleted_keys),
            expired: done.unsaid.expired,
            expired_keys: GoneKey::of(&done.unsaid.expired_keys),
        }
    }
}
