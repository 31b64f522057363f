//! What a gate refuses for.

use bincode::{Decode, Encode};

/// What a gate refuses for. Append-only: the position of a variant is its byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub enum GateRule {
    /// A mutation without a read of the timeline before it.
    NoGrounding,
    /// A claim of success without a passing check after the last failure.
    UnverifiedSuccess,
    /// An execution is cited that does not exist.
    UnknownExecution,
    /// The same action failed recently.
    KnownAntiPattern,
    /// The same failure again and again, and nobody read why.
    FailureLoop,
}

impl GateRule {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoGrounding => "no_grounding",
            Self::UnverifiedSuccess => "unverified_success",
            Self::UnknownExecution => "unknown_execution",
            Self::KnownAntiPattern => "known_anti_pattern",
            Self::FailureLoop => "failure_loop",
        }
    }
}
