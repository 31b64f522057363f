//! What an agent says of its work as it stops.

use super::{Firing, HookError};
use crate::command::gate::{Cited, Claim, Grounding, Message, judge_claim, kept};
use crate::event::{Body, OutcomeReported, Report};

/// What an agent says of its work as it stops.
pub enum Said {
    /// Nothing that could be held against the record, or there was no work.
    Nothing,
    /// It claims no success, and says so.
    Honest(OutcomeReported),
    /// It claims success: held against what is on record.
    Claimed(Claim),
}

impl Said {
    /// Reads the last message. Only a claim of success is judged.
    ///
    /// # Errors
    /// Where what the agent cites could not be looked up.
    pub fn of(
        firing: &Firing<'_>,
        grounding: &Grounding,
        message: &str,
    ) -> Result<Self, HookError> {
        if grounding.last_mutation().is_none() && grounding.last_failure().is_none() {
            return Ok(Self::Nothing);
        }
        let report = match Message::of(message) {
            Message::Claim => {
                let cited = Cited::new(firing.project);
                let claim = judge_claim(grounding, message, |citation| cited.find(citation))?;
                return Ok(Self::Claimed(claim));
            }
            Message::Unverified => Report::Unverified,
            Message::Failure => Report::Failed,
            Message::Question => Report::Asked,
            Message::Other => return Ok(Self::Nothing),
        };
        Ok(Self::Honest(OutcomeReported { report, text: kept(message) }))
    }

    /// The claim, where there is one.
    pub fn claim(&self) -> Option<&Claim> {
        match self {
            Self::Claimed(claim) => Some(claim),
            Self::Nothing | Self::Honest(_) => None,
        }
    }

    /// The event that says so.
    pub fn body(&self) -> Option<Body> {
        match self {
            Self::Nothing => None,
            Self::Honest(reported) => Some(Body::OutcomeReported(reported.clone())),
            Self::Claimed(claim) => Some(claim.body()),
        }
    }
}
