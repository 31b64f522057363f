//! What one failed test printed.

use super::panic::Panic;
use crate::event::{ErrorType, SourceLocation, TestFailure};
use crate::parse::check::runner::failures::{
    Frame, MESSAGE_BYTES, STACK_BYTES, by_message, failure,
};
use crate::parse::check::runner::text::KeptText;
use crate::parse::check::runner::{is_own, place};

/// What one failed test printed: its panics, the error it returned, the harness's notes.
#[derive(Debug)]
pub struct Block {
    test: String,
    /// The panic of the test's own thread, the last one.
    own: Option<Panic>,
    /// The first of any thread.
    first: Option<Panic>,
    open: Option<Panic>,
    /// `Error: …`, what a test returned.
    returned: Option<KeptText>,
    /// `note: test did not panic as expected …` and what follows.
    note: Option<KeptText>,
    is_noting: bool,
    printed: KeptText,
}

impl Block {
    pub fn new(test: &str) -> Self {
        Self {
            test: test.to_owned(),
            own: None,
            first: None,
            open: None,
            returned: None,
            note: None,
            is_noting: false,
            printed: KeptText::new(STACK_BYTES),
        }
    }

    /// With what the test's thread said elsewhere.
    pub fn with(mut self, panic: Panic) -> Self {
        self.own = Some(panic);
        self
    }

    pub fn called(mut self, test: &str) -> Self {
        test.clone_into(&mut self.test);
        self
    }

    pub fn line(&mut self, line: &str) {
        if let Some(open) = &mut self.open {
            if let Some(next) = Panic::begin(line) {
                self.close();
                self.open = Some(next);
                return;
            }
            if open.line(line) {
                return;
            }
            self.close();
        }
        if let Some(panic) = Panic::begin(line) {
            self.open = Some(panic);
        } else if line.starts_with("note: test did not panic")
            || line.starts_with("note: panic did")
        {
            let mut note = KeptText::new(MESSAGE_BYTES);
            note.line(line.trim_start_matches("note: "));
            self.note = Some(note);
            self.is_noting = true;
        } else if let Some(note) = self.note.as_mut().filter(|_| self.is_noting && !line.is_empty())
        {
            note.line(line);
        } else if self.note.is_some() {
            self.is_noting = false;
        } else if let Some(error) = line.strip_prefix("Error: ") {
            let mut returned = KeptText::new(MESSAGE_BYTES);
            returned.line(error);
            self.returned = Some(returned);
        } else if let Some(returned) = &mut self.returned {
            returned.line(line);
        } else {
            self.printed.line(line);
        }
    }

    /// The failure, of a test that ended so: `FAIL`, `TIMEOUT`, `SIGSEGV`.
    pub fn finish(mut self, ended: &str) -> TestFailure {
        self.close();
        let printed = self.printed.finish();
        let mut failure = failure(&self.test, ErrorType::RuntimeError, "");
        documented(&self.test, &mut failure);
        // A thread that was joined is what failed, not the join.
        let joined = |own: &Panic| own.message.text().trim_end().ends_with("value: Any { .. }");
        let panic = match (self.own, self.first) {
            (Some(own), Some(first)) if joined(&own) => Some((first, Some(own))),
            (Some(own), _) => Some((own, None)),
            (None, first) => first.map(|it| (it, None)),
        };
        if let Some((panic, joined)) = panic {
            panicked(&self.test, &mut failure, panic, joined.as_ref());
        }
        if let Some(note) = self.note.and_then(KeptText::finish) {
            noted(&note, &mut failure);
        } else if failure.error_message.is_empty() {
            let returned = self.returned.and_then(KeptText::finish);
            failure.error_message = match (ended, returned, printed) {
                ("TIMEOUT", ..) => "the test took too long and was ended".to_owned(),
                (_, Some(returned), _) => returned,
                ("FAIL", None, Some(printed)) => printed,
                (ended, None, printed) => {
                    failure.stack_trace = printed;
                    match ended {
                        "FAIL" => "failed".to_owned(),
                        _ => format!("the test's process was ended: {ended}"),
                    }
                }
            };
        }
        if failure.error_type == ErrorType::RuntimeError
            && let Some(kind) = by_message(&failure.error_message)
        {
            failure.error_type = kind;
        }
        if ended == "TIMEOUT" {
            failure.error_type = ErrorType::TimeoutError;
        }
        failure
    }

    fn close(&mut self) {
        let Some(panic) = self.open.take() else { return };
        if panic.thread == self.test || panic.thread == "main" {
            self.own = Some(panic);
        } else if self.first.is_none() {
            self.first = Some(panic);
        }
    }
}

/// `src/lib.rs - total (line 9)`: a documentation's test says where it is.
fn documented(test: &str, failure: &mut TestFailure) {
    let Some((file, rest)) = test.split_once(" - ") else { return };
    let line = rest.rsplit_once("(line ").and_then(|(_, line)| line.split(')').next());
    if let Some(line) = line {
        failure.test_file = Some(file.to_owned());
        failure.test_line = line.parse().ok(); // a name may say anything
    }
}

fn panicked(test: &str, failure: &mut TestFailure, panic: Panic, joined: Option<&Panic>) {
    let source = panic.at.as_ref().filter(|it| is_own(&it.file)).or(panic.frames.first());
    let is_assertion = panic.message.text().starts_with("assertion ");
    let tested = panic.place_of(test).or_else(|| joined.and_then(|it| it.at.as_ref()));
    // Without a backtrace: an assertion stands in the test, mostly.
    let in_tests = |it: &&Frame| is_assertion || it.file.starts_with("tests/");
    let tested = tested.or_else(|| source.filter(in_tests));
    if failure.test_file.is_none() {
        failure.test_file = tested.map(|it| it.file.clone());
        failure.test_line = tested.map(|it| it.line);
        failure.source_location =
            source.map(|it| SourceLocation { function: panic.function_at(it), ..it.location() });
    }
    failure.stack_trace = panic.stack.finish();
    failure.error_message = panic.message.finish().unwrap_or_default();
    if is_assertion {
        failure.error_type = ErrorType::AssertionError;
        (failure.actual, failure.expected) = left_and_right(&failure.error_message);
        if failure.error_message.starts_with("assertion `left != right`") {
            failure.expected = None; // anything else
        }
    }
}

/// `  left: 15` and ` right: 16`, each of one line or more.
fn left_and_right(message: &str) -> (Option<String>, Option<String>) {
    let (mut left, mut right) = (KeptText::new(MESSAGE_BYTES), KeptText::new(MESSAGE_BYTES));
    let mut side = None;
    for line in message.lines() {
        if let Some(value) = line.strip_prefix("  left: ") {
            left.line(value);
            side = Some(&mut left);
        } else if let Some(value) = line.strip_prefix(" right: ") {
            right.line(value);
            side = Some(&mut right);
        } else if let Some(side) = &mut side {
            side.line(line);
        }
    }
    (left.finish(), right.finish())
}

/// A test that was to panic and did not, or not as it should.
fn noted(note: &str, failure: &mut TestFailure) {
    failure.error_type = ErrorType::AssertionError;
    for line in note.lines().map(str::trim) {
        if let Some(value) = line.strip_prefix("panic message: ") {
            failure.actual = Some(value.to_owned());
        } else if let Some(value) = line.strip_prefix("expected substring: ") {
            failure.expected = Some(value.to_owned());
        } else if let Some((_, at)) = line.split_once(" as expected at ") {
            let at = place(at);
            failure.test_file = at.map(|(file, _, _)| file.to_owned());
            failure.test_line = at.map(|(_, line, _)| line);
        }
    }
    note.clone_into(&mut failure.error_message);
}
