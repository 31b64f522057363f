//! What an operation on a debug session came to.

use crate::event::{DebugDocument, DebugSessionId, Sequence};

/// What an operation on a debug session came to.
#[derive(Clone, Debug, PartialEq)]
pub struct DebugDone {
    pub session: DebugSessionId,
    /// As it is now.
    pub document: DebugDocument,
    /// The operation's last event; `None` where nothing changed.
    pub sequence: Option<Sequence>,
}
