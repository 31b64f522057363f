//! `on_failure.check_similar_past_issues`: what other sessions had that looks like this, and what helped.

use serde_json::{Value, json};

use super::{HookCommand, SCORE_MIN, Step};
use crate::debug::cut::cut;
use crate::debug::limits::{REASON_CHARS_MIN, SIMILAR_MAX, TEXT_BYTES_MAX};
use crate::debug::query::{DebugRecord, DebugView, SCORE_MAX, Similar, SimilarAsked};
use crate::debug::{DebugError, DebugWriter};
use crate::event::{Analysis, AnalysisRecorded, Body, DebugAuthor, SimilarIssue};
use crate::redact::Redactor;
use crate::repo::step_summary::line;

pub(super) const NAME: &str = "on_failure.check_similar_past_issues";
/// Of a message or a resolution that is told on, characters.
const TOLD_CHARS_MAX: usize = 500;

/// What was found.
pub(super) struct Checked {
    pub step: Step,
    pub similar: Vec<Similar>,
    /// What annals takes to be wrong, from the likest that was solved.
    pub analysis: Option<Analysis>,
}

pub(super) fn step(
    writer: &DebugWriter<'_, '_>,
    view: DebugView<'_>,
    record: &DebugRecord,
    attempt: u32,
) -> Result<Checked, DebugError> {
    let mut executions = record.document.executions.iter();
    let failures = executions.find(|it| it.attempt == attempt).and_then(|it| it.failures.as_ref());
    let asked: Vec<SimilarAsked> = failures.into_iter().flatten().map(SimilarAsked::from).collect();
    let session = record.session.id;
    let similar = view.similar(&asked, Some(session), SIMILAR_MAX)?;
    let best = similar.iter().find(|it| it.resolution.is_some() && it.score() >= SCORE_MIN);
    let analysis = best
        .filter(|_| !record.is_analysed_by_caller(attempt))
        .map(|best| analysis(writer.recorder.redactor(), best, &similar));
    let outcome = match (similar.len(), best) {
        (0, _) => "nothing like it is known".to_owned(),
        (count, None) => format!("{count} like it, none of them solved"),
        (count, Some(best)) => {
            let reasons = best.likeness.reasons().join(", ");
            format!("{count} like it, the likest debug session {} ({reasons})", best.session.id)
        }
    };
    let recorded = analysis.clone().map(|analysis| {
        let by = DebugAuthor::Annals;
        Body::AnalysisRecorded(AnalysisRecorded { session, attempt, by, analysis })
    });
    let command = &writer.project.config().debug.hooks.check_similar_past_issues;
    let command = HookCommand::of(command.as_ref(), || {
        let mut input = writer.input(NAME, record);
        input["attempt"] = json!(attempt);
        input["similar"] = similar.iter().map(told).collect();
        input
    });
    let step = Step::new(NAME, outcome).recording(recorded).running(command);
    Ok(Checked { step, similar, analysis })
}

/// What helped there is taken to help here.
fn analysis(redactor: &Redactor, best: &Similar, similar: &[Similar]) -> Analysis {
    let resolution = best.resolution.as_ref();
    let past = resolution.and_then(|resolution| resolution.analysis.as_ref());
    let session = best.session.id;
    let reasons = best.likeness.reasons().join(", ");
    let root_cause = past.map(|past| past.root_cause.clone()).unwrap_or_else(|| {
        let message = line(&best.failure.error_message, TOLD_CHARS_MAX);
        let kind = best.failure.error_type.as_str();
        format!("As in the debug session {session} ({reasons}): {kind}: {message}")
    });
    let fix_strategy = past.map(|past| past.fix_strategy.clone()).unwrap_or_else(|| {
        let helped = helped(best).unwrap_or_else(|| "see what helped there".to_owned());
        format!("As in the debug session {session}: {helped}")
    });
    let fitting = |text: String| {
        let mut text = long_enough(text, best);
        // What was imported may also be longer.
        cut(redactor, &mut text, TEXT_BYTES_MAX);
        text
    };
    Analysis {
        root_cause: fitting(root_cause),
        root_cause_category: past.and_then(|past| past.root_cause_category),
        fix_strategy: fitting(fix_strategy),
        confidence: Some((f64::from(best.score()) / f64::from(SCORE_MAX) * 100.0).round() / 100.0),
        related_failures: None,
        similar_past_issues: Some(similar.iter().map(issue).collect()),
    }
}

/// What was imported may be shorter than what is recorded here.
fn long_enough(text: String, best: &Similar) -> String {
    match text.chars().count() {
        chars if chars < REASON_CHARS_MIN => {
            format!("{text} (as in the debug session {})", best.session.id)
        }
        _ => text,
    }
}

fn helped(similar: &Similar) -> Option<String> {
    let resolution = similar.resolution.as_ref()?;
    let fix = resolution.fix.as_ref().map(|fix| fix.description.as_str());
    let strategy = resolution.analysis.as_ref().map(|analysis| analysis.fix_strategy.as_str());
    fix.or(strategy).map(|text| line(text, TOLD_CHARS_MAX))
}

fn issue(similar: &Similar) -> SimilarIssue {
    SimilarIssue {
        session_id: Some(similar.session.id.to_string()),
        file: Some(similar.session.file_path.clone()),
        resolution: helped(similar),
    }
}

fn told(similar: &Similar) -> Value {
    json!({
        "session_id": similar.session.id.to_string(),
        "file_path": similar.session.file_path,
        "status": similar.session.status.as_str(),
        "attempt": similar.attempt,
        "score": similar.score(),
        "reasons": similar.likeness.reasons(),
        "failure": similar.failure,
        "resolution": helped(similar),
    })
}
