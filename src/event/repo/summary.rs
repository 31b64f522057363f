//! What a step of a workflow came to.

use bincode::{Decode, Encode};

use super::RepoHash;

/// What a step of a workflow came to: what happened, what matters of its outputs, what is to follow.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct SummaryAppended {
    pub repo: RepoHash,
    pub run_id: String,
    pub step_id: String,
    pub summary: String,
    pub made_by: SummaryMaker,
    /// The sequence of the `StepBegun` of the step that it tells of, where one was marked. Its
    /// `StepEnded` is the event before, in the same commit.
    pub step: Option<u64>,
    /// The last event that was looked at for it, so that anybody can tell it again; `None` where
    /// somebody gave it.
    pub through: Option<u64>,
    /// Unix milliseconds, where it was taken over from elsewhere.
    pub created_ms: Option<u64>,
}

/// Who made a summary. Append-only: the position of a variant is its byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub enum SummaryMaker {
    /// annals, from the journal's own events.
    Events,
    /// A model that was asked.
    Model,
    /// Whoever gave it.
    Caller,
}

impl SummaryMaker {
    /// Every one.
    pub const ALL: &'static [Self] = &[Self::Events, Self::Model, Self::Caller];

    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::Model => "model",
            Self::Caller => "caller",
        }
    }
}
