//! Events: past-tense facts, one file a family, and how they become bytes.
//!
//! An [`Event`] is an [`Envelope`] (whose it is, when it happened) and a [`Body`] (what happened).
//! The body's kind and schema number travel in the journal frame's header; the payload is the
//! bincode of the envelope followed by the bincode of the body. FORMAT.md gives every byte.

mod body;
pub mod canonical;
mod check;
mod codec;
mod content;
mod debug;
pub mod derived;
mod envelope;
mod execution;
mod grounding;
mod ids;
mod journal;
pub mod limits;
mod memory;
mod messages;
mod moved;
mod ordered;
mod phase;
mod repo;
mod session;
mod swift;
pub mod target;
pub mod tool;
mod visit;
pub mod wire;
mod words;

#[cfg(test)]
mod tests;

pub use body::*;
pub use canonical::Json;
pub use check::*;
pub use codec::{EventError, decode, encode};
pub use content::*;
pub use debug::*;
pub use envelope::*;
pub use execution::*;
pub use grounding::*;
pub use ids::*;
pub use journal::*;
pub use memory::*;
pub use messages::*;
pub use moved::*;
pub use ordered::Ordered;
pub use phase::*;
pub use repo::*;
pub use session::*;
pub use visit::TextVisitor;
pub use words::words;
