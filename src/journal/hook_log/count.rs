//! How often a hook fired, and when last.

use serde::{Deserialize, Serialize};

/// How often a hook fired, and when last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HookCount {
    pub fired: u64,
    /// Unix milliseconds.
    pub last_ms: u64,
}
