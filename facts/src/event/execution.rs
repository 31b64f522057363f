//! Executions: what a tool was asked, and how it ended.

use bincode::{Decode, Encode};
use serde::Serialize;

use super::{Content, ExecutionId, Json, OrderId, words};

/// A tool was called.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode, Serialize)]
pub struct ExecutionStarted {
    pub execution: ExecutionId,
    /// The contract's name of the tool.
    pub tool: String,
    /// The agent's own name of it, where it differs.
    pub native_tool: Option<String>,
    pub call: Option<CallKey>,
    /// The subagent that called, where it was not the session's main agent.
    pub actor: Option<String>,
    /// The execution that this one ran inside (a subagent's task).
    pub parent: Option<ExecutionId>,
    /// A JSON object.
    pub arguments: Json,
    pub paths: Vec<String>,
    pub symbols: Vec<String>,
    pub cwd: Option<String>,
    pub branch: Option<String>,
}

/// How a call ended; shared by the events that close one.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct Closing {
    pub outcome: Outcome,
    pub exit_code: Option<i32>,
    pub duration_ms: Option<u64>,
    /// What a person would want to read first; `None` where the outcome is ok.
    pub error: Option<String>,
    pub stdout: Option<Content>,
    pub stderr: Option<Content>,
    /// A JSON array of spec 000's diagnostic objects.
    pub diagnostics: Option<Json>,
    pub paths: Vec<String>,
    pub symbols: Vec<String>,
    pub changed: Vec<Change>,
}

/// A file that an execution changed.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct Change {
    pub path: String,
    /// It did not exist before.
    pub created: bool,
}

/// A call ended. `tool` is repeated so that a row can be made where the start was lost.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct ExecutionFinished {
    pub execution: ExecutionId,
    pub tool: String,
    #[serde(flatten)]
    pub closing: Closing,
}

/// A call's owner is gone and no result was seen (ruling 2).
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct ExecutionInterrupted {
    pub execution: ExecutionId,
    pub tool: String,
    pub reason: String,
}

impl ExecutionInterrupted {
    /// What a reason begins with where it is none: how the call ended is redacted.
    const REDACTED: &str = "its end was redacted by order ";

    /// A call of which the end is redacted.
    pub fn redacted(execution: ExecutionId, tool: String, order: OrderId) -> Self {
        Self { execution, tool, reason: format!("{}{order}", Self::REDACTED) }
    }

    /// Whether a reason says that the end is redacted.
    pub fn is_redacted(reason: &str) -> bool {
        reason.starts_with(Self::REDACTED)
    }
}

/// A result turned up after its execution was closed: a new row, which queries count instead.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct ExecutionCorrected {
    /// The new row's id.
    pub execution: ExecutionId,
    /// The row it corrects; its `ExecutionStarted` gives tool and arguments.
    pub corrects: ExecutionId,
    pub tool: String,
    pub reason: String,
    #[serde(flatten)]
    pub closing: Closing,
}

words! {
    /// How an execution ended. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum Outcome {
        /// It ran and did what was asked.
        Ok = "ok",
        /// It ran and failed.
        Failed = "failed",
        /// It never ran: the user, the gate or validation said no.
        Refused = "refused",
        /// Its owner is gone and no result was seen (ruling 2).
        Interrupted = "interrupted",
    }
}

/// The error of a call that its user stopped.
pub const STOPPED_BY_USER: &str = "stopped by the user before it ended";

/// What makes two reports one execution: agent, scope and the agent's own call id.
///
/// `scope` is the native session where the agent's call ids are unique only within one; `None`
/// where they are unique for good (Claude Code's `toolu_…`), so that a resumed session, which
/// repeats its history under a new session id, doubles nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode, Serialize)]
pub struct CallKey {
    pub agent: String,
    pub scope: Option<String>,
    pub call: String,
}

impl CallKey {
    /// One text for it, as an index wants it: agent, scope (empty where there is none), call,
    /// with a NUL between.
    pub fn to_text(&self) -> String {
        let scope = self.scope.as_deref().unwrap_or_default();
        [&self.agent, scope, &self.call].join("\0")
    }
}
