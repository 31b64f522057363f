//! By which layer of spec 003 an operation on branch memory came.

use bincode::{Decode, Encode};

/// By which layer an operation came. Append-only: the position of a variant is its byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub enum MemoryDoor {
    /// `set_core`, `write_event` and the like, called as they are.
    Primitive,
    /// A `mem_*` function.
    Api,
    /// A model's `<memory_update>`.
    Model,
    /// The program itself: eviction, consolidation.
    Internal,
    /// A memory that was moved here.
    Import,
}

impl MemoryDoor {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Primitive => "primitive",
            Self::Api => "api",
            Self::Model => "model",
            Self::Internal => "internal",
            Self::Import => "import",
        }
    }
}
