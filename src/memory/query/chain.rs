//! A branch and its ancestors.

use std::collections::BTreeSet;

use crate::execution::query::QueryError;
use crate::memory::store::MemoryView;

/// Branches of a chain that are followed; what lies above is not seen.
pub const CHAIN_LEN_MAX: usize = 10_000;

/// A branch on the way from one to its root.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainLink {
    pub branch: String,
    pub node: Option<String>,
    /// When it was forked: Unix seconds, as the store has them.
    pub created_at: f64,
}

/// The branch that a name means: the branch of that name, else the one that stands for that node.
pub fn branch_of(view: &MemoryView<'_>, name: &str) -> Result<Option<String>, QueryError> {
    match view.branch(name)? {
        Some(branch) => Ok(Some(branch.id)),
        None => Ok(view.branch_of_node(name)?),
    }
}

/// A branch, its parent, its grandparent and so on; empty where there is no such branch.
///
/// A parent that does not exist ends the chain, and so does one that is on it already: a journal may
/// come from anywhere.
pub fn chain(view: &MemoryView<'_>, branch: &str) -> Result<Vec<ChainLink>, QueryError> {
    let mut chain = Vec::new();
    let mut seen = BTreeSet::new();
    let mut next = Some(branch.to_owned());
    while let Some(id) = next.take() {
        if chain.len() == CHAIN_LEN_MAX || !seen.insert(id.clone()) {
            break;
        }
        if let Some(row) = view.branch(&id)? {
            chain.push(ChainLink { branch: row.id, node: row.node, created_at: row.created_at });
            next = row.parent;
        }
    }
    Ok(chain)
}
