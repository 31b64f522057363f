//! Asking what was recorded.

use super::{Duration, ExecutionDb, Result};
use crate::execution::query::{
    Action, ExecutionDetail, ExecutionQuery, ExecutionSummary, LogFilter, PatternQuery, Reference,
    ResolutionQuery,
};
use crate::journal::clock;

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

/// The contract's evidence-based questions; each builder ends in `fetch()?`.
///
/// ```
/// # use annals::execution_tools::{Action, Duration, Error, ExecutionDb, ToolOutcome};
/// # let dir = tempfile::tempdir().unwrap();
/// # let repo_path = dir.path();
/// # let start_time = 0;
/// # let execution_log = ExecutionDb::initialize(dir.path())?;
/// // Has this splice pattern failed before?
/// let failures = execution_log
///     .failed_executions("splice_patch")
///     .with_symbol("foo")
///     .with_file("src/lib.rs");
///
/// // Which edits caused E0425 historically?
/// let error_causes = execution_log
///     .executions_producing_diagnostic("E0425")
///     .after_timestamp(start_time);
///
/// // Which fixes resolved error X in this repo?
/// let successful_fixes = execution_log
///     .executions_resolving_error("E0425")
///     .with_success(true);
///
/// // Is this action a known antipattern?
/// let current_action = Action::with("splice_patch", r#"{"file":"src/lib.rs","symbol":"foo"}"#)?;
/// let antipatterns = execution_log
///     .pattern_match(&current_action)
///     .filter_failure_rate_threshold(0.7);
///
/// // Enforce: Only use proven approaches for this error
/// let proven_fixes = execution_log
///     .successful_resolutions_for_error("E0425")
///     .in_repository(repo_path);
/// # assert!(failures.fetch()?.items.is_empty());
/// # assert!(error_causes.fetch()?.items.is_empty());
/// # assert!(successful_fixes.fetch()?.items.is_empty());
/// # assert!(antipatterns.fetch()?.items.is_empty());
/// # assert!(proven_fixes.fetch()?.items.is_empty());
///
/// // Enforce: Don't repeat failed approach
/// # let proposed_action = current_action;
/// # fn guard(execution_log: &ExecutionDb, proposed_action: Action) -> Result<(), Error> {
/// if execution_log.has_failed_recently(&proposed_action, Duration::days(7))? {
///     return Err(Error::KnownAntiPattern);
/// }
/// # Ok(())
/// # }
/// # guard(&execution_log, proposed_action)?;
/// # Ok::<(), Error>(())
/// ```
impl ExecutionDb {
    /// Executions of a tool that ran and failed (refused is not failed).
    pub fn failed_executions(&self, tool: &str) -> ExecutionQuery<'_> {
        self.stores().failed_executions(tool)
    }

    /// Executions with a diagnostic of this code; of those without a code, of this level.
    pub fn executions_producing_diagnostic(&self, code: &str) -> ExecutionQuery<'_> {
        self.stores().executions_producing_diagnostic(code)
    }

    /// Checks after which a diagnostic of this code was gone, with what changed before them: an order
    /// in time, not a proof.
    pub fn executions_resolving_error(&self, code: &str) -> ResolutionQuery<'_> {
        self.stores().executions_resolving_error(code)
    }

    /// The same where the check succeeded.
    pub fn successful_resolutions_for_error(&self, code: &str) -> ResolutionQuery<'_> {
        self.stores().successful_resolutions_for_error(code)
    }

    /// How often the same was tried, and how often it failed.
    pub fn pattern_match(&self, action: &Action) -> PatternQuery<'_> {
        self.stores().pattern_match(action)
    }

    /// Whether the newest execution of the same tool with the same arguments failed, and not longer
    /// ago than that.
    ///
    /// # Errors
    /// Where a store cannot be read.
    pub fn has_failed_recently(
        &self,
        action: &Action,
        within: impl Into<Duration>,
    ) -> Result<bool> {
        let within: Duration = within.into();
        Ok(self.stores().has_failed_recently(action, within.into(), clock::now_ms())?)
    }
}
