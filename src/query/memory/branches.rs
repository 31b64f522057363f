//! The branches there are.

use super::MemoryView;
use super::seconds::ms;
use crate::query::QueryError;
use crate::store::memory::Listed;

/// A branch in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchSummary {
    pub branch: String,
    pub parent: Option<String>,
    /// The node of a search tree it stands for.
    pub node: Option<String>,
    /// Unix milliseconds.
    pub created_ms: u64,
    /// How many branches were forked from it.
    pub children: u64,
    /// Keys, events and records of its own.
    pub core: u64,
    pub recall: u64,
    pub archival: u64,
}

/// Branches that are read at once.
const STEP: u64 = 1_000;

/// Every branch, the oldest first.
pub fn branches(view: &MemoryView<'_>) -> Result<Vec<BranchSummary>, QueryError> {
    let mut found: Vec<BranchSummary> = Vec::new();
    loop {
        let after = found.last().map_or("", |last| last.branch.as_str()).to_owned();
        let rows = view.branches(&after, STEP)?;
        let is_all = (rows.len() as u64) < STEP;
        for row in rows {
            let core = view.core(&row.id)?.iter().filter(|row| row.value.is_some()).count();
            found.push(BranchSummary {
                children: view.children(&row.id)?,
                core: core as u64,
                recall: view.count(Listed::Events, &row.id)?,
                archival: view.count(Listed::Archival, &row.id)?,
                branch: row.id,
                parent: row.parent,
                node: row.node,
                created_ms: ms(row.created_at),
            });
        }
        if is_all {
            found.sort_by(|a, b| (a.created_ms, &a.branch).cmp(&(b.created_ms, &b.branch)));
            return Ok(found);
        }
    }
}
