//! A segment: one file of the journal.

mod header;
mod name;

pub use header::{HeaderFault, Predecessor, SegmentHeader};
pub use name::SegmentName;
