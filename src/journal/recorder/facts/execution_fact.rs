//! What a recorder knows of one execution.

use std::sync::Arc;

use super::{Ended, Key, key};
use crate::event::{ExecutionStarted, SessionId, Source};

/// What a recorder knows of one execution.
#[derive(Clone, Debug)]
pub(crate) struct ExecutionFact {
    pub session: Option<SessionId>,
    pub tool: Arc<str>,
    pub state: State,
    /// The door that its beginning came by.
    pub source: Source,
    /// What was called.
    pub called: Called,
    pub ended: Ended,
}

impl ExecutionFact {
    /// Of which nothing more is known.
    pub fn new(session: Option<SessionId>, tool: Arc<str>, source: Source, state: State) -> Self {
        let (called, ended) = (Called::Unknown, Ended::Unknown);
        Self { session, tool, state, source, called, ended }
    }
}

/// What an execution called, as the journal has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Called {
    /// A digest of tool and arguments.
    Digest(Key),
    /// The start lies there.
    At(u64),
    /// The start is lost, or was never told.
    Unknown,
}

impl Called {
    /// Of a start with its arguments in canonical form, without secrets.
    pub fn of(started: &ExecutionStarted) -> Self {
        Self::Digest(key(&["called", &started.tool, &started.arguments.0]))
    }
}

/// How far an execution is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Open,
    /// A result is known: nothing more can be said of it.
    Closed,
    /// No result is known; one that turns up later corrects it (ruling 2).
    Interrupted,
}
