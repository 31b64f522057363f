//! What is given of an attempt.

use crate::event::{DebugEnvironment, ExecutionId, TestFailure, TestResults};

/// What is given of an attempt: its number follows from its session. What is longer than the limits is
/// cut and says so.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttemptGiven {
    /// The recorded execution of the tests, where there is one.
    pub execution: Option<ExecutionId>,
    /// SHA-256 of the code in hexadecimal digits, or what the caller has.
    pub code_hash: String,
    /// The code itself, where it is to be kept.
    pub code_snapshot: Option<Vec<u8>>,
    pub environment: Option<DebugEnvironment>,
    pub results: TestResults,
    pub failures: Vec<TestFailure>,
}
