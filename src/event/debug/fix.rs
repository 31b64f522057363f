//! What was changed, and whether it helped.

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};

use super::{DebugAuthor, DebugSessionId};

/// Something was changed after an attempt, or is to be: one that annals proposes from a template is
/// pending until somebody applies it. A later one replaces it.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct FixApplied {
    pub session: DebugSessionId,
    /// The attempt that it follows.
    pub attempt: u32,
    pub by: DebugAuthor,
    pub fix: Fix,
    /// The template that it was made from.
    pub template: Option<TemplateRef>,
}

/// Whether a fix helped.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct FixVerified {
    pub session: DebugSessionId,
    /// The attempt that the fix followed.
    pub attempt: u32,
    pub by: DebugAuthor,
    pub verification: Verification,
}

/// A template was tried in a debug session and worked or did not: one trial more of the pattern that it
/// belongs to. Told again of the same session and attempt, it corrects what was told before.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct TemplateTried {
    /// Where it was tried, and the attempt that the fix followed.
    pub session: DebugSessionId,
    pub attempt: u32,
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

/// Whether a fix helped. Append-only: the position of a variant is its byte.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Verification {
    Pending,
    Passed,
    Failed,
}

impl Verification {
    /// Every one.
    pub const ALL: &'static [Self] = &[Self::Pending, Self::Passed, Self::Failed];

    /// The word in the document.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Passed => "passed",
            Self::Failed => "failed",
        }
    }

    /// Reads the word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.as_str() == text)
    }
}
