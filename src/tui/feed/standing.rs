//! Where a session, or a project, stands, as a screen tells it.

use super::super::TuiError;
use crate::event::SessionId;
use crate::execution::query::Stores;
use crate::grounding::timeline::{FailureLoop, TimelinePosition, TimelineScope};

/// Where a session, or a project, stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    pub position: TimelinePosition,
    pub loops: Vec<FailureLoop>,
    /// Failures that no later success has resolved, as many as are told.
    pub pending: usize,
}

impl Standing {
    /// Of a session, or of the whole project.
    ///
    /// # Errors
    /// Where a store cannot be read.
    pub fn of(stores: &Stores, session: Option<SessionId>) -> Result<Self, TuiError> {
        let scope = session.map_or(TimelineScope::Project, TimelineScope::Session);
        Ok(Self {
            position: stores.get_timeline_position(scope)?,
            loops: stores.failure_loops(scope)?,
            pending: stores.get_pending_failures(scope)?.len(),
        })
    }
}
