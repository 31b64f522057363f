//! A failure that no success has resolved, and what resolved one.

use serde::{Deserialize, Serialize};

use super::{GroundingEntry, Hex};
use crate::execution::index::{LOOP_MIN, tried_as};

/// A failure that no later success of the same tool on the same target has resolved (ruling 10).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingFailure {
    /// What makes two calls ones on the same target.
    pub key: Hex,
    /// The newest of them.
    pub last: GroundingEntry,
    /// How often it failed since it last succeeded.
    pub failures: u64,
    /// How many of these, the newest, had the newest's diagnostic.
    pub same: u64,
    /// What the newest said, as a digest.
    pub said: Hex,
    /// When the first was, Unix milliseconds.
    pub since_ms: u64,
    /// Ordinals, the oldest first, `None` where one has none; of many, the newest few.
    pub executions: Vec<Option<u64>>,
    /// Files changed since the first, each once; of many, the first few.
    pub edited: Vec<String>,
    /// Successful changes since the first.
    pub edits: u64,
}

impl PendingFailure {
    /// Ordinals that are kept.
    pub const EXECUTIONS_MAX: usize = 8;
    /// Files that are kept.
    pub const EDITED_MAX: usize = 8;

    /// Whether it waits for a success of this tool on this target.
    pub fn is_of(&self, tool: &str, key: Hex) -> bool {
        tried_as(&self.last.tool) == tried_as(tool) && self.key == key
    }

    /// Whether it fails again and again with the same diagnostic.
    pub fn is_loop(&self) -> bool {
        self.same >= LOOP_MIN
    }
}

/// How a failure was resolved: what to try where the same fails again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolution {
    pub key: Hex,
    pub failed: GroundingEntry,
    /// The success.
    pub resolved: GroundingEntry,
    /// Files changed in between.
    pub edited: Vec<String>,
}

impl Resolution {
    /// Whether it resolved failures of this tool on this target.
    pub fn is_of(&self, tool: &str, key: Hex) -> bool {
        tried_as(&self.failed.tool) == tried_as(tool) && self.key == key
    }
}
