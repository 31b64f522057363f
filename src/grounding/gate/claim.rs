//! A claim of success, held against what the journal has (spec 001).

use super::{CITATIONS_MAX, Citation, Refusal, TEXT_BYTES_MAX};
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
pub fn judge_claim<E>(
    grounding: &Grounding,
    text: &str,
    mut known: impl FnMut(&Citation) -> Result<Option<ExecutionId>, E>,
) -> Result<Claim, E> {
    let citations = self::citations(text, grounding.ordinals());
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

// Executions that free text cites beyond doubt.
//
// An agent's last words have numbers of issues and pull requests, colours and other systems'
// UUIDs in them. A stop that is refused for one of these costs more than a citation that is missed:
// only what `execution` stands before is held against the journal; a bare `#142` cites where there
// is such an execution, and else is somebody else's number.

/// What was read before a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    /// `issue`, `PR`: the numbers behind it are not ours.
    Foreign,
    /// `execution`, `executions`
    Named {
        many: bool,
    },
    /// `executions 138`: more may follow.
    Listed,
}

/// What numbers other than executions' stand behind.
const FOREIGN: [&str; 38] = [
    "issue",
    "issues",
    "pr",
    "prs",
    "pull",
    "request",
    "requests",
    "mr",
    "mrs",
    "merge",
    "bug",
    "bugs",
    "ticket",
    "tickets",
    "gh",
    "github",
    "gitlab",
    "fix",
    "fixes",
    "close",
    "closes",
    "closed",
    "resolve",
    "resolves",
    "refs",
    "ref",
    "task",
    "story",
    "epic",
    "discussion",
    "comment",
    "item",
    "step",
    "line",
    "color",
    "colour",
    "hex",
    "build",
];

/// What a text cites, in order, each once; `given` ordinals exist.
pub(super) fn citations(text: &str, given: u64) -> Vec<Citation> {
    let text = &text[..text.floor_char_boundary(TEXT_BYTES_MAX)];
    let mut found = Vec::new();
    let mut before = Before::Nothing;
    for told in text.split(|c: char| c.is_whitespace() || ",;()[]\"'`".contains(c)) {
        if told.is_empty() {
            continue; // between a comma and a blank
        }
        let word = told.trim_end_matches(['.', ':', '!', '?']);
        let ends = told.trim_end_matches(':').len() != word.len();
        let cited = cited(word, before, given);
        before = match before {
            _ if ends => Before::Nothing,
            Before::Named { many: true } | Before::Listed if cited.is_some() => Before::Listed,
            _ => after(&word.to_ascii_lowercase(), before),
        };
        found.extend(cited.filter(|cited| !found.contains(cited)));
        if found.len() >= CITATIONS_MAX {
            break;
        }
    }
    found
}

fn cited(word: &str, before: Before, given: u64) -> Option<Citation> {
    match before {
        Before::Foreign => None,
        Before::Named { .. } | Before::Listed => Citation::read(word, true),
        Before::Nothing => Citation::read(word, false)
            .filter(|it| matches!(it, Citation::Ordinal(it) if (1..=given).contains(it))),
    }
}

/// What a word that cites nothing leaves behind it.
fn after(word: &str, before: Before) -> Before {
    match (word, before) {
        ("execution", _) => Before::Named { many: false },
        ("executions", _) => Before::Named { many: true },
        ("id" | "ids" | "no" | "number", Before::Named { many }) => Before::Named { many },
        ("and" | "or" | "&", Before::Listed) => Before::Listed,
        ("and" | "or" | "&", Before::Foreign) => Before::Foreign,
        (_, Before::Foreign) if word.starts_with('#') => Before::Foreign,
        _ if FOREIGN.contains(&word) => Before::Foreign,
        _ => Before::Nothing,
    }
}
