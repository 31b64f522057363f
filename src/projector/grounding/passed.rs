//! Whether a check passed.

use super::CheckKind;
use crate::event::{Closing, Outcome};
use crate::projector::content;
use crate::projector::diagnostics::Diagnostic;

/// Of each output, the bytes that are read: half of them from its beginning, half from its end.
const OUTPUT_BYTES_MAX: usize = 128 << 10;

/// What failing checks print. A passing one that prints it has to be run alone.
const SIGNS: [&str; 12] = [
    "test result: FAILED",
    "error: could not compile",
    "error: test failed",
    "error[E",
    "npm ERR!",
    "--- FAIL",
    "FAILED",
    "error TS",
    "panicked at",
    "Traceback (most recent call last)",
    "AssertionError",
    "make: ***",
];

/// What a failing runner prints at a line's beginning: no exit code outweighs it.
const VERDICTS: [&str; 4] =
    ["\ntest result: FAILED", "\nerror: test failed", "\n--- FAIL", "\nFAILED ("];

/// What passing checks print, besides counts.
const PASSES: [&str; 14] = [
    "test result: ok",
    "Finished",
    "\nok  \t",
    "\nPASS",
    "\nOK",
    "BUILD SUCCESS",
    "Build succeeded",
    "no issues found",
    "All checks passed",
    "0 issues",
    "0 errors",
    "0 problems",
    "ompiled successfully",
    "built in",
];

/// What a test runner prints that found no test to run.
const NOTHING: [&str; 12] = [
    "running 0 tests",
    "Ran 0 tests",
    "collected 0 items",
    "no tests ran",
    "no tests to run",
    "[no test files]",
    "No tests found",
    "No test files found",
    "No test is available",
    "Tests run: 0,",
    "0 passing",
    "0 passed",
];

/// Whether a check passed. Where something behind it had the last word, what it printed must be here
/// to be read and say so; one that found nothing to check has not passed.
pub(super) fn passed(kind: CheckKind, closing: &Closing, found: &[Diagnostic]) -> bool {
    if kind == CheckKind::None || closing.outcome != Outcome::Ok {
        return false;
    }
    if closing.exit_code.is_some_and(|code| code != 0) {
        return false;
    }
    let printed = [&closing.stdout, &closing.stderr];
    let printed = printed.into_iter().flatten().map(|it| content::text(it, OUTPUT_BYTES_MAX));
    let texts: Vec<_> = printed.collect();
    // Line ends before it let a sign stand at a line's beginning.
    let text = texts.iter().flatten().fold(String::new(), |text, it| text + "\n" + it);
    if NOTHING.iter().any(|sign| text.contains(sign)) && !counts_passes(&text) {
        return false;
    }
    if VERDICTS.iter().any(|verdict| text.contains(verdict)) {
        return false;
    }
    if kind == CheckKind::Plain {
        return true;
    }
    let is_here = texts.iter().all(Option::is_some);
    let fails = SIGNS.iter().any(|sign| text.contains(sign)) || counts_failures(&text);
    let says = PASSES.iter().any(|sign| text.contains(sign)) || counts_passes(&text);
    let is_silent = kind == CheckKind::Quiet && text.trim().is_empty();
    is_here && !fails && (says || is_silent) && !found.iter().any(|one| one.level == "error")
}

/// `3 passed`, `ok  \tpackage\t0.1s`: that a test was run and passed.
fn counts_passes(text: &str) -> bool {
    let went = |line: &str| line.starts_with("ok  \t") && !line.contains("[no tests to run]");
    counts(text, &[" passed", " passing"])
        || text.lines().any(went)
        || ["running ", "Ran ", "Tests run: "].iter().any(|word| {
            text.match_indices(word).any(|(at, _)| {
                let rest = text[at + word.len()..].trim_start_matches('0');
                rest.starts_with(|c: char| c.is_ascii_digit())
            })
        })
}

/// `3 failed`, `1 failing`: a number above 0 before the word.
fn counts_failures(text: &str) -> bool {
    counts(text, &[" failed", " failing", " failures", " errors"])
}

fn counts(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| {
        text.match_indices(word).any(|(at, _)| {
            let mut digits = text[..at].bytes().rev().take_while(u8::is_ascii_digit);
            digits.any(|digit| digit != b'0')
        })
    })
}
