//! What the journal has of the nodes that were run.

mod read;

use std::collections::BTreeMap;

use crate::event::{Body, ExecutionId, NodePlace, PhaseName, Recorded, Sequence};
use crate::phases::IDEA_TAG;

pub use read::{Stories, StoryError, UNDONE};

/// The branches of memory of a journal.
#[derive(Debug, Default)]
pub struct Branches {
    /// Branch, its parent.
    parents: BTreeMap<String, Option<String>>,
    /// Node, its branch.
    of_nodes: BTreeMap<String, String>,
    /// Branch, the record that has its idea, the event that has the text.
    ideas: BTreeMap<String, (u64, Sequence)>,
}

impl Branches {
    /// Takes what an event says of them.
    pub fn take(&mut self, recorded: &Recorded) {
        let sequence = recorded.sequence;
        match &recorded.event.body {
            Body::BranchForked(body) => {
                if let Some(node) = &body.node {
                    self.of_nodes.entry(node.clone()).or_insert_with(|| body.branch.clone());
                }
                self.parents.insert(body.branch.clone(), body.parent.clone());
            }
            Body::ArchivalWritten(body) if body.tags.iter().any(|tag| tag == IDEA_TAG) => {
                self.ideas.insert(body.branch.clone(), (body.id, sequence));
            }
            Body::ArchivalUpdated(body) if body.text.is_some() => {
                let of_it = self.ideas.values_mut().find(|(id, _)| *id == body.id);
                if let Some((_, at)) = of_it {
                    *at = sequence;
                }
            }
            _ => {}
        }
    }

    /// The branch of this name, or of the node of this name.
    pub fn of<'n>(&'n self, name: &'n str) -> Option<&'n str> {
        match self.parents.contains_key(name) {
            true => Some(name),
            false => self.of_nodes.get(name).map(String::as_str),
        }
    }

    /// The event that has the idea of a branch, or of the nearest above it that has one.
    pub fn idea(&self, name: &str) -> Option<Sequence> {
        let mut at = self.of(name)?;
        // No further than there are branches, should they ever be in a ring.
        for _ in 0..self.parents.len() {
            if let Some((_, sequence)) = self.ideas.get(at) {
                return Some(*sequence);
            }
            at = self.parents.get(at)?.as_deref()?;
        }
        None
    }
}

/// What the journal has of one node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeStory {
    pub place: NodePlace,
    pub parent: Option<String>,
    pub task: String,
    pub stage: String,
    /// Where it began; the last time, where it was begun again.
    pub created: Sequence,
    /// Unix milliseconds.
    pub created_ms: u64,
    /// How often a model was asked.
    pub queries: u64,
    /// The event that has its artifacts.
    pub artifacts: Option<Sequence>,
    /// In the order they ended.
    pub phases: Vec<PhaseTold>,
    pub result: Option<ResultTold>,
    /// What the plots show.
    pub plots: Option<String>,
    /// What was asked for besides and could not be done.
    pub notes: Vec<String>,
}

/// How a phase ended.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseTold {
    /// The event that has its log.
    pub sequence: Sequence,
    pub phase: PhaseName,
    pub duration_ms: u64,
    /// Its commands, in order.
    pub executions: Vec<ExecutionId>,
    pub error: Option<String>,
}

/// What came of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultTold {
    pub sequence: Sequence,
    pub is_buggy: bool,
    pub metric: Option<String>,
    pub exec_time_ms: u64,
    pub error: Option<String>,
}
