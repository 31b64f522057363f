//! What was learnt.

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};

use super::DebugAuthor;
use crate::event::{DebugSessionId, words};

/// Something was learnt in a session. Patterns are found by their name, recurring failures by their test,
/// quality issues by issue and location: what is told again replaces what was told before. Once a caller has
/// told patterns, none that annals works out is taken; those that it had worked out before stay, but for
/// one of the same name.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct LearningExtracted {
    #[serde(rename = "debug_session")]
    pub session: DebugSessionId,
    pub by: DebugAuthor,
    pub learnings: Learnings,
    /// Trials of the patterns' templates so far.
    pub tallies: Vec<TemplateTally>,
}

/// How often a template was tried and how often it worked.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
pub struct TemplateTally {
    pub pattern: String,
    pub successes: u64,
    /// At least as many.
    pub trials: u64,
}

/// What was learnt.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode, Serialize, Deserialize)]
pub struct Learnings {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patterns_identified: Option<Vec<ErrorPattern>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recurring_failures: Option<Vec<RecurringFailure>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_quality_issues: Option<Vec<CodeQualityIssue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recommendations: Option<Vec<String>>,
}

/// A pattern of errors, and what helps against it.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize, Deserialize)]
pub struct ErrorPattern {
    pub pattern: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// How often it was seen, from 1.
    pub frequency: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix_template: Option<String>,
    /// 0 to 1: of the trials of the template so many worked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effectiveness: Option<f64>,
}

/// A test that failed more than once.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode, Serialize, Deserialize)]
pub struct RecurringFailure {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occurrences: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<Resolution>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

/// Something about the code that is not as it should be.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode, Serialize, Deserialize)]
pub struct CodeQualityIssue {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub addressed: Option<bool>,
}

words! {
    /// What became of a recurring failure. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum Resolution {
        Resolved = "resolved",
        Pending = "pending",
        WontFix = "wont_fix",
        Escalated = "escalated",
    }
}

words! {
    /// How bad it is. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum Severity {
        Critical = "critical",
        Major = "major",
        Minor = "minor",
    }
}
