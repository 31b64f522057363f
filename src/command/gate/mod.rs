//! The gate (spec 001): whoever acts has read the timeline, and whoever claims success has checked.
//!
//! A question with a verdict, the same for every surface. What it must know of a session is a
//! small fold of the journal, kept in a file so that a hook need not read a store.

mod block;
mod bodies;
mod door;
mod error;
mod judge;
mod proposal;
mod refusal;
mod seed;
mod session_file;
mod stored;
#[cfg(test)]
mod tests;
mod verdict;

pub use crate::projector::grounding::{
    CheckKind, DeniedCall, FailedCall, Grounding, GroundingEntry, GroundingRules, Hex, Moment,
    OpenCall, PendingFailure, Resolution, StepSoFar,
};
pub use block::block;
pub use bodies::{checkpoint, queried, refused};
pub use door::Door;
pub use error::GateError;
pub use judge::{is_check, is_mutation, judge, rules};
pub use proposal::Proposal;
pub use refusal::Refusal;
pub use session_file::SessionFile;
pub use verdict::Verdict;
