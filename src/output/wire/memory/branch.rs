//! Branches.

use serde::Serialize;

use crate::memory as done;
use crate::memory::query;
use crate::output::time;

/// A branch, as `memory branches` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Branch {
    /// Which of several journals it is in; `null` where one was asked.
    pub journal: Option<String>,
    pub branch: String,
    pub parent: Option<String>,
    /// The node of a search tree it stands for.
    pub node: Option<String>,
    /// UTC.
    pub created: Option<String>,
    /// How many branches were forked from it.
    pub children: u64,
    /// Keys, events and records of its own.
    pub core: u64,
    pub recall: u64,
    pub archival: u64,
}

/// What a fork came to.
#[derive(Clone, Debug, Serialize)]
pub struct Forked {
    pub branch: String,
    /// The branch it sees; `null` of a root.
    pub parent: Option<String>,
    /// `false` where there was this very branch already.
    pub created: bool,
    /// Ancestors that were made for it, the root first.
    pub auto_created: Vec<String>,
    /// Records that were copied, of a fork from the past.
    pub copied: u64,
}

impl Branch {
    pub fn of(found: &query::BranchSummary) -> Self {
        Self {
            journal: None,
            branch: found.branch.clone(),
            parent: found.parent.clone(),
            node: found.node.clone(),
            created: time::utc(found.created_ms),
            children: found.children,
            core: found.core,
            recall: found.recall,
            archival: found.archival,
        }
    }
}

impl Forked {
    pub fn of(done: &done::Forked) -> Self {
        Self {
            branch: done.branch.clone(),
            parent: done.parent.clone(),
            created: done.created,
            auto_created: done.auto_created.clone(),
            copied: done.copied,
        }
    }
}
