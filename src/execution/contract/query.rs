//! Asking what was recorded.

use std::time;

use super::{ExecutionDb, Result};
use crate::execution::query::{
    Action, CodeGraph, EdgeType, ExecutionDetail, ExecutionQuery, ExecutionSummary, LogFilter,
    PatternQuery, Reference, ResolutionQuery,
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

/// A span of time: `Duration::days(7)`. Anything that [`std::time::Duration`] says goes as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duration(time::Duration);

impl Duration {
    /// So many days of 24 hours.
    pub const fn days(days: u64) -> Self {
        Self::hours(days.saturating_mul(24))
    }

    pub const fn hours(hours: u64) -> Self {
        Self::minutes(hours.saturating_mul(60))
    }

    pub const fn minutes(minutes: u64) -> Self {
        Self::seconds(minutes.saturating_mul(60))
    }

    pub const fn seconds(seconds: u64) -> Self {
        Self(time::Duration::from_secs(seconds))
    }
}

impl From<Duration> for time::Duration {
    fn from(duration: Duration) -> Self {
        duration.0
    }
}

impl From<time::Duration> for Duration {
    fn from(duration: time::Duration) -> Self {
        Self(duration)
    }
}

/// The graph's file, in the project's root, which magellan shares.
pub const CODEGRAPH_DB: &str = "codegraph.db";

/// execution → file
pub const EDGE_EXECUTED_ON: &str = EdgeType::ExecutedOn.as_str();
/// execution → file that it changed
pub const EDGE_AFFECTED: &str = EdgeType::Affected.as_str();
/// execution → diagnostic
pub const EDGE_PRODUCED: &str = EdgeType::Produced.as_str();
/// execution → symbol
pub const EDGE_REFERENCED: &str = EdgeType::Referenced.as_str();

impl ExecutionDb {
    /// The graph, open for questions. It is there from the first recorded execution on.
    ///
    /// ```
    /// # let dir = tempfile::tempdir()?;
    /// # let path = dir.path();
    /// # use annals::execution_tools::{Diagnostic, ExecutionDb, ToolOutcome};
    /// # let execution_log = ExecutionDb::initialize(path)?;
    /// # let args = serde_json::json!({"file": "src/lib.rs", "symbol": "foo"});
    /// # let timestamp = 1_735_036_800_000;
    /// # let patched = execution_log.record("splice_patch", &args, &(), &timestamp)?;
    /// # let execution_id = patched.execution_id;
    /// # let error = Diagnostic {
    /// #     level: "error".into(), message: "m".into(), file_name: Some("src/lib.rs".into()),
    /// #     line_start: Some(1), code: Some("E0425".into()),
    /// # };
    /// # let check = ToolOutcome { diagnostics: vec![error], ..ToolOutcome::failed("E0425") };
    /// # execution_log.record("lsp_check", &serde_json::json!({"path": "."}), &check, &timestamp)?;
    /// # let diagnostic_id = "E0425";
    /// let graph_db = execution_log.graph_db()?;
    ///
    /// // What operations affected this symbol before error?
    /// let operations = graph_db
    ///     .execution_chain_affecting_symbol("foo")
    ///     .before_diagnostic(diagnostic_id)
    ///     .fetch()?;
    /// assert_eq!(operations.items[0].execution.execution_id, execution_id);
    ///
    /// // What files were touched by this operation?
    /// let affected_files = graph_db.files_touched_by_execution(execution_id)?;
    /// assert_eq!(affected_files[0].path, "src/lib.rs");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Where nothing is recorded yet, or what lies there is no graph.
    pub fn graph_db(&self) -> Result<CodeGraph> {
        Ok(CodeGraph::open(self.code_graph_path())?)
    }
}
