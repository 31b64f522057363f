//! What an agent's words on its work are to the gate, in its last message and in `annals claim`: a claim
//! of success is held against what the journal has (spec 001).

use serde::Serialize;

use super::citation::citations;
use super::{Citation, Cited, Message, Refusal, RefusedWhy, Result};
use crate::event::{Body, ExecutionId, GateRule, OutcomeReported, Report, SuccessClaimed, wire};
use crate::grounding::fold::{Grounding, GroundingEntry};
use crate::journal::Project;
use crate::parse::check::{Spoken, kinds};

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

const CLAIM_BYTES_MAX: usize = 1_000;

impl Claim {
    pub fn is_accepted(&self) -> bool {
        self.refusal.is_none()
    }

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
/// check passed after the session's last failure and after its last change; of what it speaks of, nothing
/// that failed is pending.
///
/// `known` tells the id of an execution that the fold does not remember, `None` where there is
/// none such; of an ordinal that was given it may as well not know the id.
pub fn judge_claim<E>(
    grounding: &Grounding,
    text: &str,
    mut known: impl FnMut(&Citation) -> Result<Option<ExecutionId>, E>,
) -> Result<Claim, E> {
    let citations = citations(text, grounding.ordinals());
    let verified_by = verified(grounding, text).map(GroundingEntry::id);
    let mut claim = Claim { text: kept(text), verified_by, cited: Vec::new(), refusal: None };
    for citation in citations {
        if citation == Citation::Id(ExecutionId(grounding.session().0)) {
            continue;
        }
        let remembered = grounding.recent.iter().find(|entry| match citation {
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
            let (rule, reason) =
                (GateRule::UnknownExecution, format!("Execution {citation} not found"));
            let query = Refusal::TIMELINE_QUERY;
            claim.refusal = Some(Refusal::of(rule, Refusal::CLAIM, &reason, query));
            return Ok(claim);
        }
        claim.cited.extend(id);
    }
    if claim.verified_by.is_none() {
        let spoken = spoken(text);
        let missed = grounding.missed(text).cloned().map(Box::new);
        claim.refusal = Some(Refusal { spoken, missed, ..unverified(grounding) });
    }
    Ok(claim)
}

fn kept(text: &str) -> String {
    text[..text.floor_char_boundary(CLAIM_BYTES_MAX)].trim().to_owned()
}

/// The check that bears a claim out: none does while one that it speaks of fails, or ended nobody knows how, or
/// where only others passed since the last change.
fn verified<'g>(grounding: &'g Grounding, text: &str) -> Option<&'g GroundingEntry> {
    let spoken = spoken(text);
    checked(grounding, &spoken)
        .filter(|_| grounding.missed(text).is_none())
        .filter(|_| grounding.broken(&spoken).is_none() && grounding.lost(&spoken).is_none())
        .filter(|_| !grounding.doubts(&spoken))
        .filter(|_| grounding.shown.bears_out(&spoken))
}

/// What a claim speaks of: who so much as mentions tests may have none that fail.
fn spoken(text: &str) -> Spoken {
    let mut spoken = Spoken::of(text);
    if text.to_ascii_lowercase().contains("test") {
        spoken.whole |= kinds::TESTS;
    }
    spoken
}

/// The check that passed after the last failure and the last change. What speaks of checks stands beside a deed that
/// failed and changed no file.
pub(super) fn checked<'g>(grounding: &'g Grounding, spoken: &Spoken) -> Option<&'g GroundingEntry> {
    let check = grounding.last_check.as_ref()?;
    let at = check.moment.sequence;
    let failure = match spoken.is_of_checks() {
        true => grounding.last_upset,
        false => grounding.last_failure,
    };
    let failed = failure.is_some_and(|it| it.sequence > at);
    let changed = grounding.last_mutation.is_some_and(|it| it.sequence > at);
    (!failed && !changed).then_some(check)
}

fn unverified(grounding: &Grounding) -> Refusal {
    let query = match grounding.last_failed {
        Some(after) => {
            format!("memory_query(tool=\"lsp_check\", success=true, after_id={after})")
        }
        None => Refusal::CHECK_QUERY.to_owned(),
    };
    let rule = GateRule::UnverifiedSuccess;
    Refusal::of(rule, Refusal::CLAIM, Refusal::UNVERIFIED, &query)
}

#[derive(Debug)]
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
    pub fn of(project: &Project, grounding: &Grounding, text: &str) -> Result<Self> {
        let report = match Message::of(text) {
            Message::Claim => return Self::claim_of(project, grounding, text),
            Message::Unverified => Report::Unverified,
            Message::Failure => Report::Failed,
            Message::Question => Report::Asked,
            Message::Other => return Ok(Self::Nothing),
        };
        Ok(Self::Honest(OutcomeReported { report, text: kept(text) }))
    }

    /// As [`Self::of`], of a turn's last words. Where nothing was changed, failed or was checked there was no
    /// work to speak of; where nothing was changed and no check failed, only what speaks of checks is a claim.
    pub fn at_end(project: &Project, grounding: &Grounding, text: &str) -> Result<Self> {
        let is_changed = grounding.last_mutation.is_some();
        if !is_changed && grounding.last_failure.is_none() && !grounding.has_checked() {
            return Ok(Self::Nothing);
        }
        let is_work = is_changed || grounding.fails_check() || Spoken::of(text).is_of_checks();
        let statement = Self::of(project, grounding, text)?;
        Ok(if statement.claim().is_some() && !is_work { Self::Nothing } else { statement })
    }

    /// As [`Self::of`], of words that were handed in as a claim: they are one unless they say otherwise.
    pub fn claimed(project: &Project, grounding: &Grounding, text: &str) -> Result<Self> {
        match Self::of(project, grounding, text)? {
            Self::Nothing => Self::claim_of(project, grounding, text),
            statement => Ok(statement),
        }
    }

    /// As [`Self::of`], of words that a person or a script holds against the record: that something is there at
    /// which a call failed is a claim as well.
    pub fn asserted(project: &Project, grounding: &Grounding, text: &str) -> Result<Self> {
        match Self::of(project, grounding, text)? {
            Self::Nothing if grounding.missed(text).is_some() => {
                Self::claim_of(project, grounding, text)
            }
            statement => Ok(statement),
        }
    }

    fn claim_of(project: &Project, grounding: &Grounding, text: &str) -> Result<Self> {
        let cited = Cited::new(project);
        judge_claim(grounding, text, |citation| cited.find(citation)).map(Self::Claimed)
    }

    pub fn claim(&self) -> Option<&Claim> {
        match self {
            Self::Claimed(claim) => Some(claim),
            Self::Nothing | Self::Honest(_) => None,
        }
    }

    pub fn body(&self) -> Option<Body> {
        match self {
            Self::Nothing => None,
            Self::Honest(reported) => Some(Body::OutcomeReported(reported.clone())),
            Self::Claimed(claim) => Some(claim.body()),
        }
    }

    pub fn told<'s>(&'s self, text: &'s str) -> StatementTold<'s> {
        let claimed = self.claim();
        let (claim, report) = match self {
            Self::Nothing => (text, Some("nothing")),
            Self::Honest(reported) => (reported.text.as_str(), Some(reported.report.as_str())),
            Self::Claimed(claim) => (claim.text.as_str(), None),
        };
        StatementTold {
            claim,
            accepted: claimed.is_some_and(Claim::is_accepted),
            report,
            verified_by: claimed.and_then(|it| it.verified_by),
            cited: claimed.into_iter().flat_map(|it| &it.cited).map(ToString::to_string).collect(),
            why: claimed.and_then(|it| it.refusal.as_ref()).into(),
        }
    }
}

/// What became of an agent's words, as JSON has it.
#[derive(Debug, Serialize)]
pub struct StatementTold<'s> {
    claim: &'s str,
    /// A claim that a check bears out.
    accepted: bool,
    /// Where it claims nothing, what it says instead: `unverified`, `failed`, `asked` or, not judged,
    /// `nothing`.
    report: Option<&'static str>,
    #[serde(serialize_with = "wire::text_or_null")]
    verified_by: Option<ExecutionId>,
    cited: Vec<String>,
    #[serde(flatten)]
    why: RefusedWhy<'s>,
}
