//! `cargo nextest run`.

use super::Build;
use super::block::Block;
use crate::event::{TestFailure, TestResults};
use crate::parse::check::runner::failures::FAILURES_MAX;
use crate::parse::check::runner::text::{counts, milliseconds};
use crate::parse::check::runner::{OutputStream, Parsed, RunnerOutput, total};

#[derive(Debug, Default)]
pub struct Nextest {
    parsed: Parsed,
    /// Tests that failed when they were last tried, with their binaries before their names.
    failed: Vec<(String, TestFailure)>,
    left_out: u64,
    build: Build,
    /// The stream that nextest prints to.
    stream: Option<OutputStream>,
    /// The test that is told of, with its binary, and how it ended.
    block: Option<(String, Block, String)>,
    /// The harness's list of what failed, in a test's output.
    is_listing: bool,
    /// What comes after the summary tells again, or for the first time.
    is_over: bool,
}

impl RunnerOutput for Nextest {
    fn line(&mut self, from: OutputStream, line: &str) {
        if self.stream.is_none_or(|it| it == from) {
            self.build.line(line);
        }
        if let Some(rest) = line.strip_prefix("     Summary [").or_else(|| bare_summary(line)) {
            self.end_block();
            if let Some(results) = summary(rest) {
                (self.parsed.results, self.is_over) = (results, true);
            }
        } else if let Some((ended, test)) = status(line) {
            self.stream = Some(from);
            self.status(ended, test);
        } else if line.starts_with("error: test run failed") || line.starts_with("warning: ") {
            self.end_block();
        } else if self.stream == Some(from) {
            let Some((_, block, _)) = &mut self.block else { return };
            let is_listing = self.is_listing && line.starts_with("    ");
            let line = line.strip_prefix("    ").unwrap_or(line);
            self.is_listing = line == "failures:" || is_listing;
            if !self.is_listing && !is_frame(line) {
                block.line(line);
            }
        }
    }

    fn finish(mut self: Box<Self>) -> Parsed {
        self.end_block();
        let kept = self.failed.len() as u64;
        if self.is_over {
            self.left_out = self.parsed.results.failed.saturating_sub(kept).min(self.left_out);
        } else {
            self.parsed.results.failed = kept.saturating_add(self.left_out);
        }
        let failures = &mut self.parsed.failures;
        self.failed.into_iter().for_each(|(_, it)| failures.add(it));
        failures.leave_out(self.left_out);
        if let Some(failure) = self.build.finish() {
            failures.add(failure);
            self.parsed.results.errors = Some(self.parsed.results.errors.unwrap_or(0) + 1);
        }
        self.parsed.results.total = total(&self.parsed.results);
        self.parsed.is_understood |= self.is_over || self.parsed.results.errors.is_some();
        self.parsed
    }
}

impl Nextest {
    /// A test began, or ended.
    fn status(&mut self, ended: &str, test: &str) {
        let name = test.split_once(' ').map_or(test, |(_, name)| name.trim());
        if ended == "START" {
            self.end_block();
            self.block = Some((test.to_owned(), Block::new(name), String::new()));
            return;
        }
        self.parsed.is_understood = true;
        let ended = match ended.strip_prefix("TRY ").and_then(|it| it.split_once(' ')) {
            Some((_, ended)) => {
                self.end_block();
                if !self.is_over {
                    self.failed.retain(|(it, _)| it != test); // what an earlier try came to
                }
                ended
            }
            None => ended,
        };
        // Without capturing it has printed by now, and the next lines are not its own.
        let begun = self.block.take_if(|(it, _, how)| it == test && how.is_empty());
        self.end_block();
        if !is_bad(ended) {
            return;
        }
        match begun {
            Some((test, block, _)) => self.add(test, block.finish(ended)),
            None => self.block = Some((test.to_owned(), Block::new(name), ended.to_owned())),
        }
    }

    fn end_block(&mut self) {
        self.is_listing = false;
        if let Some((test, block, ended)) = self.block.take()
            && !ended.is_empty()
        {
            self.add(test, block.finish(&ended));
        }
    }

    fn add(&mut self, test: String, failure: TestFailure) {
        let told = |it: &TestFailure| it.error_message != "failed" || it.stack_trace.is_some();
        if self.is_over
            && let Some((_, before)) = self.failed.iter_mut().find(|(it, _)| *it == test)
        {
            if !told(before) {
                *before = failure;
            }
        } else if self.failed.len() < FAILURES_MAX {
            self.failed.push((test, failure));
        } else {
            self.left_out += 1;
        }
    }
}

/// A summary that lost its blank space in front.
fn bare_summary(line: &str) -> Option<&str> {
    line.strip_prefix("Summary [").or_else(|| line.strip_prefix("  Summary ["))
}

/// `   0.089s] 13 tests run: 2 passed (1 slow), 11 failed, 1 skipped`.
fn summary(rest: &str) -> Option<TestResults> {
    let (took, rest) = rest.split_once(']')?;
    let (_, told) = rest.split_once(": ")?;
    let mut plain = String::new();
    let mut depth = 0;
    for next in told.chars() {
        match next {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if depth == 0 => plain.push(next),
            _ => {}
        }
    }
    let mut results = TestResults::default();
    for (word, count) in counts(&plain).unwrap_or_default() {
        match word {
            "passed" => results.passed = count,
            "failed" | "timed out" => results.failed = results.failed.saturating_add(count),
            "exec failed" => results.errors = Some(count),
            "skipped" => results.skipped = Some(count),
            _ => {}
        }
    }
    results.duration_ms = milliseconds(took);
    Some(results)
}

/// `        FAIL [   0.010s] ( 1/13) cart tests::discounts` → `("FAIL", "cart tests::discounts")`; deeper
/// indented it is what a test printed.
fn status(line: &str) -> Option<(&str, &str)> {
    let at = line.find(" [")?;
    if at != 12 && line.starts_with(' ') {
        return None;
    }
    let (ended, rest) = (line[..at].trim(), &line[at + 2..]);
    let is_word = |it: char| it.is_ascii_uppercase() || it.is_ascii_digit() || " +-/".contains(it);
    if ended.is_empty() || !ended.chars().all(is_word) {
        return None;
    }
    let (took, rest) = rest.split_once("] ")?;
    let took = took.trim_start_matches('>').trim();
    if !(took.is_empty() && ended == "START") {
        milliseconds(took)?;
    }
    let rest = rest.trim_start();
    let rest = match rest.strip_prefix('(').and_then(|it| it.split_once(") ")) {
        Some((_, rest)) => rest.trim_start(),
        None => rest,
    };
    rest.contains(' ').then(|| (ended, rest.trim_end()))
}

fn is_bad(ended: &str) -> bool {
    let words = ["FAIL", "TIMEOUT", "TMT", "XFAIL", "ABORT", "ABRT", "LEAK-FAIL", "SIG"];
    words.iter().any(|it| ended.starts_with(it))
}

/// The rules and headings that nextest puts around a test's output, and what the harness says in it.
fn is_frame(line: &str) -> bool {
    line.contains("───")
        || line.starts_with("--- STDOUT:")
        || line.starts_with("--- STDERR:")
        || line == "failures:"
        || line.starts_with("running ")
        || line.starts_with("test result: ")
        || line.starts_with("test ") && line.ends_with(" ... FAILED")
        || line.starts_with("---- ") && line.ends_with(" stdout ----")
}
