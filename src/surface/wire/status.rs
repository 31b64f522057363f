//! The state of a project, as `status` prints it.

use serde::Serialize;

/// The state of a project.
#[derive(Debug, Serialize)]
pub struct Status {
    pub root: String,
    pub journal: JournalHealth,
    pub stores: Vec<Store>,
    /// `null` where the stores cannot be read.
    pub counts: Option<Counts>,
    /// The last ones.
    pub anomalies: Vec<Anomaly>,
    /// Whether nothing needs a person's eye.
    pub fine: bool,
    /// What to run next.
    pub next: String,
}

/// The journal's health, as far as a reader at its tail tells; `verify` reads every byte.
#[derive(Debug, Serialize)]
pub struct JournalHealth {
    pub path: String,
    /// Its id; `null` where it cannot be read.
    pub journal: Option<String>,
    /// Its last event.
    pub sequence: Option<u64>,
    pub segments: u64,
    /// Of the segments, the space filled ahead included.
    pub bytes: u64,
    /// What was cut or replaced and is kept.
    pub quarantined: u64,
    /// Why it cannot be read.
    pub problem: Option<String>,
}

/// A derived store.
#[derive(Debug, Serialize)]
pub struct Store {
    pub store: String,
    pub path: String,
    /// The last event in it.
    pub sequence: Option<u64>,
    /// Events it does not have yet; `null` where it must be rebuilt.
    pub lag: Option<u64>,
    /// Why it lags, or cannot be read.
    pub problem: Option<String>,
    /// blake3 of its logical content, with `--digest`.
    pub digest: Option<String>,
}

/// How many of everything there are. A corrected execution counts by its correction alone.
#[derive(Debug, Serialize)]
pub struct Counts {
    pub sessions: u64,
    pub prompts: u64,
    /// Executions, open ones included.
    pub calls: u64,
    /// Of them, those whose result was seen: ok, failed or refused.
    pub results: u64,
    /// Results that were not ok: failed or refused.
    pub errors: u64,
    pub ok: u64,
    pub failed: u64,
    pub refused: u64,
    pub interrupted: u64,
    pub open: u64,
    /// Executions that count by their correction.
    pub corrected: u64,
    pub anomalies: u64,
    /// Of them, transcript lines that could not be read.
    pub unreadable_lines: u64,
    /// Of them, results whose call no transcript has.
    pub results_without_call: u64,
}

/// An event that a store could not take, or that contradicts another.
#[derive(Debug, Serialize)]
pub struct Anomaly {
    pub sequence: u64,
    pub kind: String,
    pub execution: Option<String>,
    pub message: String,
}
