//! A failed test of go.

use super::panic::Panic;
use crate::event::{ErrorType, SourceLocation, TestFailure};
use crate::parse::test_report::error_kind::by_message;
use crate::parse::test_report::kept::KeptText;
use crate::parse::test_report::places::place;
use crate::parse::test_report::values::got_and_want;

/// The failure of a test that printed this, and panicked so.
pub fn failure(name: &str, printed: KeptText, panic: Option<Panic>) -> TestFailure {
    let printed = printed.finish();
    let mut made = TestFailure {
        test_name: name.to_owned(),
        test_file: None,
        test_line: None,
        error_type: ErrorType::AssertionError,
        error_message: "failed".to_owned(),
        stack_trace: None,
        expected: None,
        actual: None,
        source_location: None,
    };
    if let Some(printed) = printed {
        told(&mut made, printed);
    }
    if let Some(panic) = panic {
        made.error_type = match by_message(&panic.message) {
            Some(kind) => kind,
            None => ErrorType::RuntimeError,
        };
        if let Some((_, file, line)) = panic.place_of(name) {
            (made.test_file, made.test_line) = (Some(file.clone()), Some(*line));
        }
        made.source_location = panic.source().map(|(function, file, line)| SourceLocation {
            file: Some(file.clone()),
            line: Some(*line),
            function: Some(function.clone()),
        });
        made.error_message = format!("panic: {}", panic.message);
        made.stack_trace = panic.stack.finish();
    }
    made
}

/// What the test's log tells: what it failed with is not told apart from what it only logged, and its
/// last entry is where it failed.
fn told(made: &mut TestFailure, printed: String) {
    let mut entries: Vec<(&str, i64, Vec<&str>)> = Vec::new();
    let mut loose = Vec::new();
    for line in printed.lines() {
        if let Some((file, number, text)) = entry(line) {
            entries.push((file, number, vec![text]));
        } else if let Some((_, _, lines)) = entries.last_mut() {
            lines.push(line.strip_prefix("    ").unwrap_or(line));
        } else {
            loose.push(line);
        }
    }
    let several = entries.len() > 1 || !loose.is_empty();
    let told: Vec<String> = entries.iter().map(|(_, _, lines)| lines.join("\n")).collect();
    let Some((file, line, _)) = entries.pop() else {
        made.error_message = printed.trim().to_owned();
        return;
    };
    made.error_message = told.join("\n").trim().to_owned();
    if made.error_message.is_empty() {
        made.error_message = "failed".to_owned();
    }
    (made.expected, made.actual) = got_and_want(&made.error_message);
    made.error_type = by_message(&made.error_message).unwrap_or(ErrorType::AssertionError);
    made.test_file = Some(file.to_owned());
    made.test_line = Some(line);
    made.source_location =
        Some(SourceLocation { file: Some(file.to_owned()), line: Some(line), function: None });
    made.stack_trace = several.then_some(printed);
}

/// `cart_test.go:27: Total() = 15, want 16`.
fn entry(line: &str) -> Option<(&str, i64, &str)> {
    let bare = line.trim_start();
    let (file, number, rest) = place(bare)?;
    let is_file = file.ends_with(".go") && !file.contains(char::is_whitespace);
    is_file.then_some((file, number, rest.strip_prefix(':')?.trim_start()))
}
