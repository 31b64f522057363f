//! Who asks for an operation on branch memory.

use crate::event::{MemoryDoor, MemoryOrigin, SessionId};

/// Who asks for an operation on branch memory: what its events say of their session and origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asker {
    /// The session its events belong to; `None` for nobody's.
    pub session: Option<SessionId>,
    /// Run, node, phase and execution; the door is the function's own, but for an import.
    pub origin: MemoryOrigin,
}

impl Asker {
    /// Somebody of whom nothing is known but the session.
    pub fn of(session: Option<SessionId>) -> Self {
        Self { session, origin: MemoryOrigin::by(MemoryDoor::Api) }
    }
}

impl Default for Asker {
    fn default() -> Self {
        Self::of(None)
    }
}
