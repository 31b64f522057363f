//! `node --test`: Node's own test runner.

use super::failures::{Frame, MESSAGE_BYTES, STACK_BYTES, by_message, by_name};
use super::text::KeptText;
use super::{OutputStream, Parsed, RunnerOutput, is_own, place};
use crate::event::{ErrorType, SourceLocation, TestFailure, TestResults};

/// Reads what Node's test runner prints: its report for people (`✖ name`) and TAP (`not ok 1 - name`).
#[derive(Debug, Default)]
pub struct NodeTest {
    parsed: Parsed,
    open: Option<Found>,
    part: Part,
    /// `test at a.test.mjs:3:1`, of the next one.
    at: Option<String>,
    /// The report for people tells what failed at its end, again.
    is_again: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    /// The report for people.
    #[default]
    Spec,
    /// TAP's block, at this indent.
    Tap(usize),
    TapError(usize),
    TapStack(usize),
    /// Anything that is not looked at.
    TapOther(usize),
}

impl RunnerOutput for NodeTest {
    fn line(&mut self, _: OutputStream, line: &str) {
        if let Some(rest) = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ "))
            && self.total(rest)
        {
            self.end();
        } else if let Some(at) = line.strip_prefix("test at ").filter(|_| self.is_again) {
            self.end();
            self.at = Some(at.to_owned());
        } else if line == "✖ failing tests:" {
            self.end();
            self.is_again = true;
        } else if let Some(name) = line.strip_prefix("✖ ").filter(|_| self.is_again) {
            self.end();
            let at = self.at.take();
            if !name.contains(" # TODO") {
                self.open = Some(Found::new(without_time(name), at.as_deref()));
                self.part = Part::Spec;
            }
        } else if let Some((indent, name)) = not_ok(line) {
            self.end();
            if !name.contains(" # TODO") && !name.contains(" # SKIP") {
                self.open = Some(Found::new(name, None));
                self.part = Part::Tap(indent + 2);
            }
        } else if let Some(open) = self.open.take() {
            self.open = match self.part {
                Part::Spec => Some(spec(open, line)),
                _ => self.tap(open, line),
            };
        }
    }

    fn finish(mut self: Box<Self>) -> Parsed {
        self.end();
        self.parsed
    }
}

impl NodeTest {
    fn end(&mut self) {
        if let Some(open) = self.open.take().filter(|it| !it.is_suite) {
            self.parsed.failures.add(open.finish());
        }
    }

    /// `tests 9`, `pass 2`, `duration_ms 663.12`.
    fn total(&mut self, told: &str) -> bool {
        let Some((word, count)) = told.split_once(' ') else { return false };
        let results = &mut self.parsed.results;
        if word == "duration_ms" {
            let took = count.parse::<f64>().ok().filter(|it| (0.0..1e12).contains(it)); // else none
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "looked at"
            )]
            let took = took.map(|it| it.round() as u64);
            results.duration_ms = took.filter(|_| self.parsed.is_understood);
            return self.parsed.is_understood;
        }
        let Ok(count) = count.parse::<u32>().map(u64::from) else { return false };
        match word {
            "tests" => *results = TestResults { total: count, ..TestResults::default() },
            "pass" => {
                results.passed = count;
                self.parsed.is_understood = true;
            }
            "fail" => results.failed = count,
            // What could not be run to its end.
            "cancelled" => results.errors = Some(count).filter(|it| *it > 0),
            "skipped" | "todo" => {
                let sum = results.skipped.unwrap_or(0) + count;
                results.skipped = Some(sum).filter(|it| *it > 0);
            }
            "suites" => {}
            _ => return false,
        }
        results.total = results.total.max(results.passed + results.failed);
        true
    }

    /// A line of TAP's block; `None` behind its end.
    fn tap(&mut self, mut open: Found, line: &str) -> Option<Found> {
        let (Part::Tap(indent)
        | Part::TapError(indent)
        | Part::TapStack(indent)
        | Part::TapOther(indent)) = self.part
        else {
            return Some(open);
        };
        let bare = line.trim_start_matches(' ');
        let depth = line.len() - bare.len();
        if depth > indent || bare.is_empty() {
            let text = line.get(indent + 2..).unwrap_or("");
            match self.part {
                Part::TapError(_) => open.message.line(text),
                Part::TapStack(_) => open.stack.line(text),
                _ => {}
            }
            return Some(open);
        }
        if depth < indent || bare == "..." {
            if !open.is_suite {
                self.parsed.failures.add(open.finish());
            }
            return None;
        }
        self.part = Part::TapOther(indent);
        let Some((key, value)) = bare.split_once(':') else { return Some(open) };
        let value = value.trim();
        let is_block = value.starts_with('|') || value.is_empty();
        let text = unquoted(value);
        match key {
            "error" if is_block => self.part = Part::TapError(indent),
            "stack" if is_block => self.part = Part::TapStack(indent),
            "error" => open.message.line(&text),
            "location" => open.at = Some(text),
            "name" => open.error = Some(text),
            "failureType" => open.is_suite |= text == "subtestsFailed",
            "type" => open.is_suite |= text == "suite",
            "expected" if !is_block => open.expected = Some(text),
            "actual" if !is_block => open.actual = Some(text),
            _ => {}
        }
        Some(open)
    }
}

fn spec(mut open: Found, line: &str) -> Found {
    let bare = line.trim_start();
    if bare.starts_with("at ") && line.starts_with("      ") {
        open.stack.line(bare.trim_end_matches(" {"));
    } else if !open.stack.is_empty() {
        if let Some(value) = bare.strip_prefix("actual: ") {
            open.actual = Some(value.trim_end_matches(',').to_owned());
        } else if let Some(value) = bare.strip_prefix("expected: ") {
            open.expected = Some(value.trim_end_matches(',').to_owned());
        }
    } else if open.message.is_empty() {
        // `TypeError [Error]: no`, `AssertionError [ERR_ASSERTION]: no`.
        let (name, message) = bare.split_once(": ").unwrap_or(("", bare));
        let name = name.split(" [").next().unwrap_or(name);
        if !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric()) {
            open.error = Some(name.to_owned());
            open.message.line(message);
        } else if !bare.is_empty() {
            let plain =
                bare.strip_prefix('\'').and_then(|it| it.strip_suffix('\'')).unwrap_or(bare);
            let is_suite =
                |it: &str| it.ends_with("subtest failed") || it.ends_with("subtests failed");
            open.is_suite |= is_suite(plain);
            open.message.line(plain);
        }
    } else {
        open.message.line(line.strip_prefix("  ").unwrap_or(line));
    }
    open
}

/// `    not ok 2 - name # TODO` → (4, `name # TODO`).
fn not_ok(line: &str) -> Option<(usize, &str)> {
    let bare = line.trim_start_matches(' ');
    let (number, name) = bare.strip_prefix("not ok ")?.split_once(" - ")?;
    number.bytes().all(|it| it.is_ascii_digit()).then_some((line.len() - bare.len(), name))
}

/// `eq (5.388585ms)` → `eq`.
fn without_time(name: &str) -> &str {
    match name.rsplit_once(" (") {
        Some((name, took)) if took.ends_with("ms)") => name,
        _ => name,
    }
}

/// YAML's single quotes off.
fn unquoted(value: &str) -> String {
    match value.strip_prefix('\'').and_then(|it| it.strip_suffix('\'')) {
        Some(inner) => inner.replace("''", "'").replace("\\'", "'"),
        None => value.to_owned(),
    }
}

/// A failed test, as both of the runner's reports tell of it.
#[derive(Debug)]
pub struct Found {
    pub name: String,
    /// `a.test.mjs:3:1`.
    pub at: Option<String>,
    pub error: Option<String>,
    pub message: KeptText,
    pub stack: KeptText,
    pub expected: Option<String>,
    pub actual: Option<String>,
    /// A suite fails with its tests.
    pub is_suite: bool,
}

impl Found {
    pub fn new(name: &str, at: Option<&str>) -> Self {
        Self {
            name: name.to_owned(),
            at: at.map(str::to_owned),
            error: None,
            message: KeptText::new(MESSAGE_BYTES),
            stack: KeptText::new(STACK_BYTES),
            expected: None,
            actual: None,
            is_suite: false,
        }
    }

    pub fn finish(self) -> TestFailure {
        let message = self.message.finish().unwrap_or_else(|| "failed".to_owned());
        let first = message.lines().next().unwrap_or("");
        let error_type = match self.error.as_deref().map(by_name) {
            Some(ErrorType::RuntimeError) | None => {
                by_message(first).unwrap_or(ErrorType::RuntimeError)
            }
            Some(known) => known,
        };
        let stack = self.stack.finish();
        let source = stack.as_deref().into_iter().flat_map(str::lines).find_map(frame);
        let test = self.at.as_deref().and_then(place);
        TestFailure {
            test_name: self.name,
            test_file: test.map(|(file, _, _)| file.to_owned()),
            test_line: test.map(|(_, line, _)| line),
            error_type,
            error_message: message,
            stack_trace: stack,
            expected: self.expected,
            actual: self.actual,
            source_location: source,
        }
    }
}

/// `TestContext.<anonymous> (file:///a/a.test.mjs:3:23)`, with `at ` before it or without.
fn frame(line: &str) -> Option<SourceLocation> {
    let line = line.trim_start();
    let line = line.strip_prefix("at ").unwrap_or(line);
    let (function, at) = match line.rsplit_once(" (") {
        Some((function, at)) => (Some(function), at),
        None => (None, line),
    };
    let at = at.strip_prefix("file://").unwrap_or(at);
    let (file, line, _) = place(at).filter(|(file, _, _)| is_own(file) && !file.contains(' '))?;
    Some(Frame::new(function.filter(|it| !it.contains('<')), file, line).location())
}
