//! What appending a recall event came to.

use super::Consolidated;

/// What appending a recall event came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecallDone {
    /// Its number, or that of the equal event there was.
    pub id: u64,
    pub branch: String,
    /// `false` where the branch had an equal one.
    pub written: bool,
    /// The record that has the whole text, where it was too long.
    pub archived_as: Option<u64>,
    /// What the overflow of the window made of older events.
    pub inherited: Option<Consolidated>,
    pub own: Option<Consolidated>,
}
