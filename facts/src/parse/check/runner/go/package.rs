//! The tests of one package.

use std::collections::BTreeMap;

use super::Panic;
use crate::event::{ErrorType, TestFailure, TestResults};
use crate::parse::check::runner::failures::{
    Failures, Frame, MESSAGE_BYTES, PENDING_MAX, by_message, failure,
};
use crate::parse::check::runner::place;
use crate::parse::check::runner::text::{KeptText, got_and_want};

/// The tests of one package, of which nothing is known before its last line; the next one's may follow.
#[derive(Debug, Default)]
pub struct Package {
    passed: u64,
    failed: u64,
    skipped: u64,
    /// The verdict that came last, and what was printed after it.
    last: Option<(Verdict, KeptText)>,
    /// The test that prints (`-v`).
    current: Option<String>,
    /// What tests printed that have no verdict yet.
    pending: BTreeMap<String, KeptText>,
    panic: Option<Panic>,
    /// What no test is known to have printed.
    loose: Option<KeptText>,
    /// Its failures: where it ends well, a test printed what looks like them.
    told: Failures,
    coverage: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Ok,
    Failed,
    /// The compiler failed, or nothing was found to compile.
    NotBuilt,
    NoTests,
}

impl Package {
    /// Takes a line, of this test where that is known.
    pub fn line(&mut self, test: Option<&str>, line: &str) {
        if let Some(panic) = &mut self.panic {
            panic.line(line);
        } else if let Some(rest) = line.strip_prefix("=== ") {
            self.close();
            let (word, name) = rest.split_once(' ').unwrap_or((rest, ""));
            self.current = (word != "PAUSE").then(|| name.trim().to_owned());
        } else if let Some(verdict) = Verdict::of(line) {
            self.judged(verdict);
        } else if let Some(panic) = Panic::begin(line) {
            self.panic = Some(panic);
        } else if let Some(rest) = line.strip_prefix("coverage: ") {
            self.coverage = percent(rest).or(self.coverage);
        } else if line == "FAIL" || line == "PASS" || line.starts_with("exit status ") {
            self.close();
        } else if let Some((verdict, text)) = &mut self.last
            && line.len() - line.trim_start_matches(' ').len() > verdict.depth * 4
        {
            text.line(line.get(verdict.depth * 4 + 4..).unwrap_or("").trim_end());
        } else if let Some(name) = test.or(self.current.as_deref()) {
            let full = self.pending.len() >= PENDING_MAX && !self.pending.contains_key(name);
            if !full {
                let new = || KeptText::new(MESSAGE_BYTES);
                let text = self.pending.entry(name.to_owned()).or_insert_with(new);
                text.line(line.strip_prefix("    ").unwrap_or(line));
            }
        } else {
            self.close();
            self.loose.get_or_insert_with(|| KeptText::new(MESSAGE_BYTES)).line(line);
        }
    }

    fn judged(&mut self, verdict: Verdict) {
        // A test that has subtests is not one itself: they tell why it failed.
        let is_below =
            |(last, text): &(Verdict, KeptText)| last.depth < verdict.depth && text.is_empty();
        if let Some((parent, _)) = self.last.take_if(|it| is_below(it)) {
            *self.count(parent.word) -= 1;
        }
        self.close();
        *self.count(verdict.word) += 1;
        let printed = self.pending.remove(&verdict.name);
        if self.current.as_ref() == Some(&verdict.name) {
            self.current = None;
        }
        self.last = Some((verdict, printed.unwrap_or_else(|| KeptText::new(MESSAGE_BYTES))));
    }

    fn count(&mut self, word: Word) -> &mut u64 {
        match word {
            Word::Pass => &mut self.passed,
            Word::Fail => &mut self.failed,
            Word::Skip => &mut self.skipped,
        }
    }

    /// Nothing more comes after the last verdict.
    fn close(&mut self) {
        if let Some((verdict, text)) = self.last.take()
            && verdict.word == Word::Fail
        {
            self.told.add(failed(&verdict.name, text, None));
        }
    }

    /// The package's last line was read: adds what it came to, and is as new.
    pub fn end(
        &mut self,
        name: &str,
        ended: Ended,
        coverage: Option<f64>,
        results: &mut TestResults,
        failures: &mut Failures,
    ) -> Option<f64> {
        if let Some(panic) = self.panic.take() {
            let last = self.last.take_if(|(verdict, _)| verdict.word == Word::Fail);
            let (test, text) = match last {
                Some((verdict, text)) => (verdict.name, text),
                None => {
                    self.failed += 1;
                    let test = panic.test().or(self.current.as_deref()).unwrap_or(name);
                    (test.to_owned(), KeptText::new(MESSAGE_BYTES))
                }
            };
            self.told.add(failed(&test, text, Some(panic)));
        }
        self.close();
        let mut errors = 0;
        if ended == Ended::Ok {
            (self.failed, self.told) = (0, Failures::default());
        }
        match ended {
            // Without `-v` a package that passes names no test.
            Ended::Ok if self.passed + self.failed + self.skipped == 0 => self.passed = 1,
            Ended::Failed if self.failed == 0 => {
                errors = 1;
                let loose = self.loose.take().unwrap_or_else(|| KeptText::new(MESSAGE_BYTES));
                let mut made = failed(name, loose, None);
                made.error_type = ErrorType::RuntimeError;
                self.told.add(made);
            }
            _ => {}
        }
        let (told, left_out) = std::mem::take(&mut self.told).finish();
        told.into_iter().for_each(|it| failures.add(it));
        failures.leave_out(left_out);
        results.passed = results.passed.saturating_add(self.passed);
        results.failed = results.failed.saturating_add(self.failed);
        if self.skipped > 0 {
            results.skipped = Some(results.skipped.unwrap_or(0).saturating_add(self.skipped));
        }
        if errors > 0 {
            results.errors = Some(results.errors.unwrap_or(0).saturating_add(errors));
        }
        let coverage = coverage.or(self.coverage);
        *self = Self::default();
        coverage
    }

    /// Whether something is open that no last line came for.
    pub fn is_open(&self) -> bool {
        self.passed + self.failed + self.skipped > 0 || self.panic.is_some()
    }
}

/// `75.0% of statements` → 75.0.
pub fn percent(text: &str) -> Option<f64> {
    let number: f64 = text.split_once('%')?.0.parse().ok()?; // no number: `[no statements]`
    (0.0..=100.0).contains(&number).then_some(number)
}

/// The failure of a test that printed this, and panicked so.
fn failed(name: &str, printed: KeptText, panic: Option<Panic>) -> TestFailure {
    let printed = printed.finish();
    let mut made = failure(name, ErrorType::AssertionError, "failed");
    if let Some(printed) = printed {
        told(&mut made, printed);
    }
    if let Some(panic) = panic {
        made.error_type = match by_message(&panic.message) {
            Some(kind) => kind,
            None => ErrorType::RuntimeError,
        };
        if let Some(at) = panic.place_of(name) {
            (made.test_file, made.test_line) = (Some(at.file.clone()), Some(at.line));
        }
        made.source_location = panic.frames.first().map(Frame::location);
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
    made.source_location = Some(Frame::new(None, file, line).location());
    made.stack_trace = several.then_some(printed);
}

/// `cart_test.go:27: Total() = 15, want 16`.
fn entry(line: &str) -> Option<(&str, i64, &str)> {
    let bare = line.trim_start();
    let (file, number, rest) = place(bare)?;
    let is_file = file.ends_with(".go") && !file.contains(char::is_whitespace);
    is_file.then_some((file, number, rest.strip_prefix(':')?.trim_start()))
}

/// `    --- FAIL: TestDiscount/half (0.00s)`: a subtest is indented deeper than its test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub name: String,
    pub depth: usize,
    pub word: Word,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Pass,
    Fail,
    Skip,
}

impl Verdict {
    pub fn of(line: &str) -> Option<Self> {
        let bare = line.trim_start_matches(' ');
        let (word, rest) = bare.strip_prefix("--- ")?.split_once(": ")?;
        let word = match word {
            "PASS" => Word::Pass,
            "FAIL" => Word::Fail,
            "SKIP" => Word::Skip,
            _ => return None,
        };
        let (name, took) = rest.rsplit_once(" (")?;
        let depth = (line.len() - bare.len()) / 4;
        took.ends_with("s)").then(|| Self { name: name.to_owned(), depth, word })
    }
}
