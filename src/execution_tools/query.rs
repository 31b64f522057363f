//! Asking what was recorded.

use super::{ExecutionDb, ExecutionDetail, ExecutionSummary, Result};
use crate::query::{LogFilter, Reference};

/// Which executions are asked for; the default is the newest 20.
pub type ExecutionFilter = LogFilter;

/// The executions that a filter lets through, in order of time, then sequence.
///
/// ```
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path();
/// use annals::execution_tools::{ExecutionDb, ExecutionFilter, query_executions};
///
/// let db = ExecutionDb::initialize(path)?;
/// let failed = ExecutionFilter { failed: true, ..ExecutionFilter::default() };
/// assert!(query_executions(&db, &failed)?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Where a store cannot be read.
pub fn query_executions(
    db: &ExecutionDb,
    filter: &ExecutionFilter,
) -> Result<Vec<ExecutionSummary>> {
    Ok(db.stores().log(filter)?.executions)
}

impl ExecutionDb {
    /// One execution whole: arguments, artifacts, paths.
    ///
    /// # Errors
    /// Where the reference names none, or several.
    pub fn execution(&self, reference: &str) -> Result<ExecutionDetail> {
        Ok(self.stores().show(&Reference::parse(reference)?)?)
    }
}
