//! What is given of a session, an attempt, a fix, a learning.

use serde::de::DeserializeOwned;

use super::documents::one_json;
use super::error::Result;
use super::fields::{cut, cut_any, refused};
use super::limits::{
    ADDITIONAL_BYTES_MAX, DIFF_BYTES_MAX, FAILURES_MAX, MESSAGE_BYTES_MAX, NAME_BYTES_MAX,
    PATH_BYTES_MAX, SNAPSHOT_BYTES_MAX, STACK_BYTES_MAX, VALUE_BYTES_MAX,
};
use super::schema::held_to_shape;
use super::{DebugError, fields};
use crate::event::{
    Analysis, DebugEnvironment, DebugSessionId, ExecutionId, Fix, Json, Learnings, SimilarIssue,
    TemplateRef, TemplateTally, TestFailure, TestResults, Verification,
};
use crate::parse::json;
use crate::redact::Redactor;

pub(crate) fn checked_analysis(mut it: Analysis) -> Result<Analysis> {
    fields::reason("root_cause", &it.root_cause)?;
    fields::reason("fix_strategy", &it.fix_strategy)?;
    fields::share("confidence", it.confidence, 1.0)?;
    fields::list("related_failures", &mut it.related_failures, |at, name| fields::name(at, name))?;
    fields::list("similar_past_issues", &mut it.similar_past_issues, |at, issue| {
        if *issue == SimilarIssue::default() {
            return refused(at, "says nothing");
        }
        let texts = [
            ("session_id", &issue.session_id),
            ("file", &issue.file),
            ("resolution", &issue.resolution),
        ];
        given(at, &texts)
    })?;
    Ok(it)
}

impl FixGiven {
    pub(crate) fn checked(mut self) -> Result<Self> {
        let it = &mut self.fix;
        fields::text("description", &it.description)?;
        if let Some(summary) = &it.diff_summary {
            fields::word("diff_summary", summary)?;
        }
        if let Some(diff) = &it.diff {
            fields::at_most("diff", diff, DIFF_BYTES_MAX)?;
        }
        fields::list("files_changed", &mut it.files_changed, |at, path| fields::path(at, path))?;
        it.verification.get_or_insert(Verification::Pending);
        Ok(self)
    }
}

impl LearnGiven {
    pub(crate) fn checked(mut self) -> Result<Self> {
        let it = &mut self.learnings;
        fields::list("patterns_identified", &mut it.patterns_identified, |at, pattern| {
            fields::name(&format!("{at}.pattern"), &pattern.pattern)?;
            given(at, &[("category", &pattern.category), ("fix_template", &pattern.fix_template)])?;
            if pattern.frequency == 0 {
                return refused(&format!("{at}.frequency"), "is 0; it must be 1 at least");
            }
            fields::count(&format!("{at}.frequency"), pattern.frequency)?;
            fields::share(&format!("{at}.effectiveness"), pattern.effectiveness, 1.0)
        })?;
        fields::list("recurring_failures", &mut it.recurring_failures, |at, failure| {
            fields::signed(&format!("{at}.occurrences"), failure.occurrences)?;
            given(at, &[("test", &failure.test), ("notes", &failure.notes)])
        })?;
        fields::list("code_quality_issues", &mut it.code_quality_issues, |at, issue| {
            given(at, &[("issue", &issue.issue), ("location", &issue.location)])
        })?;
        fields::list("recommendations", &mut it.recommendations, |at, told| {
            fields::text(at, told)
        })?;
        let nothing = it.patterns_identified.is_none()
            && it.recurring_failures.is_none()
            && it.code_quality_issues.is_none()
            && it.recommendations.is_none();
        if nothing {
            return refused(
                "learnings",
                "say nothing: tell a pattern, a failure, an issue or advice",
            );
        }
        for (at, tally) in self.tallies.iter().enumerate() {
            self.checked_tally(&format!("tallies[{at}]"), tally)?;
        }
        Ok(self)
    }

    fn checked_tally(&self, field: &str, tally: &TemplateTally) -> Result<()> {
        fields::count(field, tally.trials)?;
        if tally.successes > tally.trials {
            return refused(field, "has more successes than trials");
        }
        let mut patterns = self.learnings.patterns_identified.iter().flatten();
        match patterns.any(|pattern| pattern.pattern == tally.pattern) {
            true => Ok(()),
            false => refused(field, "is of no pattern that is told"),
        }
    }
}

fn given(field: &str, texts: &[(&str, &Option<String>)]) -> Result<()> {
    texts.iter().try_for_each(|(name, told)| match told {
        Some(told) => fields::text(&format!("{field}.{name}"), told),
        None => Ok(()),
    })
}

/// JSON that a caller gives for a field, in the schema's shape: `execution`, `environment`,
/// `test_results`, `failures`, `analysis`, `fix_applied`, `learnings`, `recurring_failures`,
/// `code_quality_issues`; of the lists also one item. Any other field is only read.
pub fn given_json<T: DeserializeOwned>(field: &str, text: &str) -> Result<T> {
    let wrong = |why: String| DebugError::Field {
        field: field.to_owned(),
        why: format!("is not as the contract's schema has it: {why}"),
    };
    let value = one_json(text).map_err(wrong)?;
    held_to_shape(field, &value)?;
    // From the text: a number that goes through a float may not come back the same.
    json::read(text.as_bytes()).map_err(|error| wrong(error.to_string()))
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenGiven {
    /// `None`: a new one.
    pub session: Option<DebugSessionId>,
    /// The primary file: relative to the project's root with `/` where it lies below it; kept as it
    /// is given where it does not.
    pub file_path: String,
    /// `None`: as the settings have it. 1 at least.
    pub attempts_max: Option<u32>,
    pub agent: Option<String>,
    pub task_id: Option<String>,
    pub ralph_iteration: Option<i64>,
}

/// What is given of an attempt: its number follows from its session. What is longer than the limits is
/// cut and says so.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttemptGiven {
    /// The recorded execution of the tests, where there is one.
    pub execution: Option<ExecutionId>,
    /// SHA-256 of the code in hexadecimal digits, or what the caller has.
    pub code_hash: String,
    /// The code itself, where it is to be kept.
    pub code_snapshot: Option<Vec<u8>>,
    pub environment: Option<DebugEnvironment>,
    pub results: TestResults,
    pub failures: Vec<TestFailure>,
}

/// What is given of a fix. Its verification is pending where nothing is said.
#[derive(Clone, Debug, PartialEq)]
pub struct FixGiven {
    pub fix: Fix,
    /// The template that it was made from. `None`: where annals had proposed one for the same attempt,
    /// and the fix has the same description, that one.
    pub template: Option<TemplateRef>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct LearnGiven {
    pub learnings: Learnings,
    /// How often templates were tried before, by the names of their patterns.
    pub tallies: Vec<TemplateTally>,
}

impl AttemptGiven {
    /// As it is recorded: what a test printed is cut, what a caller says is refused where it is too
    /// long.
    pub(crate) fn checked(mut self, redactor: &Redactor) -> Result<Self> {
        fields::word("code_hash", &self.code_hash)?;
        if redactor.holds_secret(&self.code_hash) {
            return fields::refused("code_hash", "looks like a secret, and would be kept as it is");
        }
        if let Some(code) = &self.code_snapshot
            && code.len() > SNAPSHOT_BYTES_MAX
        {
            let why = format!("has {} bytes; {SNAPSHOT_BYTES_MAX} at most", code.len());
            return fields::refused("code_snapshot", &why);
        }
        if let Some(environment) = &mut self.environment {
            checked_environment(environment)?;
        }
        self.environment.take_if(|it| *it == DebugEnvironment::default());
        checked_results(&self.results)?;
        let it = &self.results;
        let bad = it.failed.saturating_add(it.errors.unwrap_or_default());
        if bad == 0 && it.total > 0 && !self.failures.is_empty() {
            let why = format!("is 0, and so are errors; told of failures: {}", self.failures.len());
            return fields::refused("test_results.failed", &why);
        }
        self.failures.truncate(FAILURES_MAX);
        for (at, failure) in self.failures.iter_mut().enumerate() {
            fit(redactor, failure);
            if failure.test_name.trim().is_empty() {
                return fields::refused(&format!("failures[{at}].test_name"), "is empty");
            }
            let lines = [("test_line", failure.test_line)];
            let source = failure.source_location.as_ref().and_then(|it| it.line);
            for (name, line) in lines.into_iter().chain([("source_location.line", source)]) {
                fields::signed(&format!("failures[{at}].{name}"), line)?;
            }
        }
        self.failures.truncate(fields::kept(&self.failures));
        Ok(self)
    }
}

fn checked_environment(it: &mut DebugEnvironment) -> Result<()> {
    let words = [
        ("runtime", &mut it.runtime),
        ("runtime_version", &mut it.runtime_version),
        ("test_framework", &mut it.test_framework),
        ("os", &mut it.os),
    ];
    for (name, word) in words {
        word.take_if(|word| word.is_empty());
        if let Some(word) = word {
            fields::word(&format!("environment.{name}"), word)?;
        }
    }
    let Some(additional) = &mut it.additional else { return Ok(()) };
    let field = "environment.additional";
    fields::at_most(field, &additional.0, ADDITIONAL_BYTES_MAX)?;
    match Json::canonical("additional", &additional.0) {
        Ok(json) if json.is_object() => *additional = json,
        Ok(_) => return fields::refused(field, "must be a JSON object"),
        Err(error) => return fields::refused(field, &format!("is no JSON: {error}")),
    }
    it.additional.take_if(|json| json.0 == "{}");
    Ok(())
}

fn checked_results(it: &TestResults) -> Result<()> {
    let counts = [
        ("total", Some(it.total)),
        ("passed", Some(it.passed)),
        ("failed", Some(it.failed)),
        ("errors", it.errors),
        ("skipped", it.skipped),
        ("duration_ms", it.duration_ms),
    ];
    for (name, count) in counts {
        fields::count(&format!("test_results.{name}"), count.unwrap_or_default())?;
    }
    if it.passed + it.failed > it.total {
        let why = format!("is {}, with {} passed and {} failed", it.total, it.passed, it.failed);
        return fields::refused("test_results.total", &why);
    }
    fields::share("test_results.coverage_percent", it.coverage_percent, 100.0)
}

/// Cuts what a test printed to its limits; what is empty is left out.
fn fit(redactor: &Redactor, it: &mut TestFailure) {
    cut(redactor, &mut it.test_name, NAME_BYTES_MAX);
    cut(redactor, &mut it.error_message, MESSAGE_BYTES_MAX);
    for text in [&mut it.test_file, &mut it.stack_trace, &mut it.expected, &mut it.actual] {
        text.take_if(|text| text.is_empty());
    }
    cut_any(redactor, &mut it.test_file, PATH_BYTES_MAX);
    cut_any(redactor, &mut it.stack_trace, STACK_BYTES_MAX);
    cut_any(redactor, &mut it.expected, VALUE_BYTES_MAX);
    cut_any(redactor, &mut it.actual, VALUE_BYTES_MAX);
    if let Some(at) = &mut it.source_location {
        for text in [&mut at.file, &mut at.function] {
            text.take_if(|text| text.is_empty());
        }
        cut_any(redactor, &mut at.file, PATH_BYTES_MAX);
        cut_any(redactor, &mut at.function, NAME_BYTES_MAX);
    }
    it.source_location.take_if(|at| *at == crate::event::SourceLocation::default());
}
