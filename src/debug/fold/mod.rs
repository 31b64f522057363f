//! The fold of a debug session's events into its document (spec 002), for both stores that have it.
//!
//! [`Slot`] is one session: not there, expired, or a [`DebugState`] that events are applied to. What a
//! journal tells that cannot be is a [`Fault`], and the document as it was. Whatever the events say, the
//! document is one that the schema takes: it has no null, no empty list, no number out of its range.

mod attempts;
mod fault;
mod files;
mod imported;
mod learnings;
mod slot;
mod slots;
mod sound;
mod state;
mod subjects;

pub use files::DebugMemoryProjector;
pub use state::DebugState;

pub(crate) use fault::Fault;
pub(crate) use slot::Slot;
pub(crate) use slots::{SlotStore, Slots};
pub(crate) use subjects::subjects;

#[cfg(test)]
mod tests;
