//! What one test binary came to.

use crate::event::{TestFailure, TestResults};

/// What one test binary came to.
#[derive(Debug, Default)]
pub struct Run {
    pub results: TestResults,
    /// Those that it told of.
    pub failures: Vec<TestFailure>,
    /// Those that it only named.
    pub listed: Vec<String>,
    /// So many more, of which neither was kept.
    pub left_out: u64,
}
