//! pytest's last line.

use crate::event::TestResults;
use crate::parse::test_report::counts::{counts, milliseconds};

/// Reads `==== 8 failed, 2 passed, 1 error in 1.18s ====`, with its rules or without.
pub fn totals(line: &str) -> Option<TestResults> {
    let line = line.trim_matches('=').trim();
    let (told, took) = line.rsplit_once(" in ")?;
    let took = took.split(' ').next().unwrap_or(took); // ` (0:01:02)` may follow
    let took = took.ends_with('s').then(|| milliseconds(took)).flatten()?;
    let told = if told == "no tests ran" { Vec::new() } else { counts(told).unwrap_or_default() };
    if told.is_empty() && !line.starts_with("no tests ran") {
        return None;
    }
    let mut results = TestResults { duration_ms: Some(took), ..TestResults::default() };
    let mut skipped = 0_u64;
    for (word, count) in told {
        let sum = match word {
            "passed" | "xpassed" => &mut results.passed,
            "failed" => &mut results.failed,
            "error" | "errors" => results.errors.get_or_insert(0),
            // One that is known to fail is no failure, and has not passed.
            "skipped" | "xfailed" => &mut skipped,
            "deselected" | "warning" | "warnings" | "rerun" | "reruns" => continue,
            _ if word.starts_with("subtests") => continue,
            _ => return None,
        };
        *sum = sum.saturating_add(count);
    }
    results.skipped = Some(skipped).filter(|it| *it > 0);
    results.total = [results.errors, results.skipped]
        .into_iter()
        .flatten()
        .fold(results.passed.saturating_add(results.failed), u64::saturating_add);
    Some(results)
}

/// Adds one session's totals to those before.
pub fn add(results: &mut TestResults, more: &TestResults) {
    let sum = |one: Option<u64>, other: Option<u64>| match (one, other) {
        (None, None) => None,
        (one, other) => Some(one.unwrap_or(0).saturating_add(other.unwrap_or(0))),
    };
    results.passed = results.passed.saturating_add(more.passed);
    results.failed = results.failed.saturating_add(more.failed);
    results.total = results.total.saturating_add(more.total);
    results.errors = sum(results.errors, more.errors);
    results.skipped = sum(results.skipped, more.skipped);
    results.duration_ms = sum(results.duration_ms, more.duration_ms);
}
