//! Facts of debug memory (spec 002): a file under repair, the attempts at it, what was thought to be
//! wrong, what was changed, what was learnt.
//!
//! The records that the contract's schema names ([`TestResults`], [`TestFailure`], [`Analysis`],
//! [`Fix`], [`Learnings`] …) are the events' own and, by serde, the document's: one shape, and no
//! translation in between. A [`DebugDocument`] is what the events of one session come to.

mod analysis;
mod attempt;
mod details;
mod failure;
mod fix;
mod learning;
mod message;

use std::fmt;

use bincode::{Decode, Encode};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::{Builder, Uuid};

use crate::event::Json;

pub use analysis::{Analysis, AnalysisRecorded, RootCause, SimilarIssue};
pub use attempt::{AttemptRecorded, DebugEnvironment, TestResults};
pub use details::{DebugBeside, FixOrigin, TemplateTrial};
pub use failure::{ErrorType, SourceLocation, TestFailure};
pub use fix::{Fix, FixApplied, FixVerified, TemplateRef, TemplateTried, Verification};
pub use learning::{
    CodeQualityIssue, ErrorPattern, LearningExtracted, Learnings, RecurringFailure, Resolution,
    Severity, TemplateTally,
};
pub use message::normalised_message;

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

/// Work on what is wrong with a file began.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct DebugSessionOpened {
    pub session: DebugSessionId,
    /// The primary file, relative to the project's root with `/`, or as the caller gave it.
    pub file_path: String,
    /// So many failed attempts, and it is escalated: the rule in force when it was opened.
    pub attempts_max: u32,
    pub agent: Option<String>,
    pub task_id: Option<String>,
    /// The iteration of an agent's loop.
    pub ralph_iteration: Option<i64>,
}

/// How a session stands from now on.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct DebugSessionClosed {
    pub session: DebugSessionId,
    /// Any but `in_progress`. `passed` and `failed` are final; attempts may follow on `escalated`.
    pub status: DebugStatus,
    pub by: DebugAuthor,
    pub reason: Option<String>,
}

/// A session's document was kept as long as the rules say: it is in no store any more. The events stay.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct DebugSessionExpired {
    pub session: DebugSessionId,
    /// Its document's `updated_at`, Unix milliseconds, and the days that were to pass since.
    pub updated_ms: u64,
    pub days: u32,
    /// The file that it was archived in first, where it was.
    pub archived: Option<String>,
}

/// A whole document came from elsewhere. One that has the id already is replaced, and one that has expired
/// is there again.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct DebugSessionImported {
    pub session: DebugSessionId,
    /// What the document called itself, where that was no UUID.
    pub native_id: Option<String>,
    /// The document, as it came but for its `session_id`.
    pub document: Json,
}

/// Identifies one debug session. UUID v7 where we make it (ruling 15); any UUID is accepted.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode, Serialize, Deserialize,
)]
#[serde(try_from = "String", into = "String")]
pub struct DebugSessionId(pub [u8; 16]);

impl DebugSessionId {
    /// A v7 UUID of this moment and these ten random bytes.
    pub fn v7(at_ms: u64, entropy: &[u8; 10]) -> Self {
        Self(Builder::from_unix_timestamp_millis(at_ms, entropy).into_uuid().into_bytes())
    }

    /// A v8 UUID of sixteen derived bytes: what is found again by what it was made of.
    pub fn derived(bytes: [u8; 16]) -> Self {
        Self(Builder::from_custom_bytes(bytes).into_uuid().into_bytes())
    }

    /// Reads any hyphenated UUID.
    pub fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(|uuid| Self(uuid.into_bytes()))
    }
}

impl fmt::Display for DebugSessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Uuid::from_bytes(self.0).hyphenated().fmt(f)
    }
}

impl From<DebugSessionId> for String {
    fn from(id: DebugSessionId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for DebugSessionId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("no UUID")
    }
}

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

/// Who said so. Append-only: the position of a variant is its byte.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum DebugAuthor {
    /// annals, by its rules, from what it had recorded.
    Annals,
    /// Whoever recorded it: a person, an agent.
    Caller,
}

impl DebugAuthor {
    /// Every one.
    pub const ALL: &'static [Self] = &[Self::Annals, Self::Caller];

    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Annals => "annals",
            Self::Caller => "caller",
        }
    }
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
