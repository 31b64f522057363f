//! `[phases]`: how the phases of a node run (spec 003).

use std::path::PathBuf;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// `[phases]`: how the phases of a node run.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PhasesConfig {
    /// How the download phase runs.
    pub download: DownloadMode,
    /// How many commands a model may give in it, one after the other.
    #[serde(deserialize_with = "some_steps")]
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

/// With none a model could never say that it is done.
fn some_steps<'de, D: Deserializer<'de>>(value: D) -> Result<u64, D::Error> {
    match u64::deserialize(value)? {
        0 => Err(D::Error::custom(
            "phase1_max_steps is 0: give at least 1, or set `download = \"batch\"`, which asks no model",
        )),
        steps => Ok(steps),
    }
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
