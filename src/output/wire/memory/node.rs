//! What a branch sees in its layers.

use serde::Serialize;

use super::{CoreValue, Pressure, RecallEvent, RecallSummary, Record};
use crate::memory::query;

/// What a branch sees, in all layers or in one; what was not asked for is `null`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct NodeMemory {
    /// Which of several journals it is in; `null` where one was asked.
    pub journal: Option<String>,
    pub branch: String,
    /// By key.
    pub core: Option<Vec<CoreValue>>,
    /// The newest first.
    pub recall: Option<Vec<RecallEvent>>,
    pub summaries: Option<Vec<RecallSummary>>,
    pub archival: Option<Vec<Record>>,
}

/// A branch, and what it sees, as `memory show` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    #[serde(flatten)]
    pub memory: NodeMemory,
    /// The node of a search tree it stands for.
    pub node: Option<String>,
    /// The branch, its parent, and so on to the root.
    pub chain: Vec<String>,
    pub pressure: Pressure,
}

impl NodeMemory {
    pub fn of(found: &query::NodeMemory) -> Self {
        let (core, recall) = (found.core.as_ref(), found.recall.as_ref());
        Self {
            journal: None,
            branch: found.branch.clone(),
            core: core.map(|it| it.values().map(CoreValue::of).collect()),
            recall: recall.map(|it| it.events.iter().map(RecallEvent::of).collect()),
            summaries: recall.map(|it| it.summaries.iter().map(RecallSummary::of).collect()),
            archival: found.archival.as_ref().map(|it| it.iter().map(Record::of).collect()),
        }
    }
}
