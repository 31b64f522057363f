//! What the events of a debug session say besides its document.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{DebugAuthor, DebugSessionId, TemplateRef, TemplateTally};

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
    /// So many failed attempts, and it is escalated; `None` where it was imported.
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
}
