//! The harness's line of totals.

use crate::event::TestResults;
use crate::parse::test_report::counts::{counts, milliseconds};

/// Reads `test result: FAILED. 1 passed; 10 failed; 1 ignored; 0 measured; 0 filtered out; finished in
/// 0.16s`.
pub fn totals(line: &str) -> Option<TestResults> {
    let (_, rest) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let (told, finished) = rest.split_once("; finished in ").unwrap_or((rest, ""));
    let mut results = TestResults::default();
    for (word, count) in counts(&told.replace("; ", ", "))? {
        match word {
            "passed" | "measured" => results.passed = results.passed.saturating_add(count),
            "failed" => results.failed = count,
            "ignored" => results.skipped = Some(count),
            _ => {}
        }
    }
    let skipped = results.skipped.unwrap_or(0);
    results.total = results.passed.saturating_add(results.failed).saturating_add(skipped);
    results.duration_ms = milliseconds(finished);
    Some(results)
}

/// Adds one binary's totals to those before.
pub fn add(results: &mut TestResults, more: &TestResults) {
    let sum = |one: Option<u64>, other: Option<u64>| match (one, other) {
        (None, None) => None,
        (one, other) => Some(one.unwrap_or(0).saturating_add(other.unwrap_or(0))),
    };
    results.passed = results.passed.saturating_add(more.passed);
    results.failed = results.failed.saturating_add(more.failed);
    results.total = results.total.saturating_add(more.total);
    results.skipped = sum(results.skipped, more.skipped);
    results.duration_ms = sum(results.duration_ms, more.duration_ms);
}
