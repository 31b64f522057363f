//! Facts about an agent's session, and its steps: turns of the agent, or what a workflow calls one.

use bincode::{Decode, Encode};
use serde::Serialize;

use super::{Attachment, Content, SessionId, wire, words};

/// A session began, or more became known of it: a later one fills what earlier ones left empty.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode, Serialize)]
pub struct SessionStarted {
    pub agent: String,
    /// The agent's own name for it.
    pub native_id: String,
    pub agent_version: Option<String>,
    pub model: Option<String>,
    pub parent: Option<SessionId>,
    pub cwd: Option<String>,
    pub branch: Option<String>,
    pub title: Option<String>,
}

/// A user, or another agent, asked for something.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct PromptSubmitted {
    pub text: Content,
    /// The transcript's own id of the record.
    pub native_id: Option<String>,
    /// Who was asked, where it was not the session's main agent.
    pub actor: Option<String>,
    /// What came with it.
    pub attachments: Vec<Attachment>,
}

/// A session ended.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct SessionEnded {
    pub reason: String,
}

/// The timeline block was given to a model (spec 001).
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct TimelineCheckpoint {
    pub through_sequence: u64,
    pub total_executions: u64,
    pub current_step: u64,
}

/// Other context was given to a model.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct ContextInjected {
    pub what: String,
    pub chars: u64,
    #[serde(serialize_with = "wire::hex")]
    pub digest: [u8; 32],
    /// The text itself.
    pub text: Content,
    /// Files in it that its use can be known by, from the root.
    pub files: Vec<String>,
}

/// An agent's hook ran.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct HookRan {
    pub agent: String,
    pub hook: String,
    pub outcome: String,
    pub duration_ms: Option<u64>,
}

/// Something in an agent's transcript could not become an execution, and is not to be forgotten.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct TranscriptFlawed {
    pub agent: String,
    /// The file's name as it was given, and the line in it, from 1.
    pub file: String,
    pub line: u64,
    pub flaw: TranscriptFlaw,
    /// Why, or the call's id.
    pub detail: String,
}

words! {
    /// What was wrong. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum TranscriptFlaw {
        /// The line, or a part of it, could not be read.
        Unreadable = "unreadable line",
        /// A result whose call no transcript has.
        ResultWithoutCall = "result without call",
        /// The line names a time that is none, or that cannot be: what it tells has its neighbour's.
        OddTime = "time that cannot be",
        /// A part of what the line tells could not be read; the rest of it was.
        PartUnread = "part not read",
    }
}

/// A step began.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct StepBegun {
    pub title: Option<String>,
}

/// A step ended: what happened between its two marks, told from the journal's own events.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct StepEnded {
    /// The sequence of its [`StepBegun`]; `None` where it was never marked.
    #[serde(rename = "began_sequence")]
    pub began: Option<u64>,
    pub executions: u64,
    pub failed: u64,
    pub refused: u64,
    pub mutations: u64,
    pub checks_passed: u64,
    /// Files that were changed, in order, each once.
    pub changed: Vec<String>,
    /// What is still to be done: pending failures, in one line each.
    pub follow_up: Vec<String>,
    /// All of it in a few lines.
    pub summary: String,
}
