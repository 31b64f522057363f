//! Destroying payloads that were recorded, and nothing that vouches for them (FORMAT.md §6).
//!
//! ```text
//! plan       what goes: the records chosen, those that only repeat them, and the leaves of all
//! lift       what stays of their contents, beside the journal
//! begin      the marker, then the event or events, on disk before anything is destroyed
//! carry_out  frames, blobs, what recovery set aside; then the stores, which are not this room's
//! end        the marker goes
//! ```
//!
//! What an event orders is what is carried out, so that whoever opens the journal after a death in between does
//! the rest; the marker only says at no cost that there may be a rest.

mod archived;
mod begin;
mod carry_out;
mod error;
mod judge;
mod lift;
mod marker;
mod ordered;
mod plan;

#[cfg(test)]
mod tests;

pub use begin::begin;
pub use carry_out::{Report, carry_out};
pub use error::RedactionError;
pub(super) use judge::{Known, disagreements};
pub use lift::lift;
pub use marker::{end, is_unfinished};
pub use ordered::{Ordered, Orders, was_redacted};
pub use plan::{Plan, plan};

use crate::event::{ChainLink, ExecutionId, OrderId, RedactedRecord, SessionId};

/// What is to go from one journal, and why. Made by [`plan`]'s answer and who asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    pub id: OrderId,
    /// When it was given, Unix milliseconds.
    pub at_ms: u64,
    pub by: String,
    pub reason: String,
    /// The rule of redaction that found the records, if one did.
    pub rule: Option<String>,
    /// What goes, in order of sequence.
    pub records: Vec<RedactedRecord>,
    /// What stays of the same commits: whose chain cannot be recomputed any more.
    pub beside: Vec<RedactedRecord>,
    pub links: Vec<ChainLink>,
    /// Calls whose beginning stays and whose end goes.
    pub ended: Vec<EndedCall>,
}

/// A call whose end goes: without a word of it, it would be open for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedCall {
    pub execution: ExecutionId,
    pub tool: String,
    pub session: Option<SessionId>,
    /// When it ended, Unix milliseconds: it keeps its place among others.
    pub at_ms: u64,
}

/// Records of one order at most, with those beside them: they are told in one commit.
pub const ORDER_RECORDS_MAX: usize = 1 << 18;
