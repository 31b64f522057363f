//! All layers of a node's memory at once.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::{
    ArchivalRecord, ArchivalSearch, CoreValue, Recall, Result, branch_of, core, recall, search,
};
use crate::event::words;
use crate::memory::store::MemoryView;

words! {
    pub enum NodeScope {
        All = "all",
        Core = "core",
        Recall = "recall",
        Archival = "archival",
    }
}

impl NodeScope {
    fn has(self, layer: Self) -> bool {
        self == Self::All || self == layer
    }
}

type Core = BTreeMap<String, CoreValue>;

/// What a node sees; `None` where the layer was not asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NodeMemory {
    pub branch: String,
    #[serde(serialize_with = "values")]
    pub core: Option<Core>,
    #[serde(flatten, serialize_with = "recalled")]
    pub recall: Option<Recall>,
    /// The newest records.
    pub archival: Option<Vec<ArchivalRecord>>,
}

fn values<S: Serializer>(core: &Option<Core>, to: S) -> Result<S::Ok, S::Error> {
    core.as_ref().map(|core| core.values().collect::<Vec<_>>()).serialize(to)
}

fn recalled<S: Serializer>(recall: &Option<Recall>, to: S) -> Result<S::Ok, S::Error> {
    #[derive(Default, Serialize)]
    struct NotAsked {
        recall: (),
        summaries: (),
    }
    match recall {
        Some(recall) => recall.serialize(to),
        None => NotAsked::default().serialize(to),
    }
}

/// What a node, or a branch, sees: its core, its newest `recall_max_events` events and its newest
/// `retrieval_k` records. `None` where there is no such node.
pub fn node_read(
    view: &MemoryView<'_>,
    node: &str,
    scope: NodeScope,
    (recall_max_events, retrieval_k): (usize, usize),
    now_ms: u64,
) -> Result<Option<NodeMemory>> {
    let Some(branch) = branch_of(view, node)? else { return Ok(None) };
    let newest = ArchivalSearch::newest(&branch, retrieval_k);
    let archival = scope.has(NodeScope::Archival).then(|| search(view, &newest)).transpose()?;
    let core = scope.has(NodeScope::Core).then(|| core(view, &branch, now_ms)).transpose()?;
    let events = scope.has(NodeScope::Recall).then(|| recall(view, &branch, recall_max_events));
    Ok(Some(NodeMemory { core, recall: events.transpose()?, archival, branch }))
}
