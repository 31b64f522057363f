//! Where a session, or a project, stands, as a screen tells it.

use super::super::TuiError;
use crate::event::{Outcome, SessionId};
use crate::query::timeline::{FailureLoop, TimelineEntry, TimelinePosition};
use crate::query::{ExecutionSummary, LogFilter, Stores};

/// Where a session, or a project, stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    pub position: TimelinePosition,
    pub loops: Vec<FailureLoop>,
    /// Failures that no later success has resolved.
    pub pending: usize,
}

impl Standing {
    /// Of a session, or of the whole project.
    ///
    /// # Errors
    /// Where a store cannot be read.
    pub fn of(stores: &Stores, session: Option<SessionId>) -> Result<Self, TuiError> {
        let name = session.map(|id| id.to_string());
        let newest = |failed| -> Result<Option<ExecutionSummary>, TuiError> {
            let filter = LogFilter { last: 1, failed, session: name.clone(), ..Default::default() };
            Ok(stores.log(&filter)?.executions.pop())
        };
        let last = newest(false)?;
        let total = LogFilter { session: name.clone(), ..Default::default() };
        let position = TimelinePosition {
            session,
            total_executions: stores.log_count(&total)?,
            last_execution_id: last.as_ref().and_then(|row| row.ordinal),
            last_failure: newest(true)?.and_then(|row| row.ordinal),
            last_execution: last.map(entry),
            ..TimelinePosition::default()
        };
        Ok(Self { position, ..Self::default() })
    }
}

fn entry(row: ExecutionSummary) -> TimelineEntry {
    TimelineEntry {
        execution_id: row.ordinal,
        id: row.id,
        sequence: row.sequence,
        timestamp: row.at_ms,
        session: row.session,
        tool_name: row.tool,
        success: row.outcome == Some(Outcome::Ok),
        outcome: row.outcome,
        affected_path: row.target,
        error_summary: row.diagnostic.or(row.error),
    }
}
