//! The graph of what executions did to the code (spec 000 §2).

use super::{ExecutionDb, Result};
use crate::execution::query::{CodeGraph, EdgeType};

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
