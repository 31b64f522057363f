//! What an agent's words on its work are to the gate: the same for its last message and for `annals claim`.

use super::{Cited, Claim, GateError, Message, judge_claim, kept};
use crate::event::{Body, OutcomeReported, Report};
use crate::grounding::fold::Grounding;
use crate::journal::Project;

/// What an agent's words on its work are.
pub enum Statement {
    /// Neither a claim nor a word on how the work went.
    Nothing,
    /// It claims no success, and says so.
    Honest(OutcomeReported),
    /// It claims success: held against what is on record.
    Claimed(Claim),
}

impl Statement {
    /// Reads words that may be about anything. Only a claim of success is judged.
    pub fn of(project: &Project, grounding: &Grounding, text: &str) -> Result<Self, GateError> {
        let report = match Message::of(text) {
            Message::Claim => return Self::claim_of(project, grounding, text),
            Message::Unverified => Report::Unverified,
            Message::Failure => Report::Failed,
            Message::Question => Report::Asked,
            Message::Other => return Ok(Self::Nothing),
        };
        Ok(Self::Honest(OutcomeReported { report, text: kept(text) }))
    }

    /// As [`Self::of`], of words that were handed in as a claim: they are one unless they say otherwise.
    pub fn claimed(
        project: &Project,
        grounding: &Grounding,
        text: &str,
    ) -> Result<Self, GateError> {
        match Self::of(project, grounding, text)? {
            Self::Nothing => Self::claim_of(project, grounding, text),
            statement => Ok(statement),
        }
    }

    fn claim_of(project: &Project, grounding: &Grounding, text: &str) -> Result<Self, GateError> {
        let cited = Cited::new(project);
        judge_claim(grounding, text, |citation| cited.find(citation)).map(Self::Claimed)
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
