//! The state of a project, as `status` prints it.

use serde::Serialize;

/// The state of a project.
#[derive(Debug, Serialize)]
pub struct Status {
    pub root: String,
    pub journal: JournalHealth,
    pub stores: Vec<Store>,
    pub counts: Option<Counts>,
    /// The last ones.
    pub anomalies: Vec<Anomaly>,
    /// What to run next.
    pub next: String,
}

/// The journal's health, as far as its tail and headers tell; `verify` reads every byte.
#[derive(Debug, Serialize)]
pub struct JournalHealth {
    pub path: String,
    pub journal: Option<String>,
    /// Its last event.
    pub sequence: Option<u64>,
    pub segments: u64,
    pub bytes: u64,
    pub damage: Vec<Damage>,
}

/// One place where the journal is not what was written.
#[derive(Debug, Serialize)]
pub struct Damage {
    pub segment: u64,
    /// A byte offset in the segment.
    pub offset: u64,
    pub verdict: String,
    /// The events lost or in doubt, first and last; `null` where nobody can tell.
    pub first_sequence: Option<u64>,
    pub last_sequence: Option<u64>,
    pub what: String,
}

/// A derived store.
#[derive(Debug, Serialize)]
pub struct Store {
    pub store: String,
    pub path: String,
    /// The last event in it.
    pub sequence: Option<u64>,
    /// Events it does not have yet.
    pub lag: Option<u64>,
    /// Why it lags, or cannot be read.
    pub problem: Option<String>,
    /// blake3 of its logical content, with `--digest`.
    pub digest: Option<String>,
}

/// How many of everything there are.
#[derive(Debug, Serialize)]
pub struct Counts {
    pub sessions: u64,
    pub prompts: u64,
    pub calls: u64,
    pub results: u64,
    pub ok: u64,
    pub failed: u64,
    pub refused: u64,
    pub interrupted: u64,
    pub open: u64,
    pub corrections: u64,
    pub anomalies: u64,
}

/// An event that a store could not take, or that contradicts another.
#[derive(Debug, Serialize)]
pub struct Anomaly {
    pub sequence: u64,
    pub kind: String,
    pub message: String,
}
