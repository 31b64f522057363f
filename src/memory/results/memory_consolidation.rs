//! What putting a branch's memory in order came to.

use crate::event::PressureLevel;

/// What putting a branch's memory in order came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryConsolidation {
    /// `evaluated_core_importance:N`, `evicted_core_items:N`, `consolidated_recall:N`,
    /// `enforced_core_budget`.
    pub actions_taken: Vec<String>,
    pub freed_chars: u64,
    pub core_items_evicted: u64,
    pub recall_events_consolidated: u64,
    pub new_pressure_level: PressureLevel,
    /// Why the importance was not evaluated anew, where that failed: what is stored was kept.
    pub importance_failed: Option<String>,
}
