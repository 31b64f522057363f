//! The stores as they stand at an event, without making any: a fold in memory.
//!
//! It gives an execution the ordinal that its row in `execution_log.db` has, and counts what
//! `index.db` counts; a test compares all three over generated histories. An execution costs about
//! a hundred bytes, an open one what it is about besides.

mod closings;
mod graph;
mod known;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;

use crate::event::{
    Body, CallKey, Content, ExecutionId, ExecutionStarted, Outcome, Recorded, Sequence, SessionId,
    ToolsDeclared, tool,
};
use crate::execution::closed::Closed;
use graph::Graph;
use known::{About, Known, Pending, digest};

pub use graph::{GraphAdded, GraphEdge};

/// The stores as they stand at an event.
#[derive(Debug)]
pub struct Tally {
    counts: TallyCounts,
    executions: BTreeMap<ExecutionId, Known>,
    /// Starts that do not count, and the execution that they repeat.
    void: BTreeMap<ExecutionId, ExecutionId>,
    calls: BTreeMap<[u8; 16], ExecutionId>,
    open: BTreeMap<ExecutionId, About>,
    open_bytes: usize,
    corrected_by: BTreeMap<ExecutionId, ExecutionId>,
    sessions: BTreeSet<SessionId>,
    files: BTreeSet<[u8; 16]>,
    symbols: BTreeSet<[u8; 16]>,
    flaws: BTreeSet<[u8; 16]>,
    tools: BTreeSet<String>,
    pending: Pending,
    graph: Graph,
    /// The project's root, as its journal says; empty where it does not.
    root: String,
}

/// Bytes of open executions that are remembered.
const OPEN_BYTES_MAX: usize = 16 << 20;

impl Tally {
    /// Nothing yet. Paths are told from `root`, unless the journal says from where.
    pub fn new(root: &Path) -> Self {
        let graph = Graph::new(root);
        Self {
            counts: TallyCounts::default(),
            executions: BTreeMap::new(),
            void: BTreeMap::new(),
            calls: BTreeMap::new(),
            open: BTreeMap::new(),
            open_bytes: 0,
            corrected_by: BTreeMap::new(),
            sessions: BTreeSet::new(),
            files: BTreeSet::new(),
            symbols: BTreeSet::new(),
            flaws: BTreeSet::new(),
            tools: BTreeSet::new(),
            pending: Pending::default(),
            graph,
            root: String::new(),
        }
    }

    pub fn counts(&self) -> TallyCounts {
        TallyCounts { pending: self.pending.len(), ..self.counts }
    }

    /// The start that an event closes and whose target is not remembered: to be read and given to
    /// [`Self::apply`].
    pub fn wants(&self, recorded: &Recorded) -> Option<Sequence> {
        let closed = Closed::of(recorded)?;
        let of = closed.corrects.unwrap_or(closed.execution);
        let id = self.find(of)?;
        let started = self.executions.get(&id)?.started;
        (!self.open.contains_key(&id) && started > 0).then_some(Sequence(started))
    }

    /// Folds the next event. `started` is the one that [`Self::wants`] asked for, `has` says
    /// whether a content's bytes are there.
    pub fn apply(
        &mut self,
        recorded: &Recorded,
        started: Option<&Recorded>,
        has: &dyn Fn(&Content) -> bool,
    ) -> Added {
        self.counts.events += 1;
        let mut added = Added::default();
        if let Some(session) = recorded.event.envelope.session {
            added.session = self.sessions.insert(session);
            self.counts.sessions = self.sessions.len() as u64;
        }
        if let Some(closed) = Closed::of(recorded) {
            self.close(recorded, closed, started, has, &mut added);
            return added;
        }
        match &recorded.event.body {
            Body::ExecutionStarted(started) => self.start(recorded, started, &mut added),
            Body::ToolsDeclared(declared) => self.declare(declared),
            Body::ChecksDeclared(declared) => self.graph.own = declared.list.clone().into(),
            Body::JournalCreated(created) if created.root.starts_with('/') => {
                self.root.clone_from(&created.root);
                self.graph.told_from(Path::new(&created.root));
            }
            Body::PromptSubmitted(_) => self.counts.prompts += 1,
            Body::TranscriptFlawed(flawed) => {
                let (flaw, line) = (flawed.flaw.as_str(), flawed.line.to_le_bytes());
                let parts =
                    [flawed.file.as_bytes(), &line, flaw.as_bytes(), flawed.detail.as_bytes()];
                self.flaws.insert(digest(&parts));
                self.counts.flaws = self.flaws.len() as u64;
            }
            _ => {}
        }
        added
    }

    /// The row that an id leads to: its own, or that of the start it repeats.
    fn find(&self, id: ExecutionId) -> Option<ExecutionId> {
        let own = self.executions.contains_key(&id).then_some(id);
        own.or_else(|| self.void.get(&id).copied())
    }

    fn start(&mut self, recorded: &Recorded, started: &ExecutionStarted, added: &mut Added) {
        let id = started.execution;
        let call = started.call.as_ref().map(CallKey::to_text);
        let call = call.map(|key| digest(&[key.as_bytes()]));
        let before = self.find(id).or_else(|| call.and_then(|call| self.calls.get(&call).copied()));
        if let Some(first) = before {
            self.void.entry(id).or_insert(first);
            added.execution = Some(first);
            added.repeated = true;
            return;
        }
        if let Some(call) = call {
            self.calls.insert(call, id);
        }
        let started_at = recorded.sequence.0;
        self.put(
            id,
            Known { started: started_at, outcome: None, has_row: false, corrected: false },
        );
        let about = About::of(recorded, started, &self.graph.own, &self.root);
        self.remember(id, about);
        self.touch(started.paths.iter(), started.symbols.iter(), added);
        added.execution = Some(id);
    }

    /// Keeps what an open execution is about, while there is room; else its start is asked for
    /// again when it ends.
    fn remember(&mut self, id: ExecutionId, about: About) {
        let bytes = about.bytes();
        if self.open_bytes + bytes <= OPEN_BYTES_MAX {
            self.open_bytes += bytes;
            self.open.insert(id, about);
        }
    }

    fn declare(&mut self, declared: &ToolsDeclared) {
        let names = declared.tools.iter().filter(|name| tool::is_valid(name));
        let names = names.filter(|name| !tool::CONTRACT.contains(&name.as_str()));
        self.tools.extend(names.cloned());
        self.counts.tools = self.tools.len() as u64;
    }

    fn touch<'a>(
        &mut self,
        paths: impl Iterator<Item = &'a String>,
        symbols: impl Iterator<Item = &'a String>,
        added: &mut Added,
    ) {
        for path in paths {
            added.files += u64::from(self.files.insert(digest(&[path.as_bytes()])));
        }
        for symbol in symbols {
            added.symbols += u64::from(self.symbols.insert(digest(&[symbol.as_bytes()])));
        }
        self.counts.files = self.files.len() as u64;
        self.counts.symbols = self.symbols.len() as u64;
    }

    /// Sets an execution's row, and counts it as it now is.
    fn put(&mut self, id: ExecutionId, known: Known) {
        if let Some(before) = self.executions.insert(id, known) {
            self.weigh(before, |count| *count = count.saturating_sub(1));
        }
        self.weigh(known, |count| *count += 1);
    }

    fn weigh(&mut self, known: Known, change: fn(&mut u64)) {
        let counts = &mut self.counts;
        if known.corrected {
            return change(&mut counts.corrected);
        }
        change(&mut counts.calls);
        change(match known.outcome {
            None => &mut counts.open,
            Some(Outcome::Ok) => &mut counts.ok,
            Some(Outcome::Failed) => &mut counts.failed,
            Some(Outcome::Refused) => &mut counts.refused,
            Some(Outcome::Interrupted) => &mut counts.interrupted,
        });
    }
}

/// How much of everything the stores hold. A corrected execution counts by its correction alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TallyCounts {
    pub events: u64,
    pub sessions: u64,
    pub prompts: u64,
    /// Executions, open ones included.
    pub calls: u64,
    pub ok: u64,
    pub failed: u64,
    pub refused: u64,
    pub interrupted: u64,
    pub open: u64,
    /// Executions that count by their correction.
    pub corrected: u64,
    /// Rows of `execution_log.db`: the last ordinal.
    pub rows: u64,
    /// Artifacts of those rows.
    pub artifacts: u64,
    /// Distinct diagnostics that edges of the graph lead to, and edges, as far as the journal alone
    /// tells: a symbol that the graph knows more than once has more.
    pub diagnostics: u64,
    pub edges: u64,
    /// Distinct paths that executions named or changed.
    pub files: u64,
    pub symbols: u64,
    /// Failures without a later success of the same tool on the same target in their session.
    pub pending: u64,
    /// Transcript lines that could not become executions.
    pub flaws: u64,
    /// Tools declared besides the contract's.
    pub tools: u64,
}

/// What one event added to the stores.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Added {
    /// Of an event that closes an execution: that execution's start, and what it was about, in one
    /// line.
    #[serde(skip)]
    pub start: Option<Sequence>,
    #[serde(skip)]
    pub target: Option<String>,
    /// It is the session's first event.
    pub session: bool,
    /// The execution whose row it made or closed: of a repeated start or end, the first's.
    pub execution: Option<ExecutionId>,
    /// Its row in `execution_log.db`: the execution's ordinal.
    pub row: Option<u64>,
    pub artifacts: Vec<&'static str>,
    /// What it is in `codegraph.db`.
    pub graph: Option<GraphAdded>,
    /// It repeats a start or an end that was there before: the first counts.
    pub repeated: bool,
    /// Its tool is not in the contract's list in force: no row.
    pub undeclared: bool,
    /// The start of what it closes is not in the journal.
    pub lost_start: bool,
    /// Paths and symbols not met before.
    pub files: u64,
    pub symbols: u64,
    /// It is a failure that waits for a success.
    pub pending: bool,
    /// The pending failures that it resolved.
    pub resolved: Vec<ExecutionId>,
}
