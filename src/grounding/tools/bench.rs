//! What a tool works with.

use std::sync::atomic::{AtomicBool, Ordering};

use super::Workspace;
use crate::event::SessionId;
use crate::journal::Project;

/// What a tool works with.
#[derive(Clone, Copy)]
pub struct Bench<'b> {
    pub workspace: &'b Workspace,
    /// Where there is one; only `memory_query` needs it.
    pub project: Option<&'b Project>,
    pub session: Option<SessionId>,
    /// Set where the caller wants what runs to end.
    pub stop: &'b AtomicBool,
}

impl Bench<'_> {
    /// Whether the caller wants what runs to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
