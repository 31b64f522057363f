//! Debug memory (spec 002). What the contract's schema names has its names.

mod result;

use serde::Serialize;

use crate::debug::query;
use crate::event::{Analysis, DebugDocument, Fix, TestFailure};
use crate::output::time;

pub use result::{
    DebugAttempt, DebugClosed, DebugDone, DebugExpired, DebugImported, DebugInferred,
    DebugValidated,
};

/// A debug session in a list.
#[derive(Clone, Debug, Serialize)]
pub struct DebugSession {
    /// Which of several journals it is in; `null` where one was asked.
    pub journal: Option<String>,
    pub session_id: String,
    /// What an imported document called itself, where that was no UUID.
    pub native_id: Option<String>,
    pub file_path: String,
    pub status: &'static str,
    pub created_at: Option<String>,
    pub updated_at: Option<String>,
    pub attempts: u64,
    /// Of those, in which something failed.
    pub attempts_failed: u64,
    /// How many patterns were learnt in it.
    pub patterns: u64,
    pub agent: Option<String>,
    pub task_id: Option<String>,
    /// The last event that changed it.
    pub sequence: u64,
}

/// A failure of another session that looks like one that is asked about.
#[derive(Clone, Debug, Serialize)]
pub struct DebugSimilar {
    pub journal: Option<String>,
    pub session_id: String,
    pub file_path: String,
    pub status: &'static str,
    pub updated_at: Option<String>,
    /// The attempt that it was last seen in.
    pub attempt: u32,
    /// Up to `score_max`.
    pub score: u32,
    pub score_max: u32,
    /// What makes it like the one that is asked about: `same error type`, `same message` …
    pub because: Vec<&'static str>,
    pub failure: TestFailure,
    /// What helped; `null` where nothing has yet.
    pub resolution: Option<DebugResolution>,
}

/// What helped against a failure.
#[derive(Clone, Debug, Serialize)]
pub struct DebugResolution {
    pub fix: Option<Fix>,
    pub analysis: Option<Analysis>,
}

/// A pattern of errors with a template that helps.
#[derive(Clone, Debug, Serialize)]
pub struct DebugTemplate {
    pub journal: Option<String>,
    pub session_id: String,
    pub file_path: String,
    pub pattern: String,
    pub category: Option<String>,
    pub frequency: u64,
    pub fix_template: Option<String>,
    pub effectiveness: Option<f64>,
    /// Of so many trials so many worked; `null` where nobody counted them.
    pub successes: Option<u64>,
    pub trials: Option<u64>,
}

/// A document in a list of several journals'.
#[derive(Clone, Debug, Serialize)]
pub struct DebugShown {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<String>,
    #[serde(flatten)]
    pub document: DebugDocument,
}

impl DebugSession {
    pub fn of(it: query::DebugSession, journal: Option<&str>) -> Self {
        Self {
            journal: journal.map(str::to_owned),
            session_id: it.id.to_string(),
            native_id: it.native_id,
            file_path: it.file_path,
            status: it.status.as_str(),
            created_at: time::utc(it.created_ms),
            updated_at: time::utc(it.updated_ms),
            attempts: it.attempts,
            attempts_failed: it.attempts_failed,
            patterns: it.patterns,
            agent: it.agent,
            task_id: it.task_id,
            sequence: it.last.0,
        }
    }
}

impl DebugSimilar {
    pub fn of(it: query::Similar, journal: Option<&str>) -> Self {
        let score = it.score();
        Self {
            journal: journal.map(str::to_owned),
            session_id: it.session.id.to_string(),
            file_path: it.session.file_path,
            status: it.session.status.as_str(),
            updated_at: time::utc(it.session.updated_ms),
            attempt: it.attempt,
            score,
            score_max: query::SCORE_MAX,
            because: it.likeness.reasons(),
            failure: it.failure,
            resolution: it
                .resolution
                .map(|it| DebugResolution { fix: it.fix, analysis: it.analysis }),
        }
    }
}

impl DebugTemplate {
    pub fn of(it: query::FixTemplate, journal: Option<&str>) -> Self {
        let (successes, trials) = it.tally.unzip();
        Self {
            journal: journal.map(str::to_owned),
            session_id: it.session.to_string(),
            file_path: it.file_path,
            pattern: it.pattern,
            category: it.category,
            frequency: it.frequency,
            fix_template: it.fix_template,
            effectiveness: it.effectiveness,
            successes,
            trials,
        }
    }
}
