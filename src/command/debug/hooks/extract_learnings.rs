//! `on_success.extract_learnings`: what failed before it passed, and what helped.

use std::collections::BTreeMap;

use serde_json::json;

use super::command::HookCommand;
use super::step::Step;
use crate::command::Redactor;
use crate::command::debug::cut::cut;
use crate::command::debug::limits::{LIST_LEN_MAX, TEXT_BYTES_MAX};
use crate::command::debug::rules::failed_attempts;
use crate::command::debug::{DebugError, DebugWriter};
use crate::event::{
    Body, DebugAuthor, DebugDocument, DebugExecution, ErrorPattern, Fix, LearningExtracted,
    Learnings, RecurringFailure, Resolution, TemplateTally, TestFailure, Verification,
    normalised_message,
};
use crate::query::debug::{DebugRecord, DebugView};

pub(super) const NAME: &str = "on_success.extract_learnings";
/// Patterns that are made of one session.
const PATTERNS_MAX: usize = 20;
/// Of a pattern's name, characters.
const NAME_CHARS_MAX: usize = 80;

pub(super) fn step(
    writer: &DebugWriter<'_, '_>,
    view: DebugView<'_>,
    record: &DebugRecord,
) -> Result<Step, DebugError> {
    if failed_attempts(record) == 0 {
        return Ok(Step::new(NAME, "nothing had failed: nothing to learn".to_owned()));
    }
    let redactor = writer.recorder.redactor();
    let (mut patterns, mut tallies) = (Vec::new(), Vec::new());
    if !record.beside.patterns_told {
        for (failure, execution) in distinct(&record.document) {
            let (pattern, tally) =
                pattern(redactor, view, record, (failure, execution), &patterns)?;
            patterns.push(pattern);
            tallies.extend(tally);
        }
    }
    let recurring = recurring(&record.document);
    let outcome = format!(
        "{} learnt, {} failed more than once{}",
        counted(patterns.len(), "pattern"),
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
    let (session, by) = (record.session.id, DebugAuthor::Annals);
    let is_any = learnings != Learnings::default();
    let learnt = LearningExtracted { session, by, learnings, tallies };
    let learnt = is_any.then_some(Body::LearningExtracted(learnt));
    Ok(Step::new(NAME, outcome).recording(learnt).running(command))
}

/// Failures that differ in error or message, with the last attempt that each was seen in, in the order in
/// which they first were.
fn distinct(document: &DebugDocument) -> Vec<(&TestFailure, &DebugExecution)> {
    let mut places = BTreeMap::new();
    let mut found: Vec<(&TestFailure, &DebugExecution)> = Vec::new();
    for execution in &document.executions {
        for failure in execution.failures.iter().flatten() {
            let key = (failure.error_type, normalised_message(&failure.error_message));
            match places.get(&key) {
                Some(at) => found[*at] = (failure, execution),
                None if found.len() < PATTERNS_MAX => {
                    places.insert(key, found.len());
                    found.push((failure, execution));
                }
                None => {}
            }
        }
    }
    found
}

fn pattern(
    redactor: &Redactor,
    view: DebugView<'_>,
    record: &DebugRecord,
    (failure, execution): (&TestFailure, &DebugExecution),
    others: &[ErrorPattern],
) -> Result<(ErrorPattern, Option<TemplateTally>), DebugError> {
    let document = &record.document;
    let message = normalised_message(&failure.error_message);
    let mut name = slug(failure, &message);
    let is_taken = |name: &str| others.iter().any(|other| other.pattern == name);
    if is_taken(&name) {
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        name = numbered.into_iter().find(|name| !is_taken(name)).unwrap_or_default();
    }
    let since = document.executions.iter().filter(|it| it.attempt >= execution.attempt);
    let mut analyses = since.filter_map(|it| it.analysis.as_ref());
    let category = analyses.find_map(|analysis| analysis.root_cause_category);
    let category = category.map_or(failure.error_type.as_str(), |category| category.as_str());
    let fix_template = helped(record, execution.attempt).map(template).map(|mut text| {
        cut(redactor, &mut text, TEXT_BYTES_MAX);
        text
    });
    let tally = fix_template.as_ref().map(|_| TemplateTally {
        pattern: name.clone(),
        successes: 1,
        trials: 1,
    });
    let frequency = view.sessions_with_message(&message)?.max(1);
    let pattern = ErrorPattern {
        pattern: name,
        category: Some(category.to_owned()),
        frequency,
        effectiveness: fix_template.as_ref().map(|_| 1.0),
        fix_template,
    };
    Ok((pattern, tally))
}

/// The fix that helped against what was last seen in this attempt. One that was made from a template
/// teaches nothing new: its trials are counted where it was learnt.
fn helped(record: &DebugRecord, attempt: u32) -> Option<&Fix> {
    let since = record.document.executions.iter().filter(|it| it.attempt >= attempt);
    let is_of_template = |execution: &DebugExecution| {
        let origin = record.beside.fixes.get(&execution.attempt);
        origin.is_some_and(|origin| origin.template.is_some())
    };
    let mut fixes = since.filter_map(|it| Some((it.fix_applied.as_ref()?, is_of_template(it))));
    let helped = fixes.find(|(fix, _)| fix.verification == Some(Verification::Passed));
    helped.filter(|(_, is_of_template)| !is_of_template).map(|(fix, _)| fix)
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

/// `typeerror_cannot_read_property_length_of_null`
fn slug(failure: &TestFailure, message: &str) -> String {
    let kind = failure.error_type.as_str().to_ascii_lowercase();
    let words = message.split(|letter: char| !letter.is_alphanumeric()).filter(|it| !it.is_empty());
    let name = [kind.as_str()].into_iter().chain(words).collect::<Vec<_>>().join("_");
    let name: String = name.chars().take(NAME_CHARS_MAX).collect();
    name.trim_end_matches('_').to_owned()
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
