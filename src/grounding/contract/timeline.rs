//! Spec 001's timeline queries under the names that it has beside spec 000's.

use std::path::Path;

use crate::execution::contract::{ExecutionDb, Result};
use crate::grounding::timeline::{TIMELINE_ITEMS, record_timeline_read};
use crate::journal::clock;

pub use crate::grounding::timeline::{
    FailureLoop, FailureRecord, MemoryAnswer, MemoryQuery, TimelineBlock, TimelineEntry,
    TimelinePosition, TimelineScope,
};

/// Where a project stands: how many executions ended, which was the last, which step it is in.
///
/// ```
/// # let dir = tempfile::tempdir()?;
/// # let db_root = dir.path();
/// # annals::execution_tools::ExecutionDb::initialize(db_root)?;
/// use annals::execution_tools::{get_pending_failures, get_recent_timeline, get_timeline_position};
///
/// let position = get_timeline_position(db_root)?;
/// assert_eq!(position.total_executions, 0);
/// assert!(get_recent_timeline(db_root, 5)?.is_empty());
/// assert!(get_pending_failures(db_root)?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Where there is no project, or a store cannot be read.
pub fn get_timeline_position(db_root: &Path) -> Result<TimelinePosition> {
    let db = ExecutionDb::open(db_root)?;
    Ok(db.stores().get_timeline_position(TimelineScope::Project)?)
}

/// The last `n` executions, in the order in which they happened.
///
/// # Errors
/// As [`get_timeline_position`].
pub fn get_recent_timeline(db_root: &Path, n: usize) -> Result<Vec<TimelineEntry>> {
    let db = ExecutionDb::open(db_root)?;
    Ok(db.stores().get_recent_timeline(TimelineScope::Project, n)?)
}

/// What led up to an execution, in the order in which it happened: the ten before it.
///
/// # Errors
/// As [`get_timeline_position`]; and where there is no such execution.
pub fn get_preceding_context(db_root: &Path, before_id: i64) -> Result<Vec<TimelineEntry>> {
    let db = ExecutionDb::open(db_root)?;
    // There is no execution below 1, and the query says so.
    let before_id = u64::try_from(before_id).unwrap_or(0);
    let scope = TimelineScope::Project;
    Ok(db.stores().get_preceding_context(scope, before_id, TIMELINE_ITEMS)?)
}

/// Failures that no later success of the same tool on the same target has resolved, the newest
/// first.
///
/// # Errors
/// As [`get_timeline_position`].
pub fn get_pending_failures(db_root: &Path) -> Result<Vec<FailureRecord>> {
    let db = ExecutionDb::open(db_root)?;
    Ok(db.stores().get_pending_failures(TimelineScope::Project)?)
}

/// Asks of the whole project, in spec 001's notation, as the façade's default session; that it asked
/// is recorded: the read of the timeline that a change needs before it.
///
/// # Errors
/// As [`get_timeline_position`]; where the text is no query, or nothing can be recorded.
pub fn memory_query(db_root: &Path, query: &str) -> Result<MemoryAnswer> {
    let query = MemoryQuery { project: true, ..MemoryQuery::parse(query)? };
    ExecutionDb::open(db_root)?.memory_query(&query)
}

/// Spec 001's prompt: what was said, under what happened.
pub fn inject_timeline_context(prompt: &str, position: &TimelinePosition) -> String {
    position.before(prompt, clock::now_ms())
}

impl ExecutionDb {
    /// Asks about this session's timeline, of the stores caught up. That it asked is recorded, and is
    /// the read that a change of this session needs before it.
    ///
    /// # Errors
    /// Where a store cannot be read, the query names what does not exist, or nothing can be recorded.
    pub fn memory_query(&self, query: &MemoryQuery) -> Result<MemoryAnswer> {
        self.catch_up()?;
        let scope = TimelineScope::Session(self.session_id());
        let answer = self.stores().memory_query(query, scope)?;
        record_timeline_read(self.project(), self.session_id(), &answer, None)?;
        Ok(answer)
    }
}
