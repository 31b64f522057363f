//! An error as a document.

use serde::Serialize;

use crate::parse::reply::ReplyError;

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

    /// What is wrong with a model's reply; the hint is the text to send back to it.
    pub fn of_reply(error: &ReplyError) -> Self {
        Self::new(error.kind(), error.to_string()).with_hint(error.feedback())
    }
}
