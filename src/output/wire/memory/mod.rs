//! Branch memory (spec 003), as `memory` and the pipe print it.

mod applied;
mod branch;
mod moved;
mod pressure;
mod record;
mod result;

use serde::Serialize;
use serde_json::Value;

use crate::memory::query;
use crate::output::time;

pub use applied::Applied;
pub use branch::{Branch, Forked};
pub use moved::{Exported, GoneKey, Imported};
pub use pressure::{Consolidation, Importance, Pressure};
pub use record::{CoreValue, RecallEvent, RecallSummary, Record};
pub use result::{ArchivalDone, Consolidated, CoreDone, Evicted, NodeWritten, RecallDone};

/// Milliseconds as spec 003's seconds.
pub fn seconds(at_ms: u64) -> f64 {
    // Beyond 2^53 milliseconds a last digit is lost: in some 280 000 years.
    at_ms as f64 / 1_000.0
}

/// What two branches see differently, as `memory diff` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct MemoryDiff {
    pub a: String,
    pub b: String,
    pub core: Difference<CoreValue>,
    /// The newest first, like the others.
    pub recall: Difference<RecallEvent>,
    pub summaries: Difference<RecallSummary>,
    pub archival: Difference<Record>,
    /// Since when events, and records, are compared, where there are too many for all; UTC.
    pub recall_since: Option<String>,
    pub archival_since: Option<String>,
}

/// What one side has and the other has not.
#[derive(Clone, Debug, Serialize)]
pub struct Difference<T> {
    pub only_a: Vec<T>,
    pub only_b: Vec<T>,
    /// What both have, but not alike.
    pub different: Vec<Pair<T>>,
    /// How many both have alike.
    pub same: u64,
}

/// What both have, but not alike.
#[derive(Clone, Debug, Serialize)]
pub struct Pair<T> {
    pub a: T,
    pub b: T,
}

impl MemoryDiff {
    /// Whether both see the same.
    pub fn is_empty(&self) -> bool {
        let empty = [
            self.core.is_empty(),
            self.recall.is_empty(),
            self.summaries.is_empty(),
            self.archival.is_empty(),
        ];
        empty.into_iter().all(|it| it)
    }

    pub fn of(a: &str, b: &str, found: &query::MemoryDiff) -> Self {
        Self {
            a: a.to_owned(),
            b: b.to_owned(),
            core: difference(&found.core, CoreValue::of),
            recall: difference(&found.recall, RecallEvent::of),
            summaries: difference(&found.summaries, RecallSummary::of),
            archival: difference(&found.archival, Record::of),
            recall_since: found.recall_since_ms.and_then(time::utc),
            archival_since: found.archival_since_ms.and_then(time::utc),
        }
    }
}

impl<T> Difference<T> {
    fn is_empty(&self) -> bool {
        self.only_a.is_empty() && self.only_b.is_empty() && self.different.is_empty()
    }
}

fn difference<T, U>(found: &query::Difference<T>, told: impl Fn(&T) -> U) -> Difference<U> {
    let pairs = found.different.iter();
    Difference {
        only_a: found.only_a.iter().map(&told).collect(),
        only_b: found.only_b.iter().map(&told).collect(),
        different: pairs.map(|(a, b)| Pair { a: told(a), b: told(b) }).collect(),
        same: found.same,
    }
}

/// An event of memory: who asked for it, when, during what.
#[derive(Clone, Debug, Serialize)]
pub struct Op {
    /// Which of several journals it is in; `null` where one was asked.
    pub journal: Option<String>,
    pub sequence: u64,
    /// UTC.
    pub at: Option<String>,
    pub session: Option<String>,
    /// The event's kind: `CoreSet`, …
    pub kind: String,
    pub branch: String,
    pub key: Option<String>,
    /// The archival record it wrote or changed.
    pub record: Option<u64>,
    pub node: Option<String>,
    pub run: Option<String>,
    pub phase: Option<String>,
    /// The layer it came by: `primitive`, `api`, `model`, `internal`, `import`.
    pub by: String,
    /// The execution during which it happened.
    pub execution: Option<String>,
}

/// An event that made a value what it is.
#[derive(Clone, Debug, Serialize)]
pub struct Cause {
    #[serde(flatten)]
    pub op: Op,
    /// The fields of its kind, as `export` has them; `null` where it cannot be read.
    pub event: Value,
    /// Why it cannot be read.
    pub problem: Option<String>,
}

/// Why a branch sees what it sees, as `memory why` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Why {
    pub journal: Option<String>,
    pub branch: String,
    pub key: Option<String>,
    pub record: Option<u64>,
    /// What is seen now, and the branch that wrote it; `null` where nothing is.
    pub value: Option<String>,
    pub from: Option<String>,
    /// The newest first.
    pub causes: Vec<Cause>,
}

impl Op {
    pub fn of(journal: Option<&str>, op: &query::MemoryOp) -> Self {
        Self {
            journal: journal.map(str::to_owned),
            sequence: op.sequence.0,
            at: time::utc(op.at_ms),
            session: op.session.clone(),
            kind: op.kind.clone(),
            branch: op.branch.clone(),
            key: op.key.clone(),
            record: op.record,
            node: op.node.clone(),
            run: op.run.clone(),
            phase: op.phase.clone(),
            by: op.door.clone(),
            execution: op.execution.clone(),
        }
    }
}

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

/// A branch's memory as text, and what of it found room there.
#[derive(Clone, Debug, Serialize)]
pub struct Rendered {
    pub text: String,
    pub rendered_chars: u64,
    pub core_count: u64,
    pub recall_count: u64,
    pub archival_count: u64,
    /// What is in it: the keys, and the numbers of events, of summaries and of records.
    pub core_keys: Vec<String>,
    pub recall_ids: Vec<u64>,
    pub summary_ids: Vec<u64>,
    pub archival_ids: Vec<u64>,
}

impl Rendered {
    pub fn of(found: &query::Rendered) -> Self {
        Self {
            text: found.text.clone(),
            rendered_chars: found.chars as u64,
            core_count: found.core.len() as u64,
            recall_count: (found.recall.len() + found.summaries.len()) as u64,
            archival_count: found.archival.len() as u64,
            core_keys: found.core.iter().map(|it| it.key.clone()).collect(),
            recall_ids: found.recall.iter().map(|it| it.id).collect(),
            summary_ids: found.summaries.iter().map(|it| it.id).collect(),
            archival_ids: found.archival.iter().map(|it| it.id).collect(),
        }
    }
}
