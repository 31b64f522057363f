//! What agents' sessions told of debug sessions.

use super::Inferred;

/// What agents' sessions told of debug sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InferDone {
    /// Those of which something was recorded now, or is to be.
    pub found: Vec<Inferred>,
    /// Runs of tests that failed, and are attempts of debug sessions already.
    pub known: u64,
}
