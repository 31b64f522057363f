//! What a pack is asked to hold.

use crate::event::RepoHash;
use crate::grounding::timeline::TimelineScope;

/// What a pack is asked to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackQuery {
    /// Whose memory; `None`: nobody's, where nothing was ever recorded for a repository.
    pub repo: Option<RepoHash>,
    /// Of the text, Unicode scalar values.
    pub chars_max: usize,
    /// The paths at hand, from the repository's top; where there are any, decisions that touch none
    /// of them are left out.
    pub paths: Vec<String>,
    /// Whose failures and whose position.
    pub scope: TimelineScope,
    /// The newest summaries, at most this many.
    pub summaries_max: usize,
    /// Whether the map of the tree is told.
    pub map: bool,
}
