//! What both streams of a check came to.

use super::command::{CheckCall, LISTING, View};
use super::coverage::{Coverage, joined};
use super::diagnostic::{Finding, cut};
use super::form::Told;
use super::problem::Found;
use super::runner::{Parsed, TestRunner};
use super::telling::{and_more, assertion};
use super::verdict::Said;
use crate::event::TestFailure;
use crate::parse::has_word;

pub const TELLING_BYTES_MAX: usize = 400;

/// What was read, of both streams.
#[derive(Debug, Default)]
pub struct Read {
    pub findings: Vec<Finding>,
    pub found: Found,
    pub failures: Vec<TestFailure>,
    pub left_out: u64,
    /// So many of them, from the first, by matchers of the project's own.
    own: usize,
    /// Tests that went wrong, by a runner's totals.
    bad: u64,
    /// A stream told a failure behind which nothing says that all passed.
    is_open: bool,
    /// A document tells of failures where the runner sums up none.
    is_contradicted: bool,
}

impl Read {
    /// Adds what a matcher of the project's own found: before all others.
    pub fn add_own(&mut self, found: Found) {
        self.is_open |= found.is_open;
        found.findings.into_iter().for_each(|it| it.add_to(&mut self.findings));
        self.own = self.findings.len();
    }

    /// Adds what a stream told by the tables.
    pub fn add(&mut self, found: Found) {
        self.is_open |= found.is_open;
        for one in found.findings {
            let is_same = |own: &Finding| own.diagnostic.is_of_place(&one.diagnostic);
            if !self.findings.iter().take(self.own).any(is_same) {
                one.add_to(&mut self.findings);
            }
        }
        self.failures.extend(found.failures);
        self.left_out += found.left_out;
        let all = &mut self.found;
        all.results = all.results.take().or(found.results);
        all.failed = all.failed.take().or(found.failed);
        all.last = all.last.take().or(found.last);
        all.passed |= found.passed;
        all.nothing |= found.nothing;
        all.tool = all.tool.or(found.tool);
    }

    /// Adds what the runner understood.
    pub fn add_tests(&mut self, told: Option<(TestRunner, Parsed)>) {
        let Some((runner, parsed)) = told else { return };
        let (tool, bad) = (runner.framework(), parsed.bad());
        let counts_all = matches!(runner, TestRunner::Tap | TestRunner::NodeTest);
        self.found.nothing |= counts_all && parsed.results.total == 0;
        // What the compiler said is told by its diagnostics.
        self.add_parsed(parsed, bad, |it| runner.is_test(it));
        self.found.tool = Some(tool);
    }

    /// Adds what documents told: of findings the text tells the same again. Of tests the runner's own words
    /// count where it sums up otherwise: the document is another run's, or what a test printed, unless it
    /// `is_asked` for: then nobody knows which of them is right.
    pub fn add_documents(&mut self, told: Told, is_asked: bool) {
        let has_errors = told.findings.iter().any(|it| it.diagnostic.level == "error");
        self.is_open |= has_errors || told.has_failed;
        self.found.passed |= told.is_whole && !has_errors && !told.has_failed;
        if told.has_failed && self.found.failed.is_none() && !has_errors {
            self.found.failed = Some("the build failed".to_owned());
        }
        if !told.findings.is_empty() {
            self.findings = told.findings;
        }
        let Some(tests) = told.tests else { return };
        let bad = tests.bad();
        let summed = self.found.results.as_ref().filter(|it| it.total > 0);
        let known = summed.map(|it| it.failed + it.errors.unwrap_or(0));
        let says_more = self.failures.len() as u64 + self.left_out < tests.failures.count();
        self.is_contradicted = is_asked && bad > 0 && known == Some(0);
        if known.is_none() || known == Some(bad) && says_more {
            self.found.nothing |= tests.results.total == 0;
            let passed = self.found.passed;
            self.add_parsed(tests, bad, |_| true);
            self.found.passed = passed || self.found.passed && !told.is_cut;
        }
    }

    fn add_parsed(&mut self, parsed: Parsed, bad: u64, is_test: impl Fn(&TestFailure) -> bool) {
        self.bad = self.bad.max(bad);
        self.found.passed |= parsed.results.passed > 0;
        let (told, left_out) = parsed.failures.finish();
        if bad > 0 {
            let told: Vec<_> = told.into_iter().filter(is_test).collect();
            if !told.is_empty() {
                (self.failures, self.left_out) = (told, left_out);
            }
        }
        if parsed.results.total > 0 {
            self.found.results = Some(parsed.results);
        }
    }

    /// `is_one`: its runner sums up what all of the line's tests came to.
    pub fn said(&self, view: View, lines: u64, calls: &[CheckCall], is_one: bool) -> Said {
        let errs = self.findings.iter().any(|it| it.diagnostic.level == "error");
        let counted = self.found.results.as_ref().is_some_and(|it| it.failed > 0);
        let words = self.found.failed.is_some() || self.found.last.is_some();
        let is_overruled = is_one && self.found.passed && !self.is_open;
        if is_overruled && self.bad == 0 && !counted {
            // The runner had the last word: what looked like failures before it is what a test printed.
            return match is_whole(view, lines) {
                true if self.is_contradicted => Said::Both,
                true => Said::Passed,
                false => Said::Nothing,
            };
        }
        if self.bad > 0 || !self.failures.is_empty() || errs || counted || words {
            return Said::Failed;
        }
        let is_whole = is_whole(view, lines);
        let quiet = calls.iter().all(|it| it.is_quiet);
        // What others print beside a list is none of its files.
        let lists = |it: &CheckCall| it.program.as_deref().is_some_and(|it| has_word(LISTING, it));
        let lines = if calls.iter().all(lists) && self.findings.is_empty() { 0 } else { lines };
        match is_whole {
            true if self.found.passed && self.is_contradicted => Said::Both,
            true if self.found.passed => Said::Passed,
            true if quiet && lines == 0 && view != View::Chosen => Said::Silence,
            _ => Said::Nothing,
        }
    }

    /// Puts the folder of the one package that Go tested before its files, which it prints without.
    pub fn lies_in(&mut self, looked_at: &[Coverage]) {
        let [only] = looked_at else { return };
        let [place] = only.places.as_slice() else { return };
        if only.language != "go" || place.ends_with("...") || !place.starts_with("./") {
            return;
        }
        for it in &mut self.failures {
            let source = it.source_location.as_mut().and_then(|it| it.file.as_mut());
            let files = source.into_iter().chain(&mut it.test_file).filter(|it| !it.contains('/'));
            files.for_each(|it| *it = joined(place, it));
        }
    }

    /// An error with its place, else a failing test with what it says, else the verdict's own line; `folder`:
    /// where the check looked, from where the line ran.
    pub fn telling(&self, folder: &str) -> Option<String> {
        let mut errors = self.findings.iter().filter(|it| it.diagnostic.level == "error");
        let of_finding = |it: &Finding| {
            let mut told = it.diagnostic.clone();
            let is_below = !folder.starts_with(['/', '~', '.', '$']);
            if let Some(file) = told.file_name.as_mut().filter(|_| is_below) {
                *file = joined(folder, file);
            }
            told.line()
        };
        let of_test = |it: &TestFailure| {
            let place = match (&it.test_file, it.test_line) {
                (Some(file), Some(line)) => format!(" ({file}:{line})"),
                _ => String::new(),
            };
            let said = assertion(&it.error_message).unwrap_or_else(|| "failed".to_owned());
            format!("{}: {said}{place}", it.test_name)
        };
        if let Some(error) = errors.next() {
            return Some(and_more(&of_finding(error), errors.count() as u64));
        }
        if let Some((first, others)) = self.failures.split_first() {
            return Some(and_more(&of_test(first), others.len() as u64 + self.left_out));
        }
        let words = self.found.failed.clone().or_else(|| self.found.last.clone());
        let told = words.or_else(|| self.findings.first().map(of_finding))?;
        Some(cut(&told, TELLING_BYTES_MAX).to_owned())
    }
}

/// Whether the end of what was printed is seen.
fn is_whole(view: View, lines: u64) -> bool {
    match view {
        View::End | View::Tail(_) | View::Chosen => true,
        View::Head(count) => lines < count,
        View::Other => false,
    }
}
