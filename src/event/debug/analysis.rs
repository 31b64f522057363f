//! What was thought to be wrong.

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};

use super::{DebugAuthor, DebugSessionId};

/// What was thought to be wrong with the code of an attempt. A later one replaces it; one that annals
/// made never replaces a caller's.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct AnalysisRecorded {
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

/// What kind of mistake it is. Append-only: the position of a variant is its byte.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum RootCause {
    NullUndefinedAccess,
    TypeMismatch,
    MissingValidation,
    LogicError,
    OffByOne,
    RaceCondition,
    ResourceLeak,
    MissingErrorHandling,
    ApiMisuse,
    ConfigurationError,
    DependencyIssue,
    Other,
}

impl RootCause {
    /// Every one.
    pub const ALL: &'static [Self] = &[
        Self::NullUndefinedAccess,
        Self::TypeMismatch,
        Self::MissingValidation,
        Self::LogicError,
        Self::OffByOne,
        Self::RaceCondition,
        Self::ResourceLeak,
        Self::MissingErrorHandling,
        Self::ApiMisuse,
        Self::ConfigurationError,
        Self::DependencyIssue,
        Self::Other,
    ];

    /// The word in the document.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NullUndefinedAccess => "null_undefined_access",
            Self::TypeMismatch => "type_mismatch",
            Self::MissingValidation => "missing_validation",
            Self::LogicError => "logic_error",
            Self::OffByOne => "off_by_one",
            Self::RaceCondition => "race_condition",
            Self::ResourceLeak => "resource_leak",
            Self::MissingErrorHandling => "missing_error_handling",
            Self::ApiMisuse => "api_misuse",
            Self::ConfigurationError => "configuration_error",
            Self::DependencyIssue => "dependency_issue",
            Self::Other => "other",
        }
    }

    /// Reads the word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.as_str() == text)
    }
}
