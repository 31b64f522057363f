//! Makes of what events say what the schema takes: nothing empty where it may be left out, no number out
//! of its range, no number that reads back as another.

use crate::event::{
    Analysis, DebugDocument, DebugEnvironment, DebugExecution, DebugMetadata, Fix, Json, Learnings,
    Ordered, SourceLocation, TemplateTally, TestFailure,
};

/// Characters that the schema wants of a root cause and of a strategy.
const TEXT_CHARS_MIN: usize = 20;
/// Put behind a text that is too short: redaction can leave less than was told.
const SHORT: &str = " (no more was told of it)";
/// Of fractions so many decimals are kept: more may not be read as they were written.
const DECIMALS: f64 = 1e6;

pub fn document(mut it: DebugDocument) -> DebugDocument {
    it.executions = it.executions.into_iter().map(execution).collect();
    it.executions.order_by_key(|execution| execution.attempt);
    it.executions.dedup_by_key(|execution| execution.attempt);
    it.learnings = it.learnings.and_then(learnings);
    it.metadata = it.metadata.filter(|metadata| *metadata != DebugMetadata::default());
    it
}

pub fn execution(mut it: DebugExecution) -> DebugExecution {
    it.environment = it.environment.and_then(environment);
    let coverage = it.test_results.coverage_percent;
    it.test_results.coverage_percent = coverage.and_then(|share| within(share, 100.0));
    it.failures = some(it.failures).map(|all| all.into_iter().map(failure).collect());
    it.analysis = it.analysis.map(analysis);
    it.fix_applied = it.fix_applied.map(fix);
    it
}

fn environment(mut it: DebugEnvironment) -> Option<DebugEnvironment> {
    let canonical = |json: Json| Json::canonical("additional", &json.0).ok(); // none then
    let additional = it.additional.and_then(canonical).filter(|json| json.is_object());
    it.additional = additional.filter(|json| is_read_by_all(&json.0));
    (it != DebugEnvironment::default()).then_some(it)
}

/// Whether whoever reads the document can read this within it: no number beyond a double's range, and not
/// too deep below what holds it.
fn is_read_by_all(json: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(&format!("[[[[[[[[{json}]]]]]]]]")).is_ok()
}

fn failure(mut it: TestFailure) -> TestFailure {
    it.source_location = it.source_location.filter(|at| *at != SourceLocation::default());
    it
}

pub fn analysis(mut it: Analysis) -> Analysis {
    it.root_cause = long_enough(it.root_cause);
    it.fix_strategy = long_enough(it.fix_strategy);
    it.confidence = it.confidence.and_then(|share| within(share, 1.0));
    it.related_failures = some(it.related_failures);
    it.similar_past_issues = some(it.similar_past_issues);
    it
}

pub fn fix(mut it: Fix) -> Fix {
    it.files_changed = some(it.files_changed);
    it
}

pub fn learnings(mut it: Learnings) -> Option<Learnings> {
    it.patterns_identified = some(it.patterns_identified);
    for pattern in it.patterns_identified.iter_mut().flatten() {
        pattern.frequency = pattern.frequency.max(1);
        pattern.effectiveness = pattern.effectiveness.and_then(|share| within(share, 1.0));
    }
    it.recurring_failures = some(it.recurring_failures);
    it.code_quality_issues = some(it.code_quality_issues);
    it.recommendations = some(it.recommendations);
    (it != Learnings::default()).then_some(it)
}

pub fn tally(it: &TemplateTally) -> TemplateTally {
    let (trials, pattern) = (it.trials, it.pattern.clone());
    TemplateTally { pattern, successes: it.successes.min(trials), trials }
}

pub fn effectiveness(tally: &TemplateTally) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "nobody tries anything 2^53 times")]
    let share = || tally.successes as f64 / tally.trials as f64;
    (tally.trials > 0).then(share).and_then(|share| within(share, 1.0))
}

fn within(number: f64, most: f64) -> Option<f64> {
    let kept = (number.clamp(0.0, most) * DECIMALS).round() / DECIMALS;
    number.is_finite().then_some(kept)
}

fn some<T>(list: Option<Vec<T>>) -> Option<Vec<T>> {
    list.filter(|list| !list.is_empty())
}

fn long_enough(mut text: String) -> String {
    if text.chars().take(TEXT_CHARS_MIN).count() < TEXT_CHARS_MIN {
        text.push_str(SHORT);
    }
    text
}
