//! The timeline, as `timeline` and `tool memory_query` print it.

use serde::Serialize;

use crate::event::Outcome;
use crate::grounding::timeline as told;
use crate::output::time;

/// What a memory query answers; what was not asked for is `null` or empty.
#[derive(Clone, Debug, Serialize)]
pub struct Timeline {
    pub journal: Option<String>,
    /// Whose it is; `null`: the whole project's.
    pub session: Option<String>,
    /// As it was understood, in spec 001's notation.
    pub query: String,
    /// The last event that this knows of.
    pub through_sequence: u64,
    pub position: Option<TimelinePosition>,
    /// The oldest first.
    pub executions: Vec<TimelineEntry>,
    /// There are more than were asked for, or looked through.
    pub more: bool,
    /// Failures that no later success of the same tool on the same target resolved, the newest
    /// first.
    pub pending_failures: Vec<TimelineFailure>,
    pub failure_loops: Vec<TimelineLoop>,
    /// The block of text that a model is given, where it was asked for.
    pub block: Option<String>,
}

/// Where a session, or the project, stands.
#[derive(Clone, Debug, Serialize)]
pub struct TimelinePosition {
    /// Steps begun; where none was, changes.
    pub current_step: u64,
    pub total_executions: u64,
    /// Ordinals.
    pub last_execution_id: Option<u64>,
    pub last_success: Option<u64>,
    pub last_failure: Option<u64>,
    pub last_execution: Option<TimelineEntry>,
    /// When the timeline was last read, UTC.
    pub last_query: Option<String>,
    pub time_since_last_query_ms: Option<u64>,
}

/// One execution on the timeline.
#[derive(Clone, Debug, Serialize)]
pub struct TimelineEntry {
    /// Its ordinal, the `142` of `#142`; `null` where its tool is undeclared.
    pub id: Option<u64>,
    pub execution: String,
    pub sequence: u64,
    /// When it ended: Unix milliseconds, and UTC.
    pub timestamp: u64,
    pub at: Option<String>,
    pub session: Option<String>,
    pub tool: String,
    /// What it was about: a path, a symbol, a command.
    pub path: Option<String>,
    pub success: bool,
    /// `ok`, `failed`, `refused` or `interrupted`.
    pub outcome: String,
    /// Its first diagnostic in one line, else its error.
    pub error: Option<String>,
}

/// A failure that is still to be mended.
#[derive(Clone, Debug, Serialize)]
pub struct TimelineFailure {
    #[serde(flatten)]
    pub execution: TimelineEntry,
    /// How often it failed since it last succeeded.
    pub failures: u64,
    /// When the first of these was, UTC.
    pub since: Option<String>,
}

/// The same failure again and again.
#[derive(Clone, Debug, Serialize)]
pub struct TimelineLoop {
    #[serde(flatten)]
    pub execution: TimelineEntry,
    /// How many in a row, with this diagnostic.
    pub failures: u64,
    /// Ordinals, the oldest first; of many, the newest few.
    pub executions: Vec<u64>,
}

impl Timeline {
    /// An answer as of `now_ms`.
    pub fn of(answer: &told::MemoryAnswer, scope: told::TimelineScope, now_ms: u64) -> Self {
        let position = answer.position.as_ref();
        Self {
            journal: None,
            session: scope.session().map(|id| id.to_string()),
            query: answer.query.clone(),
            through_sequence: answer.through_sequence,
            position: position.map(|position| TimelinePosition::of(position, now_ms)),
            executions: answer.executions.iter().map(TimelineEntry::of).collect(),
            more: answer.more,
            pending_failures: answer.pending.iter().map(TimelineFailure::of).collect(),
            failure_loops: answer.loops.iter().map(TimelineLoop::of).collect(),
            block: None,
        }
    }
}

impl TimelinePosition {
    /// A position as of `now_ms`.
    pub fn of(position: &told::TimelinePosition, now_ms: u64) -> Self {
        Self {
            current_step: position.current_step,
            total_executions: position.total_executions,
            last_execution_id: position.last_execution_id,
            last_success: position.last_success,
            last_failure: position.last_failure,
            last_execution: position.last_execution.as_ref().map(TimelineEntry::of),
            last_query: position.last_query_ms.and_then(time::utc),
            time_since_last_query_ms: position.time_since_last_query_ms(now_ms),
        }
    }
}

impl TimelineEntry {
    pub fn of(entry: &told::TimelineEntry) -> Self {
        Self {
            id: entry.execution_id,
            execution: entry.id.to_string(),
            sequence: entry.sequence,
            timestamp: entry.timestamp,
            at: time::utc(entry.timestamp),
            session: entry.session.map(|id| id.to_string()),
            tool: entry.tool_name.clone(),
            path: entry.affected_path.clone(),
            success: entry.success,
            outcome: entry.outcome.map_or("open", Outcome::as_str).to_owned(),
            error: entry.error_summary.clone(),
        }
    }
}

impl TimelineFailure {
    pub fn of(failure: &told::FailureRecord) -> Self {
        let execution = TimelineEntry::of(&failure.execution);
        Self { execution, failures: failure.failures, since: time::utc(failure.since_ms) }
    }
}

impl TimelineLoop {
    pub fn of(found: &told::FailureLoop) -> Self {
        let executions = found.executions.clone();
        Self {
            execution: TimelineEntry::of(&found.execution),
            failures: found.failures,
            executions,
        }
    }
}
