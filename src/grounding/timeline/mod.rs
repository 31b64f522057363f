//! The timeline (spec 001): where an agent stands, what happened, what is still broken.

mod block;
mod entry;
mod failure_loop;
mod failure_record;
mod memory;
mod position;
mod recent;
mod scope;
mod standing;
mod text;
mod unresolved;

pub use block::TimelineBlock;
pub use entry::TimelineEntry;
pub use failure_loop::FailureLoop;
pub use failure_record::FailureRecord;
pub use memory::{MemoryAnswer, MemoryQuery, MemoryTopic};
pub use position::TimelinePosition;
pub use recent::TIMELINE_ITEMS;
pub use scope::TimelineScope;
pub(crate) use text::is_hidden;
pub use text::one_line;
pub use unresolved::{LOOPS_MAX, PENDING_MAX};
