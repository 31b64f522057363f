//! The branches there are.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ms;
use crate::event::wire;
use crate::execution::query::QueryError;
use crate::memory::store::{Listed, MemoryView};

/// A branch in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BranchSummary {
    pub branch: String,
    pub parent: Option<String>,
    /// The node of a search tree it stands for.
    pub node: Option<String>,
    /// Unix milliseconds.
    #[serde(rename = "created", serialize_with = "wire::utc")]
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

/// Every branch, the oldest first; of one moment, and whatever their clocks said, parents before
/// children.
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
            return Ok(oldest_first(found));
        }
    }
}

fn oldest_first(found: Vec<BranchSummary>) -> Vec<BranchSummary> {
    let links: BTreeMap<&str, (Option<&str>, u64)> = found
        .iter()
        .map(|row| (row.branch.as_str(), (row.parent.as_deref(), row.created_ms)))
        .collect();
    // When each stood at the earliest, and how far below its root.
    let mut places: BTreeMap<&str, (u64, usize)> = BTreeMap::new();
    for row in &found {
        let (mut path, mut next) = (Vec::new(), Some(row.branch.as_str()));
        // A path that comes back to itself is as long as there are branches.
        while let Some(branch) = next
            && let Some((parent, created_ms)) = links.get(branch)
            && !places.contains_key(branch)
            && path.len() < found.len()
        {
            path.push((branch, *created_ms));
            next = *parent;
        }
        let mut above = next.and_then(|branch| places.get(branch)).copied();
        for (branch, created_ms) in path.into_iter().rev() {
            let place = match above {
                None => (created_ms, 0),
                Some((at_ms, depth)) => (created_ms.max(at_ms), depth + 1),
            };
            above = Some(*places.entry(branch).or_insert(place));
        }
    }
    let mut placed: Vec<((u64, usize), usize)> = found
        .iter()
        .enumerate()
        .map(|(at, row)| (places.get(row.branch.as_str()).copied().unwrap_or_default(), at))
        .collect();
    // They came in the order of their names.
    placed.sort();
    let mut found: Vec<Option<BranchSummary>> = found.into_iter().map(Some).collect();
    placed.into_iter().filter_map(|(_, at)| found[at].take()).collect()
}
