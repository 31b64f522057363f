//! `[quarantine]`: how much is kept of stores that were built anew.

use serde::Deserialize;

/// `[quarantine]`: how much is kept of what the journal makes again.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QuarantineConfig {
    pub files_max: u64,
    pub bytes_max: u64,
}

impl Default for QuarantineConfig {
    fn default() -> Self {
        Self { files_max: 32, bytes_max: 1 << 30 }
    }
}
