//! `on_success.extract_learnings`: what failed before it passed, and what helped.

use std::collections::BTreeMap;

use serde_json::json;

use super::patterns::{Met, met};
use super::{HookCommand, Step};
use crate::debug::cut::cut;
use crate::debug::limits::{LIST_LEN_MAX, TEXT_BYTES_MAX};
use crate::debug::query::{DebugRecord, DebugView, helping_fix};
use crate::debug::rules::failed_attempts;
use crate::debug::{DebugError, DebugWriter};
use crate::event::{
    Body, DebugAuthor, DebugDocument, ErrorPattern, Fix, LearningExtracted, Learnings,
    RecurringFailure, Resolution, TemplateRef, TemplateTried,
};
use crate::redact::Redactor;

pub(super) const NAME: &str = "on_success.extract_learnings";
pub(super) fn step(
    writer: &DebugWriter<'_, '_>,
    view: DebugView<'_>,
    record: &DebugRecord,
) -> Result<Step, DebugError> {
    if failed_attempts(record) == 0 {
        return Ok(Step::new(NAME, "nothing had failed: nothing to learn".to_owned()));
    }
    let redactor = writer.recorder.redactor();
    let (session, by) = (record.session.id, DebugAuthor::Annals);
    let (mut patterns, mut tried, mut left_out) = (Vec::new(), Vec::new(), 0);
    if !record.beside.patterns_told {
        let (found, more) = met(&record.document);
        left_out = more;
        for met in found {
            let (pattern, attempt) = pattern(redactor, view, record, met)?;
            // Its first trial, which a verdict by hand may correct.
            tried.extend(attempt.map(|attempt| {
                let template = TemplateRef { session, pattern: pattern.pattern.clone() };
                Body::TemplateTried(TemplateTried { session, attempt, template, worked: true })
            }));
            patterns.push(pattern);
        }
    }
    let recurring = recurring(&record.document);
    let outcome = format!(
        "{} learnt{}, {} failed more than once{}",
        counted(patterns.len(), "pattern"),
        if left_out > 0 { format!(" ({left_out} more left out)") } else { String::new() },
        counted(recurring.len(), "test"),
        if record.beside.patterns_told { " (a caller has told the patterns)" } else { "" }
    );
    let learnings = Learnings {
        patterns_identified: (!patterns.is_empty()).then_some(patterns),
        recurring_failures: (!recurring.is_empty()).then_some(recurring),
        code_quality_issues: None,
        recommendations: None,
    };
    let command = &writer.project.config().debug.hooks.extract_learnings;
    let command = HookCommand::of(command.as_ref(), || {
        let mut input = writer.input(NAME, record);
        input["learnings"] = json!(learnings);
        input
    });
    let is_any = learnings != Learnings::default();
    let learnt = LearningExtracted { session, by, learnings, tallies: Vec::new() };
    let learnt = is_any.then_some(Body::LearningExtracted(learnt));
    Ok(Step::new(NAME, outcome).recording(learnt.into_iter().chain(tried)).running(command))
}

/// The pattern of a failure, and the attempt whose fix helped against it.
fn pattern(
    redactor: &Redactor,
    view: DebugView<'_>,
    record: &DebugRecord,
    met: Met<'_>,
) -> Result<(ErrorPattern, Option<u32>), DebugError> {
    let Met { failure, execution, message, name } = met;
    let document = &record.document;
    let since = document.executions.iter().filter(|it| it.attempt >= execution.attempt);
    let mut analyses = since.filter_map(|it| it.analysis.as_ref());
    let category = analyses.find_map(|analysis| analysis.root_cause_category);
    let category = category.map_or(failure.error_type.as_str(), |category| category.as_str());
    let helped = helped(record, execution.attempt);
    let fix_template = helped.map(|(_, fix)| template(fix)).map(|mut text| {
        cut(redactor, &mut text, TEXT_BYTES_MAX);
        text
    });
    let pattern = ErrorPattern {
        pattern: name,
        category: Some(category.to_owned()),
        frequency: view.sessions_with_message(&message)?.max(1),
        effectiveness: None,
        fix_template,
    };
    Ok((pattern, helped.map(|(attempt, _)| attempt)))
}

/// The fix that helped against what was last seen in this attempt, and the attempt that it followed. One
/// that was made from a template teaches nothing new: its trials are counted where it was learnt.
fn helped(record: &DebugRecord, attempt: u32) -> Option<(u32, &Fix)> {
    let execution = helping_fix(&record.document, &record.beside, attempt)?;
    let origin = record.beside.fixes.get(&execution.attempt);
    let is_of_template = origin.is_some_and(|origin| origin.template.is_some());
    let fix = execution.fix_applied.as_ref().filter(|_| !is_of_template)?;
    Some((execution.attempt, fix))
}

/// What was changed, as a template for the next time.
fn template(fix: &Fix) -> String {
    match &fix.diff_summary {
        Some(summary) if !fix.description.contains(summary.as_str()) => {
            format!("{} ({summary})", fix.description)
        }
        _ => fix.description.clone(),
    }
}

/// Tests that failed in more than one attempt; they pass now.
fn recurring(document: &DebugDocument) -> Vec<RecurringFailure> {
    let mut attempts: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for execution in &document.executions {
        for failure in execution.failures.iter().flatten() {
            let of_test = attempts.entry(&failure.test_name).or_default();
            if of_test.last() != Some(&execution.attempt) {
                of_test.push(execution.attempt);
            }
        }
    }
    let often = attempts.into_iter().filter(|(_, attempts)| attempts.len() > 1);
    let told = often.map(|(test, attempts)| RecurringFailure {
        test: Some(test.to_owned()),
        occurrences: i64::try_from(attempts.len()).ok(), // a thousand at most
        resolution: Some(Resolution::Resolved),
        notes: None,
    });
    told.take(LIST_LEN_MAX).collect()
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
