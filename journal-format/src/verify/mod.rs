//! Holding a whole journal to its checksums, its chain and its own account of itself.

mod archived;
mod bytes_by_state;
mod judge;
mod meaning;
mod redacted;
mod report;
mod seals;
#[expect(clippy::module_inception, reason = "the folder is named for its main function")]
mod verify;

pub use bytes_by_state::BytesByState;
pub use judge::{Judge, Shown};
pub use redacted::{RedactedCommit, RedactedFrame};
pub use report::{SegmentReport, VerifyReport};
pub use verify::{VerifyFrom, VerifyOptions, verify, verify_with};

#[cfg(test)]
mod tests;
