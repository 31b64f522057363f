//! Spec 000's own code under its own names: record what a tool did, ask what happened.
//!
//! A tool works without this; recording is an add-on around it:
//!
//! ```no_run
//! use annals::execution_tools::ExecutionDb;
//! # fn splice_patch(_: &serde_json::Value) -> Result<(), annals::execution_tools::Error> { Ok(()) }
//! # let timestamp = 1_735_036_800_000_u64;
//! let args = serde_json::json!({
//!     "file": "src/lib.rs", "symbol": "foo", "kind": "fn", "with": "patches/foo.rs",
//! });
//! let execution_log = ExecutionDb::initialize(".".as_ref())?;
//!
//! let result = splice_patch(&args)?;
//! execution_log.record("splice_patch", &args, &result, &timestamp)?;
//! # Ok::<(), annals::execution_tools::Error>(())
//! ```
//!
//! What is recorded goes to the journal first and is kept from then on; `execution_log.db` and
//! `codegraph.db` are caught up before `record` returns. Where one of them cannot be, the record
//! stands, [`Recorded::lagging`] says so, and the next call heals it.

mod db;
mod execution;
mod query;
mod record;

#[cfg(test)]
mod tests;

pub use crate::event::{ExecutionId, Outcome};
pub use crate::execution::query::{
    Action, ChainStep, CodeGraph, ExecutionDetail, ExecutionQuery, ExecutionSummary, FileTouch,
    KIND_EXECUTION, PatternQuery, ResolutionQuery,
};
pub use crate::parse::check::diagnostic::Diagnostic;
pub use db::{EXECUTION_LOG_DB, Error, ExecutionDb, Result};
pub use execution::{ChangedFile, Execution, ToolOutcome, ToolResult};
pub use query::{
    CODEGRAPH_DB, Duration, EDGE_AFFECTED, EDGE_EXECUTED_ON, EDGE_PRODUCED, EDGE_REFERENCED,
    ExecutionFilter, query_executions,
};
pub use record::{Recorded, Recorder, record_execution};
