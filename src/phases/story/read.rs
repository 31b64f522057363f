//! Reading the nodes of a journal.

use super::{Branches, NodeStory, PhaseTold, ResultTold};
use crate::event::{Body, Content, NodePlace, Recorded, Sequence};
use crate::journal::{JournalError, JournalReader, ReplayItem};
use crate::phases::model::ScriptedReply;

/// The nodes of a journal, in the order they began.
pub struct Stories {
    reader: JournalReader,
    nodes: Vec<NodeStory>,
    branches: Branches,
}

/// Why what a node left cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum StoryError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("event {sequence} is lost: `annals verify` says what happened to it")]
    Lost { sequence: Sequence },
}

impl Stories {
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

    /// All of them.
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

    /// The log of a phase.
    pub fn log(&self, phase: &PhaseTold) -> Result<String, StoryError> {
        match self.body(phase.sequence)? {
            Body::PhaseCompleted(body) => self.text(&body.log),
            Body::PhaseFailed(body) => self.text(&body.log),
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

    /// Whether there is such a branch of memory.
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
                    queries: 0,
                    artifacts: None,
                    phases: Vec::new(),
                    result: None,
                    plots: None,
                    notes: Vec::new(),
                });
            }
            Body::ModelQueried(body) => self.of(&body.node, |node| node.queries += 1),
            Body::ArtifactsAccepted(body) => {
                self.of(&body.place, |node| node.artifacts = Some(sequence));
            }
            Body::PhaseCompleted(b) => {
                let (phase, duration_ms, executions) =
                    (b.phase, b.duration_ms, b.executions.clone());
                let told = PhaseTold { sequence, phase, duration_ms, executions, error: None };
                self.of(&b.place, |node| node.phases.push(told));
            }
            Body::PhaseFailed(b) => {
                let (phase, duration_ms, executions) =
                    (b.phase, b.duration_ms, b.executions.clone());
                let error = Some(b.error.clone());
                let told = PhaseTold { sequence, phase, duration_ms, executions, error };
                self.of(&b.place, |node| node.phases.push(told));
            }
            Body::RecallAppended(b) if b.kind == UNDONE => {
                let is_it = |node: &&mut NodeStory| node.place.branch == b.branch;
                if let Some(node) = self.nodes.iter_mut().rev().find(is_it) {
                    node.notes.push(b.text.clone());
                }
            }
            Body::NodeResultRecorded(body) => self.of(&body.place, |node| {
                node.result = Some(ResultTold {
                    sequence,
                    is_buggy: body.is_buggy,
                    metric: body.metric.clone(),
                    exec_time_ms: body.exec_time_ms,
                    error: body.error.clone(),
                });
            }),
            Body::VlmAnalysisCompleted(body) => {
                self.of(&body.place, |node| node.plots = Some(body.summary.clone()));
            }
            _ => {}
        }
    }

    fn of(&mut self, place: &NodePlace, change: impl FnOnce(&mut NodeStory)) {
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
