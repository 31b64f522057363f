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

/// Whether a check passed. Where something behind it had the last word, what it printed must not
/// say otherwise, and must be here to be read.
pub(super) fn passed(kind: CheckKind, closing: &Closing, found: &[Diagnostic]) -> bool {
    if kind == CheckKind::None || closing.outcome != Outcome::Ok {
        return false;
    }
    if closing.exit_code.is_some_and(|code| code != 0) {
        return false;
    }
    if kind == CheckKind::Plain {
        return true;
    }
    if found.iter().any(|one| one.level == "error") {
        return false;
    }
    [&closing.stdout, &closing.stderr].into_iter().flatten().all(|printed| {
        content::text(printed, OUTPUT_BYTES_MAX).is_some_and(|text| {
            !SIGNS.iter().any(|sign| text.contains(sign)) && !counts_failures(&text)
        })
    })
}

/// `3 failed`, `1 failing`: a number above 0 before the word.
fn counts_failures(text: &str) -> bool {
    [" failed", " failing", " failures", " errors"].iter().any(|word| {
        text.match_indices(word).any(|(at, _)| {
            let mut digits = text[..at].bytes().rev().take_while(u8::is_ascii_digit);
            digits.any(|digit| digit != b'0')
        })
    })
}
