//! The timeline (spec 001): where an agent stands, what happened, what is still broken.

mod block;
mod entry;
mod failure_loop;
mod failure_record;
mod position;

pub use block::TimelineBlock;
pub use entry::TimelineEntry;
pub use failure_loop::FailureLoop;
pub use failure_record::FailureRecord;
pub use position::TimelinePosition;
