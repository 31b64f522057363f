//! Index, count and offset are different types.

mod chain;
mod journal_id;
mod mark;
mod numbers;

pub use chain::Chain;
pub use journal_id::JournalId;
pub use mark::{Mark, Position, Seen};
pub use numbers::{Offset, SegmentNumber, Sequence};
