//! What is wrong with a step of a plan.

use bincode::{Decode, Encode};

/// What is wrong with a step of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct PlanFault {
    /// From 1, as a person counts.
    pub step: u64,
    pub tool: String,
    pub reason: String,
}
