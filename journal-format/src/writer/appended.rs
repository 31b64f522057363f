//! What an append answers.

use crate::units::{Mark, Sequence};

/// One commit, written as its writer's durability says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appended {
    pub first: Sequence,
    pub last: Sequence,
    /// Its end.
    pub mark: Mark,
}
