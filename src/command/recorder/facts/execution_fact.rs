//! What a recorder knows of one execution.

use std::sync::Arc;

use crate::event::{SessionId, Source};

/// What a recorder knows of one execution.
#[derive(Clone, Debug)]
pub(in super::super) struct ExecutionFact {
    pub session: Option<SessionId>,
    pub tool: Arc<str>,
    pub state: State,
    /// The door that its beginning came by.
    pub source: Source,
}

/// How far an execution is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum State {
    Open,
    /// A result is known: nothing more can be said of it.
    Closed,
    /// No result is known; one that turns up later corrects it (ruling 2).
    Interrupted,
}
