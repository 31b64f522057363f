//! Why a request was not done, as its sender is told.

use serde::Serialize;

use crate::cli::{CliError, Exit, with_causes};
use crate::debug::DebugError;
use crate::execution::query::QueryError;
use crate::memory::MemoryError;
use crate::parse::reply::ReplyError;
use crate::repo::RepoError;

/// Why a request was not done. `kind` is for programs and never changes its meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PipeError {
    /// `request`, `too_long`, `unknown_op`, `arguments`, `refused`, `not_found`, `grounding_required`,
    /// `unverified_success`, `unknown_execution`, `tool_not_found`, `not_run`,
    /// `missing_memory_update` and the other words of a reply's faults, `findings`, `damaged`, `locked` or `io`.
    pub kind: &'static str,
    pub message: String,
    /// What to do about it, where something can be said.
    pub hint: Option<String>,
}

impl PipeError {
    pub fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None }
    }

    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// An argument means nothing.
    pub fn argument(name: &str, what: impl std::fmt::Display) -> Self {
        Self::new("arguments", format!("{name}: {what}"))
    }

    /// Anything that a command of the command line fails with.
    pub fn of(error: impl Into<CliError>) -> Self {
        let error = error.into();
        let kind = match (&error, error.exit()) {
            (CliError::Line(_) | CliError::Time(_), _) => "arguments",
            (CliError::Query(QueryError::NotFound { .. }), _) => "not_found",
            (CliError::Memory(MemoryError::NoBranch { .. } | MemoryError::NoRecord { .. }), _) => {
                "not_found"
            }
            (CliError::Repo(RepoError::Field { .. }), _) => "arguments",
            (CliError::Repo(RepoError::NoEntry { .. }), _)
            | (CliError::Query(QueryError::NoRepository { .. }), _)
            | (CliError::Repo(RepoError::Query(QueryError::NoRepository { .. })), _) => "not_found",
            (CliError::Debug(DebugError::Field { .. } | DebugError::Invalid { .. }), _) => {
                "arguments"
            }
            (CliError::Debug(DebugError::NoSession { .. }), _)
            | (CliError::Query(QueryError::NoDebugSession { .. }), _) => "not_found",
            (CliError::Reply(error), _) => return Self::of_reply(error),
            (_, Exit::Usage | Exit::Fine | Exit::Child(_)) => "refused",
            (_, Exit::Findings) => "findings",
            (_, Exit::Damaged) => "damaged",
            (_, Exit::Locked) => "locked",
            (_, Exit::Io) => "io",
        };
        let hint = error.hint().map(str::to_owned);
        Self { kind, message: with_causes(&error), hint }
    }
}

impl<E: Into<CliError>> From<E> for PipeError {
    fn from(error: E) -> Self {
        Self::of(error)
    }
}

impl PipeError {
    /// What is wrong with a model's reply; the hint is the text to send back to it.
    pub fn of_reply(error: &ReplyError) -> Self {
        Self::new(error.kind(), error.to_string()).with_hint(error.feedback())
    }
}
