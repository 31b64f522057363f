//! `[phases]`: how the phases of a node run (spec 003).

use std::path::PathBuf;

use serde::Deserialize;

/// `[phases]`: how the phases of a node run.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PhasesConfig {
    /// How the download phase runs.
    pub download: DownloadMode,
    /// How many commands a model may give in it, one after the other.
    pub phase1_max_steps: u64,
    /// How long one command may take, and one answer of a model; seconds.
    pub command_timeout_s: u64,
    pub model_timeout_s: u64,
    /// A folder whose `prompt/…` files stand in for the built-in ones; from the project's root.
    pub prompts: Option<PathBuf>,
}

/// How the download phase runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DownloadMode {
    /// A model is asked for one command after the other.
    #[default]
    Iterative,
    /// The commands of `phase_artifacts`.
    Batch,
}

impl Default for PhasesConfig {
    fn default() -> Self {
        Self {
            download: DownloadMode::Iterative,
            phase1_max_steps: 12,
            command_timeout_s: 3_600,
            model_timeout_s: 600,
            prompts: None,
        }
    }
}
