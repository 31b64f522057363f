//! A journal taken apart: every segment, frame and verdict, with its place.

#[expect(clippy::module_inception, reason = "the folder is named for its main type")]
mod inspect;
mod inspected;

pub use inspect::Inspect;
pub use inspected::{CommitSummary, FrameSummary, Inspected, SegmentEnd};

#[cfg(test)]
mod tests;
