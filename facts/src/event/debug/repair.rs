//! What was thought to be wrong, what was changed, and whether it helped.

use bincode::{Decode, Encode};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use super::DebugAuthor;
use crate::event::{DebugSessionId, words};

/// What was thought to be wrong with the code of an attempt. A later one replaces it; one that annals
/// made never replaces a caller's.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct AnalysisRecorded {
    #[serde(rename = "debug_session")]
    pub session: DebugSessionId,
    pub attempt: u32,
    pub by: DebugAuthor,
    pub analysis: Analysis,
}

/// What is wrong, and what is to be done about it.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize, Deserialize)]
pub struct Analysis {
    /// At least 20 characters, as [`Self::fix_strategy`].
    pub root_cause: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root_cause_category: Option<RootCause>,
    pub fix_strategy: String,
    /// 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Other failures of the same root cause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub related_failures: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similar_past_issues: Option<Vec<SimilarIssue>>,
}

/// An issue of another debug session that looks like this one.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode, Serialize, Deserialize)]
pub struct SimilarIssue {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What helped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<String>,
}

words! {
    /// What kind of mistake it is. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum RootCause {
        NullUndefinedAccess = "null_undefined_access",
        TypeMismatch = "type_mismatch",
        MissingValidation = "missing_validation",
        LogicError = "logic_error",
        OffByOne = "off_by_one",
        RaceCondition = "race_condition",
        ResourceLeak = "resource_leak",
        MissingErrorHandling = "missing_error_handling",
        ApiMisuse = "api_misuse",
        ConfigurationError = "configuration_error",
        DependencyIssue = "dependency_issue",
        Other = "other",
    }
}

/// Something was changed after an attempt, or is to be: one that annals proposes from a template is
/// pending until somebody applies it. A later one replaces it.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct FixApplied {
    #[serde(rename = "debug_session")]
    pub session: DebugSessionId,
    /// The attempt that it follows.
    pub attempt: u32,
    pub by: DebugAuthor,
    #[serde(rename = "fix_applied")]
    pub fix: Fix,
    /// The template that it was made from.
    #[serde(serialize_with = "template_or_null")]
    pub template: Option<TemplateRef>,
}

/// Whether a fix helped.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct FixVerified {
    #[serde(rename = "debug_session")]
    pub session: DebugSessionId,
    /// The attempt that the fix followed.
    pub attempt: u32,
    pub by: DebugAuthor,
    pub verification: Verification,
}

/// A template was tried in a debug session and worked or did not: one trial more of the pattern that it
/// belongs to. Told again of the same session and attempt, it corrects what was told before.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct TemplateTried {
    /// Where it was tried, and the attempt that the fix followed.
    #[serde(rename = "debug_session")]
    pub session: DebugSessionId,
    pub attempt: u32,
    #[serde(serialize_with = "template")]
    pub template: TemplateRef,
    pub worked: bool,
}

/// A template: the pattern of a session that has one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode, Serialize, Deserialize)]
pub struct TemplateRef {
    pub session: DebugSessionId,
    /// The pattern's name in that session.
    pub pattern: String,
}

/// What was changed.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize, Deserialize)]
pub struct Fix {
    pub description: String,
    /// `+5/-2 lines`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff_summary: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files_changed: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
}

words! {
    /// Whether a fix helped. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum Verification {
        Pending = "pending",
        Passed = "passed",
        Failed = "failed",
    }
}

/// A template as events tell it.
fn template<S: Serializer>(of: &TemplateRef, to: S) -> Result<S::Ok, S::Error> {
    let mut fields = to.serialize_struct("Template", 2)?;
    fields.serialize_field("debug_session", &of.session)?;
    fields.serialize_field("pattern", &of.pattern)?;
    fields.end()
}

fn template_or_null<S: Serializer>(of: &Option<TemplateRef>, to: S) -> Result<S::Ok, S::Error> {
    match of {
        Some(of) => template(of, to),
        None => to.serialize_none(),
    }
}
