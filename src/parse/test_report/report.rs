//! What a run of tests came to.

use crate::event::{DebugEnvironment, TestFailure, TestResults};

/// What a run of tests came to, as an attempt has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TestReport {
    /// Runtime and test framework, and the runtime's version where the runner prints it. The operating
    /// system is not in the output: see [`super::OS`].
    pub environment: DebugEnvironment,
    pub results: TestResults,
    /// In the order they were printed, at most 200.
    pub failures: Vec<TestFailure>,
    /// So many failures more.
    pub left_out: u64,
    /// Whether a runner's output was found. Where it was not and the command failed, the one failure is
    /// the command itself, with the end of what it printed.
    pub is_understood: bool,
}
