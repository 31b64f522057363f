//! The gate (spec 001): whoever acts has read the timeline, and whoever claims success has checked.
//!
//! A question with a verdict, the same for every surface. What it must know of a session is a
//! small fold of the journal, kept in a file so that a hook need not read a store.

mod block;
mod bodies;
mod citation;
pub(crate) mod cited;
mod claim;
mod door;
mod error;
mod judge;
mod message;
mod plan;
mod plan_step;
mod proposal;
mod refusal;
mod remedy;
mod said;
mod seed;
mod session_file;
mod statement;
pub(crate) mod step;
mod stored;
#[cfg(test)]
pub(crate) mod tests;
mod verdict;

pub use crate::grounding::fold::{
    CheckKind, DeniedCall, FailedCall, Grounding, GroundingEntry, GroundingRules, Hex, Moment,
    OpenCall, PendingFailure, Resolution, StepClaim, StepOutput, StepRefusal, StepSoFar, Unproven,
    command,
};
pub use crate::parse::shell::Script;
pub use block::block;
pub use bodies::{checkpoint, queried, refusal_alone, refused};
pub use citation::Citation;
pub use cited::Cited;
use claim::kept;
pub use claim::{Claim, judge_claim};
pub use door::Door;
pub use error::GateError;
pub use judge::{ended, is_check, is_mutation, judge, rules};
pub use message::Message;
pub use plan::{PLAN_BYTES_MAX, PlanError, PlanVerdict, check_plan};
pub use proposal::Proposal;
pub use refusal::Refusal;
pub use remedy::unverified;
pub use session_file::SessionFile;
pub use statement::Statement;
pub use step::step_ended;
pub use verdict::Verdict;
