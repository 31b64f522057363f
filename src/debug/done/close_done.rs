//! What the end of a debug session came to.

use super::{DebugDone, HookTold};

/// What the end of a debug session came to.
#[derive(Clone, Debug, PartialEq)]
pub struct CloseDone {
    pub done: DebugDone,
    /// What the hooks did, where it was escalated.
    pub hooks: Vec<HookTold>,
}
