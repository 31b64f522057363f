//! A claim of success, held against what the journal has (spec 001).

use super::{Citation, Refusal, said};
use crate::event::{Body, ExecutionId, GateRule, SuccessClaimed};
use crate::grounding::fold::{Grounding, GroundingEntry};

/// What became of a claim of success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What was said, cut to what a line holds.
    pub text: String,
    /// The passing check that bears it out.
    pub verified_by: Option<ExecutionId>,
    /// Executions that it cites, that exist, and whose ids are known.
    pub cited: Vec<ExecutionId>,
    /// `None` where it is accepted.
    pub refusal: Option<Refusal>,
}

/// Bytes of a claim that are kept.
const CLAIM_BYTES_MAX: usize = 1_000;

impl Claim {
    pub fn is_accepted(&self) -> bool {
        self.refusal.is_none()
    }

    /// The event that says so.
    pub fn body(&self) -> Body {
        Body::SuccessClaimed(SuccessClaimed {
            claim: self.text.clone(),
            accepted: self.is_accepted(),
            verified_by: self.verified_by,
            cited: self.cited.clone(),
            reason: self.refusal.as_ref().map(|refusal| refusal.reason.clone()),
        })
    }
}

/// Judges a claim, whoever hands it in: each execution that it cites beyond doubt exists, and a
/// check passed after the session's last failure and after its last change.
///
/// `known` tells the id of an execution that the fold does not remember, `None` where there is
/// none such; of an ordinal that was given it may as well not know the id.
///
/// # Errors
/// `known`'s own.
pub fn judge_claim<E>(
    grounding: &Grounding,
    text: &str,
    mut known: impl FnMut(&Citation) -> Result<Option<ExecutionId>, E>,
) -> Result<Claim, E> {
    let citations = said::citations(text, grounding.ordinals());
    let verified_by = verified(grounding).map(GroundingEntry::id);
    let mut claim = Claim { text: kept(text), verified_by, cited: Vec::new(), refusal: None };
    for citation in citations {
        if citation == Citation::Id(ExecutionId(grounding.session().0)) {
            continue;
        }
        let remembered = grounding.recent().find(|entry| match citation {
            Citation::Ordinal(ordinal) => entry.ordinal == Some(ordinal),
            Citation::Id(id) => entry.id() == id,
        });
        let id = match remembered {
            Some(entry) => Some(entry.id()),
            None => known(&citation)?,
        };
        let given = |ordinal: u64| (1..=grounding.ordinals()).contains(&ordinal);
        let exists = id.is_some() || matches!(citation, Citation::Ordinal(it) if given(it));
        if !exists {
            claim.refusal = Some(Refusal {
                rule: GateRule::UnknownExecution,
                tool: Refusal::CLAIM.to_owned(),
                target: None,
                reason: format!("Execution {citation} not found"),
                required_query: Refusal::TIMELINE_QUERY.to_owned(),
            });
            return Ok(claim);
        }
        claim.cited.extend(id);
    }
    if claim.verified_by.is_none() {
        claim.refusal = Some(unverified(grounding));
    }
    Ok(claim)
}

/// Of what was said, what is kept.
pub(super) fn kept(text: &str) -> String {
    text[..text.floor_char_boundary(CLAIM_BYTES_MAX)].trim().to_owned()
}

/// The check that bears a claim out.
fn verified(grounding: &Grounding) -> Option<&GroundingEntry> {
    let check = grounding.last_check()?;
    let at = check.moment.sequence;
    let failed = grounding.last_failure().is_some_and(|it| it.sequence > at);
    let changed = grounding.last_mutation().is_some_and(|it| it.sequence > at);
    (!failed && !changed).then_some(check)
}

fn unverified(grounding: &Grounding) -> Refusal {
    let query = match grounding.last_failed_ordinal() {
        Some(after) => {
            format!("memory_query(tool=\"lsp_check\", success=true, after_id={after})")
        }
        None => Refusal::CHECK_QUERY.to_owned(),
    };
    Refusal {
        rule: GateRule::UnverifiedSuccess,
        tool: Refusal::CLAIM.to_owned(),
        target: None,
        reason: Refusal::UNVERIFIED.to_owned(),
        required_query: query,
    }
}
