//! What the journal has of the nodes that were run.

mod node;

use std::collections::BTreeMap;
use std::path::Path;

use crate::event::{Body, Content, NodePlace, PhaseCompleted, PhaseFailed, Recorded, Sequence};
use crate::fault::{Class, Fault, Remedy, Sorted};
use crate::journal::{JournalError, JournalReader, Reading, ReplayItem};
use crate::phases::IDEA_TAG;
use crate::phases::model::ScriptedReply;

pub use node::{NodeState, NodeStory, PhaseEnded, place_told};

pub struct Stories {
    reader: JournalReader,
    nodes: Vec<NodeStory>,
    branches: Branches,
}

#[derive(Debug, thiserror::Error)]
pub enum StoryError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("event {sequence} is lost")]
    Lost { sequence: Sequence },
}

impl Fault for StoryError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Journal(error) => error.sorted(),
            Self::Lost { .. } => Class::Io.with(Remedy::Verify),
        }
    }
}

impl Stories {
    /// Those of a journal's folder, segment or bundle that is only asked about, as of an event, or of
    /// now.
    pub fn of(
        journal: &Path,
        reading: Reading,
        through: Option<Sequence>,
    ) -> Result<Self, StoryError> {
        Self::read(JournalReader::reading(journal, reading)?, through)
    }

    /// Reads a journal from its first event to its last, or to `through`.
    pub fn read(reader: JournalReader, through: Option<Sequence>) -> Result<Self, StoryError> {
        let mut stories = Self { reader, nodes: Vec::new(), branches: Branches::default() };
        for item in stories.reader.replay(Sequence(1), through) {
            match item {
                Ok(ReplayItem::Event(recorded)) => stories.take(&recorded),
                // What this build cannot read is no news of a node.
                Ok(_) | Err(JournalError::Undecodable { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(stories)
    }

    pub fn nodes(&self) -> &[NodeStory] {
        &self.nodes
    }

    /// The node of a run; without a run, the one that began last under that name.
    pub fn find(&self, run: Option<&str>, node: &str) -> Option<&NodeStory> {
        let is_it = |story: &&NodeStory| {
            story.place.node == node && run.is_none_or(|run| story.place.experiment.run == run)
        };
        self.nodes.iter().rev().find(is_it)
    }

    /// The node's ancestors, the root first, as far as they were run.
    pub fn ancestors(&self, run: &str, node: &str) -> Vec<String> {
        let mut chain: Vec<String> = Vec::new();
        let mut at = node.to_owned();
        while !chain.contains(&at) {
            let parent = self.find(Some(run), &at).and_then(|story| story.parent.clone());
            chain.push(at);
            match parent {
                Some(parent) => at = parent,
                None => break,
            }
        }
        chain.reverse();
        chain
    }

    /// A node's artifacts: canonical JSON.
    pub fn artifacts(&self, story: &NodeStory) -> Result<Option<String>, StoryError> {
        let Some(sequence) = story.artifacts else { return Ok(None) };
        match self.body(sequence)? {
            Body::ArtifactsAccepted(body) => self.text(&body.artifacts).map(Some),
            _ => Ok(None),
        }
    }

    pub fn log(&self, phase: &PhaseEnded) -> Result<String, StoryError> {
        let Some(sequence) = phase.sequence else { return Ok(String::new()) };
        match self.body(sequence)? {
            Body::PhaseCompleted(PhaseCompleted { log, .. })
            | Body::PhaseFailed(PhaseFailed { log, .. }) => self.text(&log),
            _ => Ok(String::new()),
        }
    }

    /// What a model answered about a node, in order, for a model that says it again.
    pub fn replies(&self, run: &str, node: &str) -> Result<Vec<ScriptedReply>, StoryError> {
        let mut replies = Vec::new();
        for item in self.reader.replay(Sequence(1), None) {
            let recorded = match item {
                Ok(ReplayItem::Event(recorded)) => recorded,
                Ok(_) | Err(JournalError::Undecodable { .. }) => continue,
                Err(error) => return Err(error.into()),
            };
            let Body::ModelQueried(query) = &recorded.event.body else { continue };
            if query.node.node != node || query.node.experiment.run != run {
                continue;
            }
            let reply = self.text(&query.reply)?;
            // Where nothing was answered there is nothing to find fault with.
            let failed = query.error.clone().filter(|error| error.starts_with(NO_ANSWER));
            let failure = failed.map(|error| error[NO_ANSWER.len()..].to_owned());
            let (label, round) = (Some(query.prompt.label.clone()), Some(query.prompt.round));
            replies.push(ScriptedReply { reply, label, round, failure });
        }
        Ok(replies)
    }

    /// The branch of memory of this name, or of the node of this name.
    pub fn branch<'n>(&'n self, name: &'n str) -> Option<&'n str> {
        self.branches.of(name)
    }

    pub fn has_branch(&self, name: &str) -> bool {
        self.branch(name).is_some()
    }

    /// The research idea that a branch remembers, else the nearest above it.
    pub fn idea(&self, branch: &str) -> Result<Option<String>, StoryError> {
        let Some(sequence) = self.branches.idea(branch) else { return Ok(None) };
        let (text, whole) = match self.body(sequence)? {
            Body::ArchivalWritten(body) => (Some(body.text), body.whole),
            Body::ArchivalUpdated(body) => (body.text, body.whole),
            _ => (None, None),
        };
        match whole {
            Some(whole) => self.text(&whole).map(Some),
            None => Ok(text),
        }
    }

    fn take(&mut self, recorded: &Recorded) {
        let sequence = recorded.sequence;
        self.branches.take(recorded);
        match &recorded.event.body {
            Body::NodeCreated(body) => {
                self.nodes.retain(|node| !same(&node.place, &body.place));
                self.nodes.push(NodeStory {
                    place: body.place.clone(),
                    parent: body.parent.clone(),
                    task: body.task.clone(),
                    stage: body.stage.clone(),
                    created: sequence,
                    created_ms: recorded.event.envelope.at_ms,
                    state: NodeState::Open,
                    metric: None,
                    exec_time_ms: None,
                    error: None,
                    queries: 0,
                    phases: Vec::new(),
                    artifacts: None,
                    plots: None,
                    notes: Vec::new(),
                });
            }
            Body::ModelQueried(body) => self.of_place(&body.node, |node| node.queries += 1),
            Body::ArtifactsAccepted(body) => {
                self.of_place(&body.place, |node| node.artifacts = Some(sequence));
            }
            Body::PhaseCompleted(PhaseCompleted {
                place, phase, executions, duration_ms, ..
            })
            | Body::PhaseFailed(PhaseFailed { place, phase, executions, duration_ms, .. }) => {
                let error = match &recorded.event.body {
                    Body::PhaseFailed(failed) => Some(failed.error.clone()),
                    _ => None,
                };
                let ended = PhaseEnded::of(*phase, *duration_ms, executions.clone(), error);
                let ended = PhaseEnded { sequence: Some(sequence), ..ended };
                self.of_place(place, |node| node.phases.push(ended));
            }
            Body::RecallAppended(b) if b.kind == UNDONE => {
                let is_it = |node: &&mut NodeStory| node.place.branch == b.branch;
                if let Some(node) = self.nodes.iter_mut().rev().find(is_it) {
                    node.notes.push(b.text.clone());
                }
            }
            Body::NodeResultRecorded(body) => self.of_place(&body.place, |node| {
                node.state = if body.is_buggy { NodeState::Buggy } else { NodeState::Ok };
                node.metric = body.metric.clone();
                node.exec_time_ms = Some(body.exec_time_ms);
                node.error = body.error.clone();
            }),
            Body::VlmAnalysisCompleted(body) => {
                self.of_place(&body.place, |node| node.plots = Some(body.summary.clone()));
            }
            _ => {}
        }
    }

    fn of_place(&mut self, place: &NodePlace, change: impl FnOnce(&mut NodeStory)) {
        if let Some(node) = self.nodes.iter_mut().rev().find(|node| same(&node.place, place)) {
            change(node);
        }
    }

    fn body(&self, sequence: Sequence) -> Result<Body, StoryError> {
        let found = self.reader.get(sequence)?;
        found.map(|recorded| recorded.event.body).ok_or(StoryError::Lost { sequence })
    }

    fn text(&self, content: &Content) -> Result<String, StoryError> {
        Ok(String::from_utf8_lossy(&self.reader.bytes(content)?).into_owned())
    }
}

/// The kind of the event that remembers what was asked for besides and could not be done.
pub const UNDONE: &str = "side_task_failed";

/// What the error of a query begins with that was not answered at all.
pub const NO_ANSWER: &str = "the model gave no answer: ";

fn same(one: &NodePlace, other: &NodePlace) -> bool {
    one.node == other.node && one.experiment.run == other.experiment.run
}

/// The branches of memory of a journal.
#[derive(Debug, Default)]
struct Branches {
    /// Branch, its parent.
    parents: BTreeMap<String, Option<String>>,
    /// Node, its branch.
    of_nodes: BTreeMap<String, String>,
    /// Branch, the record that has its idea, the event that has the text.
    ideas: BTreeMap<String, (u64, Sequence)>,
}

impl Branches {
    fn take(&mut self, recorded: &Recorded) {
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

    fn of<'n>(&'n self, name: &'n str) -> Option<&'n str> {
        match self.parents.contains_key(name) {
            true => Some(name),
            false => self.of_nodes.get(name).map(String::as_str),
        }
    }

    fn idea(&self, name: &str) -> Option<Sequence> {
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
