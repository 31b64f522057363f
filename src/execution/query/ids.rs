//! Ids as the stores keep them, read back.

use crate::event::{ExecutionId, Outcome, SessionId, Source};

/// A stored execution id. The stores hold whatever sixteen bytes the journal does.
pub(crate) fn execution(text: &str) -> ExecutionId {
    ExecutionId(session(text).0)
}

/// A stored session id; zeros where the file was changed by hand.
pub(crate) fn session(text: &str) -> SessionId {
    SessionId::parse(text).unwrap_or(SessionId([0; 16]))
}

pub(crate) fn outcome(text: &str) -> Option<Outcome> {
    [Outcome::Ok, Outcome::Failed, Outcome::Refused, Outcome::Interrupted]
        .into_iter()
        .find(|outcome| outcome.as_str() == text)
}

pub(crate) fn source(text: &str) -> Source {
    match text {
        "hook" => Source::Hook,
        "import" => Source::Import,
        "annals" => Source::Annals,
        _ => Source::Live,
    }
}
