//! What every fact about the phases has.

use super::{NodePlace, PhaseName};
use crate::event::Body;

impl Body {
    /// The node it is about; `None` where it is no fact about the phases of one.
    pub fn node_place(&self) -> Option<&NodePlace> {
        match self {
            Self::NodeCreated(fact) => Some(&fact.place),
            Self::ModelQueried(fact) => Some(&fact.node),
            Self::ArtifactsAccepted(fact) => Some(&fact.place),
            Self::PhaseCompleted(fact) => Some(&fact.place),
            Self::PhaseFailed(fact) => Some(&fact.place),
            Self::NodeResultRecorded(fact) => Some(&fact.place),
            Self::VlmAnalysisCompleted(fact) => Some(&fact.place),
            _ => None,
        }
    }

    /// The phase that ended with it.
    pub fn phase(&self) -> Option<PhaseName> {
        match self {
            Self::PhaseCompleted(fact) => Some(fact.phase),
            Self::PhaseFailed(fact) => Some(fact.phase),
            _ => None,
        }
    }
}
