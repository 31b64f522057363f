//! How a debug session stands.

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};

/// How a debug session stands. Append-only: the position of a variant is its byte.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum DebugStatus {
    InProgress,
    /// The last attempt had no failure.
    Passed,
    /// Given up without one.
    Failed,
    /// As many attempts as the rules allow have failed: a person is to look.
    Escalated,
}

impl DebugStatus {
    /// Every one.
    pub const ALL: &'static [Self] =
        &[Self::InProgress, Self::Passed, Self::Failed, Self::Escalated];

    /// The word in the document.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InProgress => "in_progress",
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Escalated => "escalated",
        }
    }

    /// Reads the word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.as_str() == text)
    }
}
