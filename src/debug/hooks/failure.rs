//! The hooks after a failure: what other sessions had that looks like it, and what is proposed against it.

use serde_json::{Value, json};

use super::success::name_of;
use super::{SCORE_MIN, Step};
use crate::debug::DebugWriter;
use crate::debug::error::Result;
use crate::debug::fields::cut;
use crate::debug::limits::{REASON_CHARS_MIN, SIMILAR_MAX, TEXT_BYTES_MAX};
use crate::debug::query::{
    DebugRecord, DebugView, FixTemplate, SCORE_MAX, Similar, SimilarAsked, TEMPLATE_EFFECTIVENESS,
};
use crate::event::{
    Analysis, AnalysisRecorded, Body, DebugAuthor, Fix, FixApplied, Ordered, SimilarIssue,
    TemplateRef, Verification,
};
use crate::redact::Redactor;
use crate::repo::step_summary::line;

pub(super) const CHECK_SIMILAR: &str = "on_failure.check_similar_past_issues";
/// Of a message or a resolution that is told on, characters.
const TOLD_CHARS_MAX: usize = 500;

pub(super) struct Checked {
    pub step: Step,
    pub similar: Vec<Similar>,
    /// What annals takes to be wrong, from the likest that was solved.
    pub analysis: Option<Analysis>,
}

pub(super) fn check_similar(
    writer: &DebugWriter<'_, '_>,
    view: DebugView<'_>,
    record: &DebugRecord,
    attempt: u32,
) -> Result<Checked> {
    let mut executions = record.document.executions.iter();
    let failures = executions.find(|it| it.attempt == attempt).and_then(|it| it.failures.as_ref());
    let asked: Vec<SimilarAsked> = failures.into_iter().flatten().map(SimilarAsked::from).collect();
    let session = record.session.id;
    let similar = view.similar(&asked, Some(session), SIMILAR_MAX)?;
    let best = similar.iter().find(|it| it.resolution.is_some() && it.score() >= SCORE_MIN);
    let analysis = match best.filter(|_| !record.is_analysed_by_caller(attempt)) {
        Some(best) => Some(Analysis {
            related_failures: view.related(record, attempt)?,
            ..analysis(writer.recorder.redactor(), best, &similar)
        }),
        None => None,
    };
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
    let named = &writer.hooks().check_similar_past_issues;
    let command = writer.command(CHECK_SIMILAR, named, record, |input| {
        input["attempt"] = json!(attempt);
        input["similar"] = similar.iter().map(told).collect();
    });
    let bodies = recorded.into_iter().collect();
    let step = Step { bodies, command, ..Step::new(CHECK_SIMILAR, outcome) };
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

pub(super) const APPLY_TEMPLATE: &str = "on_failure.apply_known_fix_template";
/// Of what is proposed, characters that are told.
const PROPOSED_CHARS_MAX: usize = 120;

/// The best that is known against a failure is proposed, as a fix that is pending; a command of the
/// user's may carry it out.
pub(super) fn apply_template(
    writer: &DebugWriter<'_, '_>,
    view: DebugView<'_>,
    record: &DebugRecord,
    attempt: u32,
    similar: &[Similar],
    analysis: Option<&Analysis>,
) -> Result<(Step, Option<(Fix, TemplateRef)>)> {
    let Some(template) = best(view, record, similar, analysis)? else {
        return Ok((Step::new(APPLY_TEMPLATE, "no template is known for it".to_owned()), None));
    };
    let mut description = template.fix_template.clone().unwrap_or_default();
    // What was imported may be longer than what is told here.
    cut(writer.recorder.redactor(), &mut description, TEXT_BYTES_MAX);
    let fix = Fix {
        description,
        diff_summary: None,
        files_changed: None,
        diff: None,
        verification: Some(Verification::Pending),
    };
    let from = template.template_ref();
    let session = record.session.id;
    let proposed = FixApplied {
        session,
        attempt,
        by: DebugAuthor::Annals,
        fix: fix.clone(),
        template: Some(from.clone()),
    };
    let outcome = format!(
        "proposed {:?} of the debug session {}: {}",
        from.pattern,
        from.session,
        line(&fix.description, PROPOSED_CHARS_MAX)
    );
    let named = &writer.hooks().apply_known_fix_template;
    let command = writer.command(APPLY_TEMPLATE, named, record, |input| {
        input["attempt"] = json!(attempt);
        input["fix"] = json!(fix);
        input["template"] = json!({
            "session_id": from.session.to_string(),
            "pattern": from.pattern,
            "file_path": template.file_path,
            "category": template.category,
            "effectiveness": template.effectiveness,
        });
    });
    let bodies = vec![Body::FixApplied(proposed)];
    let step = Step { bodies, command, ..Step::new(APPLY_TEMPLATE, outcome) };
    Ok((step, Some((fix, from))))
}

/// The template of the likest issue that is of the same category and helps in more than seven of ten
/// trials: the one that was learnt of that very failure; where none was, of its session the one whose
/// trials prove most. Not one that has failed in this session.
fn best(
    view: DebugView<'_>,
    record: &DebugRecord,
    similar: &[Similar],
    analysis: Option<&Analysis>,
) -> Result<Option<FixTemplate>> {
    for like in similar.iter().filter(|it| it.score() >= SCORE_MIN) {
        let thought = analysis.and_then(|it| it.root_cause_category);
        let categories = [
            thought.map(|category| category.as_str()),
            like.likeness.error_type.then(|| like.failure.error_type.as_str()),
        ];
        let is_of_it = |template: &FixTemplate| {
            let category = template.category.as_deref();
            category.is_some() && categories.contains(&category)
        };
        let mut known = view.patterns(like.session.id)?;
        let document = view.document(like.session.id)?;
        let name = document.and_then(|document| name_of(&document, &like.failure));
        // What helped against something else there is no help here.
        if known.iter().any(|it| Some(&it.pattern) == name.as_ref()) {
            known.retain(|it| Some(&it.pattern) == name.as_ref());
        }
        known.retain(|it| {
            it.fix_template.as_ref().is_some_and(|text| !text.trim().is_empty())
                && it.effectiveness.is_some_and(|of_one| of_one > TEMPLATE_EFFECTIVENESS)
                && is_of_it(it)
                && !has_failed(record, it)
        });
        known.order_by(|one, other| other.bound.total_cmp(&one.bound));
        if let Some(found) = known.into_iter().next() {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn has_failed(record: &DebugRecord, template: &FixTemplate) -> bool {
    let (from, text) = (template.template_ref(), template.fix_template.as_ref());
    record.document.executions.iter().any(|execution| {
        let Some(fix) = &execution.fix_applied else { return false };
        let origin = record.beside.fixes.get(&execution.attempt);
        let is_of_it = origin.is_some_and(|origin| origin.template.as_ref() == Some(&from))
            || Some(&fix.description) == text;
        is_of_it && fix.verification == Some(Verification::Failed)
    })
}
