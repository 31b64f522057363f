//! A test that failed.

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};

/// A test that failed in an attempt.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize, Deserialize)]
pub struct TestFailure {
    pub test_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_file: Option<String>,
    /// From 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_line: Option<i64>,
    pub error_type: ErrorType,
    pub error_message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack_trace: Option<String>,
    /// What an assertion wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_location: Option<SourceLocation>,
}

/// Where in the source the failure comes from.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode, Serialize, Deserialize)]
pub struct SourceLocation {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// From 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

/// What kind of error it is. Append-only: the position of a variant is its byte.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode, Serialize, Deserialize,
)]
pub enum ErrorType {
    AssertionError,
    TypeError,
    ReferenceError,
    SyntaxError,
    RuntimeError,
    TimeoutError,
    NetworkError,
    ValidationError,
    Other,
}

impl ErrorType {
    /// Every one.
    pub const ALL: &'static [Self] = &[
        Self::AssertionError,
        Self::TypeError,
        Self::ReferenceError,
        Self::SyntaxError,
        Self::RuntimeError,
        Self::TimeoutError,
        Self::NetworkError,
        Self::ValidationError,
        Self::Other,
    ];

    /// The word in the document.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AssertionError => "AssertionError",
            Self::TypeError => "TypeError",
            Self::ReferenceError => "ReferenceError",
            Self::SyntaxError => "SyntaxError",
            Self::RuntimeError => "RuntimeError",
            Self::TimeoutError => "TimeoutError",
            Self::NetworkError => "NetworkError",
            Self::ValidationError => "ValidationError",
            Self::Other => "Other",
        }
    }

    /// Reads the word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.as_str() == text)
    }
}
