//! What the events of a debug session come to: the contract's document, and what they say besides.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    Analysis, DebugAuthor, DebugEnvironment, DebugStatus, Fix, Learnings, TemplateRef,
    TemplateTally, TestFailure, TestResults,
};
use crate::event::DebugSessionId;

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

/// What the events of a debug session say besides its document: of this the schema has nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DebugBeside {
    /// When it began, Unix milliseconds.
    pub created_ms: u64,
    /// The document's `updated_at`, Unix milliseconds.
    pub updated_ms: u64,
    /// The sequence of the event that began it.
    pub first_seq: u64,
    /// Of the last one that changed it.
    pub last_seq: u64,
    /// Escalate after this many failed attempts; `None` where it was imported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempts_max: Option<u32>,
    /// What an imported document called itself, where that was no UUID.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native_id: Option<String>,
    /// Trials of the patterns' templates, in order of the patterns' names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tallies: Vec<TemplateTally>,
    /// The recorded executions of attempts: UUIDs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub executions: BTreeMap<u32, String>,
    /// Attempts whose analysis is a caller's.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub analyses_told: BTreeSet<u32>,
    /// Where the fixes of attempts come from.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fixes: BTreeMap<u32, FixOrigin>,
    /// Whether a caller has told patterns: then annals adds none.
    #[serde(default)]
    pub patterns_told: bool,
    /// Whether it was ever escalated: then it is kept as long as one that is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub escalated: bool,
    /// Trials of its patterns' templates, those told last at the end: of one fix the last verdict counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trials: Vec<TemplateTrial>,
}

/// A trial of a template that was counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateTrial {
    pub pattern: String,
    /// Where it was tried, and the attempt that the fix followed.
    pub session: DebugSessionId,
    pub attempt: u32,
    pub worked: bool,
}

/// Where a fix comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixOrigin {
    pub by: DebugAuthor,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<TemplateRef>,
    /// Whether the template's trial was counted.
    #[serde(default)]
    pub tried: bool,
    /// And whether it worked, as it was told last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worked: Option<bool>,
    /// Whether a caller said last that it did not help.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refuted: bool,
}

/// A moment near the last that has such a form, 9999-12-30T21:59:59.999Z: what is later is told as this.
const LAST_MS: i64 = 253_402_207_199_999;

/// Unix milliseconds as the document has them: `2026-11-22T10:41:51.123Z`.
pub fn debug_time(at_ms: u64) -> String {
    let at_ms = i64::try_from(at_ms).unwrap_or(LAST_MS).min(LAST_MS);
    let at = Timestamp::from_millisecond(at_ms).unwrap_or_default();
    format!("{at:.3}")
}

/// A document's time as Unix milliseconds; `None` where it is no RFC 3339 time from 1970 on.
pub fn debug_ms(text: &str) -> Option<u64> {
    let at: Timestamp = text.parse().ok()?; // whoever asks says what it must be
    u64::try_from(at.as_millisecond()).ok() // none before 1970
}
