//! The harness's line of totals.

use crate::command::test_report::counts::{counts, milliseconds};
use crate::event::TestResults;

/// Reads `test result: FAILED. 1 passed; 10 failed; 1 ignored; 0 measured; 0 filtered out; finished in
/// 0.16s` and adds it.
pub fn add_totals(line: &str, results: &mut TestResults) -> bool {
    let Some((_, rest)) = line.strip_prefix("test result: ").and_then(|it| it.split_once(". "))
    else {
        return false;
    };
    let (told, finished) = rest.split_once("; finished in ").unwrap_or((rest, ""));
    let Some(told) = counts(&told.replace("; ", ", ")).map(owned) else { return false };
    for (word, count) in told {
        match word.as_str() {
            "passed" => results.passed = results.passed.saturating_add(count),
            "failed" => results.failed = results.failed.saturating_add(count),
            "ignored" => {
                results.skipped = Some(results.skipped.unwrap_or(0).saturating_add(count));
            }
            "measured" => results.passed = results.passed.saturating_add(count),
            _ => {}
        }
    }
    let skipped = results.skipped.unwrap_or(0);
    results.total = results.passed.saturating_add(results.failed).saturating_add(skipped);
    if let Some(took) = milliseconds(finished) {
        results.duration_ms = Some(results.duration_ms.unwrap_or(0).saturating_add(took));
    }
    true
}

fn owned(told: Vec<(&str, u64)>) -> Vec<(String, u64)> {
    told.into_iter().map(|(word, count)| (word.to_owned(), count)).collect()
}
