//! `[memory]`: the sizes of branch memory (spec 003).

use serde::Deserialize;

/// `[memory]`: the sizes of branch memory. Characters are Unicode scalar values.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MemoryConfig {
    /// Whether the phases of a node use memory.
    pub enabled: bool,
    /// A branch's own core, as lines `key: value`; above, the least important goes to the archive.
    pub core_max_chars: u64,
    /// Events that a branch sees.
    pub recall_max_events: u64,
    /// Above this many times `recall_max_events`, older events become summaries.
    pub consolidation_factor: f64,
    /// Whether that happens by itself.
    pub auto_consolidate: bool,
    /// Records that a search gives where it is not told how many.
    pub retrieval_k: u64,
    /// Of one archived text, at least 256; what is longer goes on in further records.
    pub archival_max_chars: u64,
    /// Of memory in a prompt, and in a prompt of the phases.
    pub prompt_budget_chars: u64,
    pub phase_prompt_budget_chars: u64,
    /// How often a model that read memory is asked again.
    pub max_memory_read_rounds: u64,
    /// Whether a reply must have a `<memory_update>`, and how often it is asked for.
    pub require_memory_update: bool,
    pub memory_update_retries: u64,
    /// Whether searches use the full-text index; without it they find the same.
    pub use_fts: bool,
    /// A command that judges what matters: items on its input, scores on its output.
    pub importance_model: Option<String>,
    pub pressure_thresholds: PressureThresholds,
}

/// `[memory.pressure_thresholds]`: from which share on memory is how full.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PressureThresholds {
    pub medium: f64,
    pub high: f64,
    pub critical: f64,
}

impl Default for MemoryConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            core_max_chars: 2_000,
            recall_max_events: 20,
            consolidation_factor: 1.5,
            auto_consolidate: true,
            retrieval_k: 8,
            archival_max_chars: 8_000,
            prompt_budget_chars: 4_000,
            phase_prompt_budget_chars: 24_000,
            max_memory_read_rounds: 2,
            require_memory_update: true,
            memory_update_retries: 2,
            use_fts: true,
            importance_model: None,
            pressure_thresholds: PressureThresholds::default(),
        }
    }
}

impl Default for PressureThresholds {
    fn default() -> Self {
        Self { medium: 0.7, high: 0.85, critical: 0.95 }
    }
}
