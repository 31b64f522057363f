//! What `failures` and `query` print.

use serde::Serialize;

use super::{Execution, Touched};

/// An execution in a list that is read in pages.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
    #[serde(flatten)]
    pub execution: Execution,
    /// What `--before` takes for what is earlier.
    pub cursor: String,
}

/// A diagnostic that was there and then was not, as `query resolving` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Resolution {
    pub journal: Option<String>,
    /// The code; where there is none, the level.
    pub code: String,
    /// The first check of the same tool on the same target that no longer showed it.
    pub resolved_by: Execution,
    /// The first and the last of the checks in a row that showed it.
    pub first_seen: Execution,
    pub last_seen: Execution,
    /// How many those were, as far as they were counted.
    pub checks: usize,
    /// There were more.
    pub checks_more: bool,
    /// The diagnostics of the code at the last of them, a line each.
    pub diagnostics: Vec<String>,
    /// `temporal`: what lies between may be the cause, and is never proven to be.
    pub basis: &'static str,
    /// What changed files in between, the newest last.
    pub candidates: Vec<Candidate>,
    /// There were earlier ones.
    pub candidates_more: bool,
    /// What `--before` takes for what is earlier.
    pub cursor: String,
}

/// An execution that changed files.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    pub execution: Execution,
    pub changed: Vec<Touched>,
}

/// How often the same was tried, as `query pattern` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Pattern {
    pub journal: Option<String>,
    pub tool: String,
    /// As the newest of them had it.
    pub target: Option<String>,
    pub executions: u64,
    pub ok: u64,
    pub failed: u64,
    pub refused: u64,
    pub interrupted: u64,
    /// Of what ran to its end, the share that failed: 0 to 1.
    pub failure_rate: f64,
    /// When it was first tried, UTC.
    pub first: Option<String>,
    pub last: Option<String>,
    /// The newest first.
    pub last_executions: Vec<Execution>,
}

/// Whether an action failed recently, as `query recent` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Recent {
    pub journal: Option<String>,
    pub has_failed_recently: bool,
    /// There were more failures than are listed.
    pub more: bool,
    /// The failures since the last success, the newest first.
    pub executions: Vec<Execution>,
}

/// A diagnostic that came again, as `query recurring` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Recurring {
    pub journal: Option<String>,
    /// The code; where there is none, the level.
    pub code: String,
    pub executions: u64,
    pub sessions: u64,
    /// No later check of the same ran without it.
    pub still_present: bool,
    pub first: Execution,
    pub last: Execution,
}

/// How the last thing went that had to do with a file, as `query latest` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct FileOutcome {
    pub journal: Option<String>,
    /// As it was recorded.
    pub path: String,
    pub last: Execution,
    /// The last that changed or created it.
    pub last_change: Option<Execution>,
}
