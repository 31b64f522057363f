//! pytest's last line.

use crate::command::test_report::counts::{counts, milliseconds};
use crate::event::TestResults;

/// Reads `==== 8 failed, 2 passed, 1 error in 1.18s ====`, with its rules or without, and adds it.
pub fn add_totals(line: &str, results: &mut TestResults) -> bool {
    let line = line.trim_matches('=').trim();
    let Some((told, took)) = line.rsplit_once(" in ") else { return false };
    let took = took.split(' ').next().unwrap_or(took); // ` (0:01:02)` may follow
    let Some(took) = took.ends_with('s').then(|| milliseconds(took)).flatten() else {
        return false;
    };
    let told = if told == "no tests ran" { Vec::new() } else { counts(told).unwrap_or_default() };
    if told.is_empty() && !line.starts_with("no tests ran") {
        return false;
    }
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
            _ => return false,
        };
        *sum = sum.saturating_add(count);
    }
    if skipped > 0 {
        results.skipped = Some(results.skipped.unwrap_or(0).saturating_add(skipped));
    }
    results.total = [results.errors, results.skipped]
        .into_iter()
        .flatten()
        .fold(results.passed.saturating_add(results.failed), u64::saturating_add);
    results.duration_ms = Some(results.duration_ms.unwrap_or(0).saturating_add(took));
    true
}
