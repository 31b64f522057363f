//! Facts of debug memory (spec 002): a file under repair, the attempts at it, what was thought to be
//! wrong, what was changed, what was learnt.
//!
//! The records that the contract's schema names ([`TestResults`], [`TestFailure`], [`Analysis`],
//! [`Fix`], [`Learnings`] …) are the events' own and, by serde, the document's: one shape, and no
//! translation in between. A [`DebugDocument`] is what the events of one session come to.

mod attempt;
mod document;
mod failure;
mod learning;
mod repair;

use bincode::{Decode, Encode};
use serde::Serialize;

use crate::event::{DebugSessionId, Json, wire, words};

pub use attempt::*;
pub use document::*;
pub use failure::*;
pub use learning::*;
pub use repair::*;

/// Work on what is wrong with a file began.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct DebugSessionOpened {
    #[serde(rename = "debug_session")]
    pub session: DebugSessionId,
    /// The primary file, relative to the project's root with `/`, or as the caller gave it.
    pub file_path: String,
    /// Escalate after this many failed attempts: the rule in force when it was opened.
    pub attempts_max: u32,
    pub agent: Option<String>,
    pub task_id: Option<String>,
    /// The iteration of an agent's loop.
    pub ralph_iteration: Option<i64>,
}

/// How a session stands from now on.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct DebugSessionClosed {
    #[serde(rename = "debug_session")]
    pub session: DebugSessionId,
    /// Any but `in_progress`. `passed` and `failed` are final; attempts may follow on `escalated`.
    pub status: DebugStatus,
    pub by: DebugAuthor,
    pub reason: Option<String>,
}

/// A session's document was kept as long as the rules say: it is in no store any more. The events stay.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct DebugSessionExpired {
    #[serde(rename = "debug_session")]
    pub session: DebugSessionId,
    /// Its document's `updated_at`, Unix milliseconds, and the days that were to pass since.
    #[serde(rename = "updated", serialize_with = "wire::utc")]
    pub updated_ms: u64,
    pub days: u32,
    /// The file that it was archived in first, where it was.
    pub archived: Option<String>,
}

/// A whole document came from elsewhere. One that has the id already is replaced, and one that has expired
/// is there again.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct DebugSessionImported {
    #[serde(rename = "debug_session")]
    pub session: DebugSessionId,
    /// What the document called itself, where that was no UUID.
    pub native_id: Option<String>,
    /// The document, as it came but for its `session_id`.
    pub document: Json,
}

words! {
    /// How a debug session stands. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum DebugStatus {
        InProgress = "in_progress",
        /// The last attempt had no failure.
        Passed = "passed",
        /// Given up without one.
        Failed = "failed",
        /// As many attempts as the rules allow have failed: a person is to look.
        Escalated = "escalated",
    }
}

words! {
    /// Who said so. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum DebugAuthor {
        /// annals, by its rules, from what it had recorded.
        Annals = "annals",
        /// Whoever recorded it: a person, an agent.
        Caller = "caller",
    }
}
