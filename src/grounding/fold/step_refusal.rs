//! A call that was refused in a step.

use serde::{Deserialize, Serialize};

/// A call that was refused in a step, and has not been made since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepRefusal {
    /// Of the newest refusal.
    pub sequence: u64,
    pub tool: String,
    pub target: Option<String>,
    pub reason: String,
}
