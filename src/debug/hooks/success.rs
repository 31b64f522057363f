//! The hooks after a success: what is learnt of the failures before it, and how its templates did.

use std::collections::BTreeMap;

use serde_json::json;

use super::Step;
use super::learnt_fix::helped;
use crate::debug::DebugWriter;
use crate::debug::error::Result;
use crate::debug::fields::cut;
use crate::debug::limits::{LIST_LEN_MAX, TEXT_BYTES_MAX};
use crate::debug::query::{CauseKey, Causes, DebugRecord, DebugView, cause_of};
use crate::debug::rules::failed_attempts;
use crate::event::{
    Body, DebugAuthor, DebugDocument, DebugExecution, ErrorPattern, LearningExtracted, Learnings,
    RecurringFailure, Resolution, TemplateRef, TemplateTried, TestFailure, Verification,
    normalised_message,
};

pub(super) const EXTRACT_LEARNINGS: &str = "on_success.extract_learnings";
pub(super) const UPDATE_EFFECTIVENESS: &str = "on_success.update_fix_effectiveness";
/// Patterns that are made of one session.
const PATTERNS_MAX: usize = 20;
/// Of a pattern's name, characters.
const NAME_CHARS_MAX: usize = 80;

/// What failed before it passed, and what helped.
pub(super) fn extract_learnings(
    writer: &DebugWriter<'_, '_>,
    view: DebugView<'_>,
    record: &DebugRecord,
) -> Result<Step> {
    if failed_attempts(record) == 0 {
        return Ok(Step::new(EXTRACT_LEARNINGS, "nothing had failed: nothing to learn".to_owned()));
    }
    let (session, by) = (record.session.id, DebugAuthor::Annals);
    let (mut patterns, mut tried, mut left_out) = (Vec::new(), Vec::new(), 0);
    if !record.beside.patterns_told {
        let causes = Causes::of(&record.document);
        let (found, more) = met(&record.document, &causes);
        left_out = more;
        for met in found {
            let (pattern, trials) = pattern(writer, view, record, &causes, met)?;
            // A verdict by hand may correct them.
            tried.extend(trials.into_iter().map(|(attempt, worked)| {
                let template = TemplateRef { session, pattern: pattern.pattern.clone() };
                Body::TemplateTried(TemplateTried { session, attempt, template, worked })
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
    let named = &writer.hooks().extract_learnings;
    let command = writer.command(EXTRACT_LEARNINGS, named, record, |input| {
        input["learnings"] = json!(learnings);
    });
    let is_any = learnings != Learnings::default();
    let learnt = LearningExtracted { session, by, learnings, tallies: Vec::new() };
    let learnt = is_any.then_some(Body::LearningExtracted(learnt));
    let bodies = learnt.into_iter().chain(tried).collect();
    Ok(Step { bodies, command, ..Step::new(EXTRACT_LEARNINGS, outcome) })
}

/// The pattern of a failure, and the trials of its template: the attempts that it followed, and whether it helped.
fn pattern(
    writer: &DebugWriter<'_, '_>,
    view: DebugView<'_>,
    record: &DebugRecord,
    causes: &Causes,
    met: Met<'_>,
) -> Result<(ErrorPattern, Vec<(u32, bool)>)> {
    let (template, trials) = helped(view, record, causes, &met)?.unzip();
    let Met { failure, execution, key, name } = met;
    let document = &record.document;
    let since = document.executions.iter().filter(|it| it.attempt >= execution.attempt);
    let mut analyses = since.filter_map(|it| it.analysis.as_ref());
    let category = analyses.find_map(|analysis| analysis.root_cause_category);
    let category = category.map_or(failure.error_type.as_str(), |category| category.as_str());
    let fix_template = template.map(|mut text| {
        cut(writer.recorder.redactor(), &mut text, TEXT_BYTES_MAX);
        text
    });
    let pattern = ErrorPattern {
        pattern: name,
        category: Some(category.to_owned()),
        frequency: writer.sessions_with(view, record.session.id, &key)?.max(1),
        effectiveness: None,
        fix_template,
    };
    Ok((pattern, trials.unwrap_or_default()))
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

/// The templates that fixes were made from have one trial more.
pub(super) fn update_effectiveness(
    writer: &DebugWriter<'_, '_>,
    view: DebugView<'_>,
    record: &DebugRecord,
) -> Result<Step> {
    let mut tried = Vec::new();
    for uncounted in record.uncounted_templates() {
        let verification = uncounted.verification.unwrap_or(Verification::Pending);
        tried.extend(writer.tried(view, record, uncounted.attempt, verification)?);
    }
    let told: Vec<_> = tried
        .iter()
        .filter_map(|body| match body {
            Body::TemplateTried(it) => Some(json!({
                "session_id": it.template.session.to_string(),
                "pattern": it.template.pattern,
                "attempt": it.attempt,
                "worked": it.worked,
            })),
            _ => None,
        })
        .collect();
    let outcome = match told.len() {
        0 => "no template was tried".to_owned(),
        1 => "1 template was tried".to_owned(),
        count => format!("{count} templates were tried"),
    };
    let named = &writer.hooks().update_fix_effectiveness;
    let command = writer.command(UPDATE_EFFECTIVENESS, named, record, |input| {
        input["tried"] = told.into();
    });
    Ok(Step { bodies: tried, command, ..Step::new(UPDATE_EFFECTIVENESS, outcome) })
}

/// A failure that a session met, as it was seen last.
#[derive(Debug)]
pub(super) struct Met<'d> {
    pub failure: &'d TestFailure,
    pub execution: &'d DebugExecution,
    /// Its cause's.
    pub key: CauseKey,
    pub name: String,
}

/// Failures of different causes, in the order in which they first were, and how many more
/// there are.
pub(super) fn met<'d>(document: &'d DebugDocument, causes: &Causes) -> (Vec<Met<'d>>, usize) {
    let mut places: BTreeMap<_, usize> = BTreeMap::new();
    let mut found: Vec<Met<'d>> = Vec::new();
    let mut more = 0;
    for (execution, failures) in causes.with(document) {
        for (failure, key) in failures {
            if let Some(at) = places.get(&key) {
                if let Some(met) = found.get_mut(*at) {
                    (met.failure, met.execution) = (failure, execution);
                }
                continue;
            }
            if found.len() < PATTERNS_MAX {
                places.insert(key, found.len());
                let message = normalised_message(&failure.error_message);
                let name = unused(slug(failure, &message), &found);
                found.push(Met { failure, execution, key, name });
            } else {
                // No place in what was found: it is only counted, and once.
                places.insert(key, usize::MAX);
                more += 1;
            }
        }
    }
    (found, more)
}

pub(super) fn name_of(document: &DebugDocument, failure: &TestFailure) -> Option<String> {
    let key = cause_of(failure).key();
    let (found, _) = met(document, &Causes::of(document));
    found.into_iter().find(|met| met.key == key).map(|met| met.name)
}

fn unused(name: String, others: &[Met<'_>]) -> String {
    let is_taken = |name: &str| others.iter().any(|other| other.name == name);
    if !is_taken(&name) {
        return name;
    }
    let mut numbered = (2..).map(|number: u32| format!("{name}_{number}"));
    numbered.find(|name| !is_taken(name)).unwrap_or_default()
}

/// `typeerror_cannot_read_property_length_of_null`
fn slug(failure: &TestFailure, message: &str) -> String {
    let kind = failure.error_type.as_str().to_ascii_lowercase();
    let words = message.split(|letter: char| !letter.is_alphanumeric()).filter(|it| !it.is_empty());
    let name = [kind.as_str()].into_iter().chain(words).collect::<Vec<_>>().join("_");
    let name: String = name.chars().take(NAME_CHARS_MAX).collect();
    name.trim_end_matches('_').to_owned()
}
