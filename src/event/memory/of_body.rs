//! What every fact about branch memory has.

use super::MemoryOrigin;
use crate::event::Body;

macro_rules! of_memory {
    ($body:expr, $bound:ident => $of:expr) => {
        match $body {
            Body::BranchForked($bound) => Some($of),
            Body::CoreSet($bound) => Some($of),
            Body::CoreDeleted($bound) => Some($of),
            Body::CoreEvicted($bound) => Some($of),
            Body::RecallAppended($bound) => Some($of),
            Body::RecallEvicted($bound) => Some($of),
            Body::RecallConsolidated($bound) => Some($of),
            Body::InheritedConsolidated($bound) => Some($of),
            Body::ArchivalWritten($bound) => Some($of),
            Body::ArchivalUpdated($bound) => Some($of),
            Body::MemoryRead($bound) => Some($of),
            Body::UpdatesApplied($bound) => Some($of),
            Body::PromptRendered($bound) => Some($of),
            Body::PressureChecked($bound) => Some($of),
            Body::ImportanceEvaluated($bound) => Some($of),
            Body::MemoryConsolidated($bound) => Some($of),
            _ => None,
        }
    };
}

impl Body {
    /// Who asked for it; `None` where it is no fact about branch memory.
    pub fn memory_origin(&self) -> Option<&MemoryOrigin> {
        of_memory!(self, fact => &fact.origin)
    }

    /// The branch of memory that it is about; `None` where it is no fact about branch memory.
    pub fn memory_branch(&self) -> Option<&str> {
        of_memory!(self, fact => fact.branch.as_str())
    }
}
