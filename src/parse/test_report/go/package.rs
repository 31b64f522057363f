//! The tests of one package.

use std::collections::BTreeMap;

use super::failure::failure;
use super::panic::Panic;
use super::verdict::{Verdict, Word};
use crate::event::{ErrorType, TestResults};
use crate::parse::test_report::failures::Failures;
use crate::parse::test_report::kept::KeptText;
use crate::parse::test_report::limits::{MESSAGE_BYTES, PENDING_MAX};

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
    coverage: Option<f64>,
}

/// What a package's last line says.
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
    pub fn line(&mut self, test: Option<&str>, line: &str, failures: &mut Failures) {
        if let Some(panic) = &mut self.panic {
            panic.line(line);
        } else if let Some(rest) = line.strip_prefix("=== ") {
            self.close(failures);
            let (word, name) = rest.split_once(' ').unwrap_or((rest, ""));
            self.current = (word != "PAUSE").then(|| name.trim().to_owned());
        } else if let Some(verdict) = Verdict::of(line) {
            self.judged(verdict, failures);
        } else if let Some(panic) = Panic::begin(line) {
            self.panic = Some(panic);
        } else if let Some(rest) = line.strip_prefix("coverage: ") {
            self.coverage = percent(rest).or(self.coverage);
        } else if line == "FAIL" || line == "PASS" || line.starts_with("exit status ") {
            self.close(failures);
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
            self.close(failures);
            self.loose.get_or_insert_with(|| KeptText::new(MESSAGE_BYTES)).line(line);
        }
    }

    fn judged(&mut self, verdict: Verdict, failures: &mut Failures) {
        // A test that has subtests is not one itself: they tell why it failed.
        let is_below =
            |(last, text): &(Verdict, KeptText)| last.depth < verdict.depth && text.is_empty();
        if let Some((parent, _)) = self.last.take_if(|it| is_below(it)) {
            *self.count(parent.word) -= 1;
        }
        self.close(failures);
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
    fn close(&mut self, failures: &mut Failures) {
        if let Some((verdict, text)) = self.last.take()
            && verdict.word == Word::Fail
        {
            failures.add(failure(&verdict.name, text, None));
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
            failures.add(failure(&test, text, Some(panic)));
        }
        self.close(failures);
        let mut errors = 0;
        match ended {
            // Without `-v` a package that passes names no test.
            Ended::Ok if self.passed + self.failed + self.skipped == 0 => self.passed = 1,
            Ended::Failed if self.failed == 0 => {
                errors = 1;
                let loose = self.loose.take().unwrap_or_else(|| KeptText::new(MESSAGE_BYTES));
                let mut made = failure(name, loose, None);
                made.error_type = ErrorType::RuntimeError;
                failures.add(made);
            }
            _ => {}
        }
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
