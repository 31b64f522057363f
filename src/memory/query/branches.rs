//! The branches there are, and each one's ancestors.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::Result;
use crate::event::wire;
use crate::memory::store::{Branch, Listed, MemoryView};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BranchSummary {
    pub branch: String,
    pub parent: Option<String>,
    /// The node of a search tree it stands for.
    pub node: Option<String>,
    #[serde(rename = "created", serialize_with = "wire::utc")]
    pub created_ms: u64,
    /// How many branches were forked from it.
    pub children: u64,
    /// Keys, events and records of its own.
    pub core: u64,
    pub recall: u64,
    pub archival: u64,
}

const STEP: u64 = 1_000;

/// Every branch, the oldest first; of one moment, and whatever their clocks said, parents before
/// children.
pub fn branches(view: &MemoryView<'_>) -> Result<Vec<BranchSummary>> {
    let mut found: Vec<BranchSummary> = Vec::new();
    loop {
        let after = found.last().map_or("", |last| last.branch.as_str()).to_owned();
        let rows = view.branches(&after, STEP)?;
        let is_all = (rows.len() as u64) < STEP;
        for row in rows {
            let core = view.core(&row.branch)?.iter().filter(|row| row.value.is_some()).count();
            found.push(BranchSummary {
                children: view.children(&row.branch)?,
                core: core as u64,
                recall: view.count(Listed::Events, &row.branch)?,
                archival: view.count(Listed::Archival, &row.branch)?,
                branch: row.branch,
                parent: row.parent,
                node: row.node,
                created_ms: row.created_ms,
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

/// Branches of a chain that are followed; what lies above is not seen.
pub const CHAIN_LEN_MAX: usize = 10_000;

/// The branch that a name means: the branch of that name, else the one that stands for that node.
pub fn branch_of(view: &MemoryView<'_>, name: &str) -> Result<Option<String>> {
    match view.branch(name)? {
        Some(branch) => Ok(Some(branch.branch)),
        None => Ok(view.branch_of_node(name)?),
    }
}

/// A branch, its parent, its grandparent and so on; empty where there is no such branch.
///
/// A parent that does not exist ends the chain, and so does one that is on it already: a journal may
/// come from anywhere.
pub fn chain(view: &MemoryView<'_>, branch: &str) -> Result<Vec<Branch>> {
    let mut chain = Vec::new();
    let mut seen = BTreeSet::new();
    let mut next = Some(branch.to_owned());
    while let Some(id) = next.take() {
        if chain.len() == CHAIN_LEN_MAX || !seen.insert(id.clone()) {
            break;
        }
        if let Some(row) = view.branch(&id)? {
            next.clone_from(&row.parent);
            chain.push(row);
        }
    }
    Ok(chain)
}
