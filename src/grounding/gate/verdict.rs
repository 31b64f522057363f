//! What the gate says.

use super::Refusal;

/// What the gate says of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Pass,
    Refused(Refusal),
}

impl Verdict {
    /// Why it was refused, where it was.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Pass => None,
            Self::Refused(refusal) => Some(refusal),
        }
    }
}
