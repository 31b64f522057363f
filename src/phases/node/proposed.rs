//! What is to be done in a node, where a reply was given and no model is asked.

use super::{NodeGiven, PhasesError, Proposal};
use crate::parse::reply::{Updates, extract_memory_updates};
use crate::phases::artifacts::{PhaseArtifacts, artifacts_of};

/// What was proposed before anything was recorded: a reply that was given.
pub(super) struct Proposed {
    pub updates: Option<Updates>,
    pub artifacts: PhaseArtifacts,
}

/// A given reply, read before anything is recorded.
pub(super) fn proposed(
    given: &NodeGiven,
    has_model: bool,
) -> Result<Option<Proposed>, PhasesError> {
    match &given.proposal {
        Proposal::Asked if !has_model => Err(PhasesError::NoModel),
        Proposal::Asked => Ok(None),
        Proposal::Given(reply) => {
            let extracted = extract_memory_updates(reply, false).map_err(PhasesError::Artifacts)?;
            let artifacts = artifacts_of(&extracted.rest).map_err(PhasesError::Artifacts)?;
            Ok(Some(Proposed { updates: extracted.updates, artifacts }))
        }
    }
}
