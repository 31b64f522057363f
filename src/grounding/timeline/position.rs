//! Where a session, or a project, stands.

use super::TimelineEntry;
use crate::event::SessionId;

/// Where a session, or a project, stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimelinePosition {
    /// Of whom; `None`: of the whole project.
    pub session: Option<SessionId>,
    /// The last event that this knows of.
    pub through_sequence: u64,
    /// Executions that ended.
    pub total_executions: u64,
    /// The newest execution's ordinal.
    pub last_execution_id: Option<u64>,
    pub last_success: Option<u64>,
    pub last_failure: Option<u64>,
    /// Steps begun; where none was, mutations.
    pub current_step: u64,
    pub last_execution: Option<TimelineEntry>,
    /// When the timeline was last read, Unix milliseconds; `None`: never.
    pub last_query_ms: Option<u64>,
}
