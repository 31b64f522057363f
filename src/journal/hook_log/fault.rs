//! What went wrong in a hook.

use serde::{Deserialize, Serialize};

/// What went wrong in a hook.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HookFault {
    /// Unix milliseconds.
    pub at_ms: u64,
    /// The hook's own name; empty where it was not known.
    pub hook: String,
    /// As its user was told.
    pub what: String,
    /// What it had to record is not on record.
    pub not_recorded: bool,
}
