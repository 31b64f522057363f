//! The newest claim of success of a step.

use serde::{Deserialize, Serialize};

/// The newest claim of success of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepClaim {
    pub text: String,
    /// Why it was not accepted; `None` where it was.
    pub unverified: Option<String>,
}
