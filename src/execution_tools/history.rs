//! Spec 000's historical questions under its own names.

use std::time;

use super::{ExecutionDb, Result};
use crate::command::clock;
use crate::query::{Action, ExecutionQuery, PatternQuery, RecentFailures, ResolutionQuery};

/// The contract's questions. Each is narrowed by its methods and asked by `fetch`:
///
/// ```
/// # let dir = tempfile::tempdir()?;
/// # let (start_time, repo_path) = (0, dir.path());
/// use annals::execution_tools::{Action, Duration, Error, ExecutionDb};
///
/// let execution_log = ExecutionDb::initialize(dir.path())?;
///
/// // Has this splice pattern failed before?
/// let failures = execution_log
///     .failed_executions("splice_patch")
///     .with_symbol("foo")
///     .with_file("src/lib.rs")
///     .fetch()?;
///
/// // Which edits caused E0425 historically?
/// let error_causes = execution_log
///     .executions_producing_diagnostic("E0425")
///     .after_timestamp(start_time)
///     .fetch()?;
///
/// // Which fixes resolved error X in this repo?
/// let successful_fixes = execution_log
///     .executions_resolving_error("E0425")
///     .with_success(true)
///     .fetch()?;
///
/// // Is this action a known antipattern?
/// let proposed_action = Action::with("splice_patch", r#"{"symbol":"foo"}"#)?;
/// let antipatterns = execution_log
///     .pattern_match(&proposed_action)
///     .filter_failure_rate_threshold(0.7)
///     .fetch()?;
///
/// // Enforce: don't repeat a failed approach
/// let enforce = || {
///     if execution_log.has_failed_recently(&proposed_action, Duration::days(7))? {
///         return Err(Error::KnownAntiPattern);
///     }
///     Ok(())
/// };
/// enforce()?;
///
/// // Enforce: only use proven approaches for this error
/// let proven_fixes = execution_log
///     .successful_resolutions_for_error("E0425")
///     .in_repository(repo_path)
///     .fetch()?;
/// # assert!(failures.items.is_empty() && error_causes.items.is_empty());
/// # assert!(successful_fixes.items.is_empty() && proven_fixes.items.is_empty());
/// # assert!(antipatterns.items.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl ExecutionDb {
    /// Executions of a tool that ran and failed (refused is not failed).
    pub fn failed_executions(&self, tool: &str) -> ExecutionQuery<'_> {
        self.stores().failed_executions(tool)
    }

    /// Executions with a diagnostic of this code.
    pub fn executions_producing_diagnostic(&self, code: &str) -> ExecutionQuery<'_> {
        self.stores().executions_producing_diagnostic(code)
    }

    /// Checks after which a diagnostic of this code was gone, with what changed in between.
    pub fn executions_resolving_error(&self, code: &str) -> ResolutionQuery<'_> {
        self.stores().executions_resolving_error(code)
    }

    /// The same where the check succeeded.
    pub fn successful_resolutions_for_error(&self, code: &str) -> ResolutionQuery<'_> {
        self.stores().successful_resolutions_for_error(code)
    }

    /// How often the same tool was used on the same target, and how often it failed.
    pub fn pattern_match(&self, action: &Action) -> PatternQuery<'_> {
        self.stores().pattern_match(action)
    }

    /// Whether the newest execution of the same tool with the same arguments failed, within this
    /// time before now.
    ///
    /// # Errors
    /// Where a store cannot be read.
    pub fn has_failed_recently(
        &self,
        action: &Action,
        within: impl Into<time::Duration>,
    ) -> Result<bool> {
        Ok(self.recent_failures(action, within)?.is_some())
    }

    /// The executions that [`Self::has_failed_recently`] rests on.
    ///
    /// # Errors
    /// Where a store cannot be read.
    pub fn recent_failures(
        &self,
        action: &Action,
        within: impl Into<time::Duration>,
    ) -> Result<Option<RecentFailures>> {
        Ok(self.stores().recent_failures(action, within.into(), clock::now_ms())?)
    }
}
