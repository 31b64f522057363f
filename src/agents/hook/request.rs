//! What a hook's command line and surroundings say.

use std::path::PathBuf;

use super::HookAgent;
use crate::event::GateMode;

/// What a hook's command line and surroundings say.
#[derive(Clone, Debug)]
pub struct HookRequest {
    pub agent: HookAgent,
    /// What it was installed with.
    pub mode: Option<GateMode>,
    /// Where the project is looked for, upward, the first that has one.
    pub starts: Vec<PathBuf>,
    /// Where the agent's shells read their variables from, where it has told.
    pub env_file: Option<PathBuf>,
    /// What was wrong with the command line.
    pub usage: Option<String>,
}
