//! A step, and the end, as JSON.

use std::path::Path;

use serde::Serialize;

use super::end::Ended;
use crate::cli::{verify, with_causes};
use crate::event::{Kind, Recorded, WithContents};
use crate::execution::replay::{Added, Contents, Step, Unshown, What};
use crate::execution::tally::TallyCounts;
use crate::output::wire::Finding;

#[derive(Serialize)]
pub struct StepDocument<'a> {
    /// Which journal it is of, where several were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    journal: Option<&'a str>,
    /// Its number among the steps shown, from 1.
    step: u64,
    /// `event`, `unknown` (a kind that this build does not know), `redacted`, `undecodable` or
    /// `lost`.
    what: &'static str,
    /// The event's place; of lost ones the first, where that is known.
    sequence: Option<u64>,
    /// Of lost events the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_sequence: Option<u64>,
    /// Of an event that cannot be shown: its kind, by name where this build knows it, and number.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind_number: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<WithContents<'a, Recorded>>,
    /// Of an event that closes an execution: its start's place, and what it was about.
    started_sequence: Option<u64>,
    target: Option<&'a str>,
    added: &'a Added,
    /// The stores as they stand after the step.
    stores: TallyCounts,
}

#[derive(Serialize)]
pub struct EndDocument<'a> {
    /// Always `end`.
    what: &'static str,
    path: String,
    journal: String,
    steps: u64,
    /// Whether all that `verify` holds the journal to holds, over the part that was walked.
    verified: bool,
    /// How it is not the journal that was seen; `null` where it is.
    contradiction: Option<&'a str>,
    /// Something of it that was durable once is lost or changed.
    damaged: bool,
    findings: Vec<Finding>,
    /// Findings about other parts of the journal.
    findings_elsewhere: u64,
    /// What the disk did not give.
    unreadable: Vec<String>,
    /// Pairs of first and last sequence; of contents, the events.
    not_shown: &'a Unshown,
}

pub fn step<'a>(
    journal: Option<&'a str>,
    step: &'a Step,
    contents: &'a Contents,
) -> StepDocument<'a> {
    let mut document = StepDocument {
        journal,
        step: step.number,
        what: "event",
        sequence: step.sequence().map(|at| at.0),
        last_sequence: None,
        kind: None,
        kind_number: None,
        problem: None,
        event: None,
        started_sequence: step.added.start.map(|at| at.0),
        target: step.added.target.as_deref(),
        added: &step.added,
        stores: step.stores,
    };
    let mut of_kind = |what, kind: Kind| {
        document.what = what;
        document.kind = kind.name().map(str::to_owned);
        document.kind_number = Some(kind.0);
    };
    match &step.what {
        What::Event(recorded) => {
            document.event = Some(contents.with(recorded));
        }
        What::Unknown { kind, .. } => of_kind("unknown", *kind),
        What::Redacted { kind, .. } => of_kind("redacted", *kind),
        What::Undecodable { kind, problem, .. } => {
            of_kind("undecodable", *kind);
            document.problem = Some(problem.clone());
        }
        What::Lost(finding) => {
            document.what = "lost";
            document.last_sequence = finding.lost.map(|(_, last)| last.0);
            document.problem = Some(finding.to_string());
        }
    }
    document
}

pub fn end<'a>(ended: &'a Ended, journal: &Path) -> EndDocument<'a> {
    let report = &ended.verdict.report;
    let concerned = &ended.verdict.concerned;
    let findings = concerned.iter().filter_map(|at| report.findings.get(*at));
    EndDocument {
        what: "end",
        path: journal.to_string_lossy().into_owned(),
        journal: report.journal.to_string(),
        steps: ended.steps,
        verified: ended.verdict.is_clean() && ended.contradiction.is_none(),
        contradiction: ended.contradiction.as_deref(),
        damaged: ended.verdict.is_damaged(),
        findings: findings.map(verify::finding).collect(),
        findings_elsewhere: report.findings_count.saturating_sub(concerned.len() as u64),
        unreadable: report.unreadable.iter().map(|error| with_causes(error)).collect(),
        not_shown: &ended.unshown,
    }
}
