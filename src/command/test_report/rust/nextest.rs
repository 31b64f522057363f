//! `cargo nextest run`.

use super::block::Block;
use super::build::Build;
use crate::command::test_report::OutputStream;
use crate::command::test_report::counts::{counts, milliseconds};
use crate::command::test_report::failures::Failures;
use crate::command::test_report::output::RunnerOutput;
use crate::command::test_report::parsed::Parsed;
use crate::event::TestResults;

/// How a test may end that nextest says has failed.
const ENDED_BADLY: &[&str] = &["FAIL", "TIMEOUT", "XFAIL", "ABORT"];

/// Reads what `cargo nextest run` prints.
#[derive(Debug, Default)]
pub struct Nextest {
    results: TestResults,
    failures: Failures,
    build: Build,
    /// The failed test that is told of, and how it ended.
    block: Option<(Block, String)>,
    /// What comes after the summary tells again.
    is_over: bool,
    is_understood: bool,
}

impl RunnerOutput for Nextest {
    fn line(&mut self, _: OutputStream, line: &str) {
        self.build.line(line);
        if self.is_over {
            return;
        }
        if let Some(rest) = line.trim_start().strip_prefix("Summary [") {
            self.end_block();
            self.is_over = self.summary(rest);
        } else if let Some((ended, name)) = status(line) {
            self.end_block();
            self.is_understood = true;
            let ended = match ended.strip_prefix("TRY ").and_then(|it| it.split_once(' ')) {
                Some((_, ended)) => {
                    self.failures.forget(name); // what an earlier try came to
                    ended
                }
                None => ended,
            };
            if is_bad(ended) {
                self.block = Some((Block::new(name), ended.to_owned()));
            }
        } else if let Some((block, _)) = &mut self.block {
            let line = line.strip_prefix("    ").unwrap_or(line);
            if !is_frame(line) {
                block.line(line);
            }
        }
    }

    fn finish(mut self: Box<Self>) -> Parsed {
        self.end_block();
        if !self.is_over {
            self.results.failed = self.failures.count();
        }
        if let Some(failure) = self.build.finish() {
            self.failures.add(failure);
            self.results.errors = Some(self.results.errors.unwrap_or(0) + 1);
        }
        let results = &mut self.results;
        results.total = [results.errors, results.skipped]
            .into_iter()
            .flatten()
            .fold(results.passed.saturating_add(results.failed), u64::saturating_add);
        Parsed {
            is_understood: self.is_understood || self.is_over || results.errors.is_some(),
            results: self.results,
            failures: self.failures,
            runtime_version: None,
        }
    }
}

impl Nextest {
    fn end_block(&mut self) {
        if let Some((block, ended)) = self.block.take() {
            self.failures.add(block.finish(&ended));
        }
    }

    /// `   0.089s] 13 tests run: 2 passed (1 slow), 11 failed, 1 skipped`.
    fn summary(&mut self, rest: &str) -> bool {
        let Some((took, rest)) = rest.split_once(']') else { return false };
        let Some((_, told)) = rest.split_once(": ") else { return false };
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
        for (word, count) in counts(&plain).unwrap_or_default() {
            match word {
                "passed" => self.results.passed = count,
                "failed" | "timed out" => {
                    self.results.failed = self.results.failed.saturating_add(count);
                }
                "exec failed" => self.results.errors = Some(count),
                "skipped" => self.results.skipped = Some(count),
                _ => {}
            }
        }
        self.results.duration_ms = milliseconds(took);
        true
    }
}

/// `        FAIL [   0.010s] ( 1/13) cart tests::discounts` → `("FAIL", "tests::discounts")`.
fn status(line: &str) -> Option<(&str, &str)> {
    let (ended, rest) = line.trim_start().split_once(" [")?;
    let is_word = |it: char| it.is_ascii_uppercase() || it.is_ascii_digit() || " +-".contains(it);
    if ended.is_empty() || !ended.chars().all(is_word) {
        return None;
    }
    let (took, rest) = rest.split_once("] ")?;
    milliseconds(took.trim_start_matches('>').trim())?;
    let rest = rest.trim_start();
    let rest = match rest.strip_prefix('(').and_then(|it| it.split_once(") ")) {
        Some((counted, rest)) if counted.contains('/') => rest.trim_start(),
        _ => rest,
    };
    let (_, name) = rest.split_once(' ')?;
    Some((ended.trim(), name.trim()))
}

fn is_bad(ended: &str) -> bool {
    ENDED_BADLY.contains(&ended) || ended.starts_with("SIG")
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
