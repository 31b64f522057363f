//! An attempt that was given, checked and cut to its limits.

use super::AttemptGiven;
use crate::debug::cut::{cut, cut_any};
use crate::debug::limits::{
    ADDITIONAL_BYTES_MAX, FAILURES_MAX, MESSAGE_BYTES_MAX, NAME_BYTES_MAX, PATH_BYTES_MAX,
    SNAPSHOT_BYTES_MAX, STACK_BYTES_MAX, VALUE_BYTES_MAX,
};
use crate::debug::{DebugError, fields, room};
use crate::event::{DebugEnvironment, Json, TestFailure, TestResults};
use crate::redact::Redactor;

impl AttemptGiven {
    /// As it is recorded: what a test printed is cut, what a caller says is refused where it is too
    /// long.
    pub(crate) fn checked(mut self, redactor: &Redactor) -> Result<Self, DebugError> {
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
        self.failures.truncate(room::kept(&self.failures));
        Ok(self)
    }
}

fn checked_environment(it: &mut DebugEnvironment) -> Result<(), DebugError> {
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

fn checked_results(it: &TestResults) -> Result<(), DebugError> {
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
