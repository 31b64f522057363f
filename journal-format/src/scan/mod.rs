//! Reading one segment, commit by commit, and naming exactly what is wrong with it.
//!
//! [`SegmentScan`] walks the frames. Where one does not hold it looks once over the rest of the
//! segment ([`Lookahead`]), and the decision table in [`verdict`] says what the bad bytes are.

mod bytes;
mod commit_view;
mod end;
mod finding;
mod judge;
mod lookahead;
mod segment_scan;
mod shown;
pub mod verdict;
mod window;

pub use bytes::{Bytes, SliceBytes};
pub use commit_view::{ChainCheck, CommitView, FrameRef};
pub use end::{EndCause, ScanEnd};
pub use finding::Finding;
pub use lookahead::{Lookahead, next_header};
pub use segment_scan::{SegmentScan, Step};
pub use verdict::Verdict;
pub use window::Window;

#[cfg(test)]
mod tests;
