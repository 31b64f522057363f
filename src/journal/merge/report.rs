//! What became of a merge.

use std::path::PathBuf;

/// What became of a merge.
#[derive(Debug, Default)]
pub struct MergeReport {
    /// The journal that it went into.
    pub journal: [u8; 16],
    /// Its last event.
    pub last: u64,
    pub sources: Vec<MergedFrom>,
}

/// What became of one source's events.
#[derive(Clone, Debug, Default)]
pub struct MergedFrom {
    pub path: PathBuf,
    pub journal: [u8; 16],
    pub events: u64,
    pub taken: u64,
    /// The same record was there already, or another source gave it: of one journal, under one number, by its leaf.
    pub known: u64,
    /// Another journal recorded the same: the same call, or the very same event.
    pub same: u64,
    /// Facts about the source's own journal.
    pub own: u64,
    /// Findings of what is lost in it.
    pub lost: u64,
    /// Contents that its events name and it does not have.
    pub contents_missing: u64,
    /// They hold what this user redacted before, and went over redacted.
    pub withheld: u64,
    /// Redacted in it, and not in the journal that it went into.
    pub redacted_here: u64,
}
