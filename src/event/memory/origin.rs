//! Who asked for an operation on branch memory.

use bincode::{Decode, Encode};

use super::MemoryDoor;
use crate::event::ExecutionId;

/// Who asked for an operation on branch memory, and during what.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct MemoryOrigin {
    pub by: MemoryDoor,
    /// The run, the node and the phase it belongs to, by the caller's names.
    pub run: Option<String>,
    pub node: Option<String>,
    pub phase: Option<String>,
    /// The execution during which it happened.
    pub execution: Option<ExecutionId>,
}

impl MemoryOrigin {
    /// An operation that came by this door, of no run, node, phase or execution.
    pub fn by(by: MemoryDoor) -> Self {
        Self { by, run: None, node: None, phase: None, execution: None }
    }
}
