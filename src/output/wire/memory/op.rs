//! Events of memory, as its log has them.

use serde::Serialize;
use serde_json::Value;

use crate::memory::query;
use crate::output::time;

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
