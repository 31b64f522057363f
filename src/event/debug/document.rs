//! What the events of a debug session come to: the contract's document (spec 002).

use serde::{Deserialize, Serialize};

use super::{Analysis, DebugEnvironment, DebugStatus, Fix, Learnings, TestFailure, TestResults};

/// A debug session as the contract's schema has it. Its members stand in the schema's order; those that
/// are not known are left out. Times are RFC 3339, UTC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DebugDocument {
    pub session_id: String,
    pub file_path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<DebugStatus>,
    pub executions: Vec<DebugExecution>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learnings: Option<Learnings>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<DebugMetadata>,
}

/// One attempt: the schema's `Execution`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DebugExecution {
    /// From 1.
    pub attempt: u32,
    pub timestamp: String,
    pub code_hash: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_snapshot: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<DebugEnvironment>,
    pub test_results: TestResults,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failures: Option<Vec<TestFailure>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Analysis>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix_applied: Option<Fix>,
}

/// Whose work it was.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DebugMetadata {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ralph_iteration: Option<i64>,
}
