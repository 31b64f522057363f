//! What Rust's test harness prints, on one stream.

use std::collections::BTreeSet;

use super::block::Block;
use super::{List, NAMES_MAX, Run, Told, totals};
use crate::event::{TestFailure, TestResults};
use crate::parse::check::runner::failures::{FAILURES_MAX, PENDING_MAX};

/// Reads what the harness prints on one stream, a binary after the other. What tests printed may look
/// like it: the number of tests, the verdicts and the list of those that failed tell which is which.
#[derive(Debug, Default)]
pub struct Harness {
    /// `running 3 tests`, since the last totals.
    announced: Vec<u64>,
    passed: u64,
    verdicts: u64,
    /// `tests::x --- FAILED`: only those that failed are named.
    is_terse: bool,
    /// Tests that failed, by their verdicts.
    failed: BTreeSet<String>,
    section: Section,
    has_successes: bool,
    block: Option<Block>,
    blocks: Vec<TestFailure>,
    blocks_left_out: u64,
    list: Option<List>,
    /// The test that runs, where it is told before it prints.
    current: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Section {
    #[default]
    Verdicts,
    Successes,
    Failures,
}

impl Harness {
    pub fn line<'a>(&mut self, line: &'a str) -> Told<'a> {
        if let Some(results) = totals(line).filter(|it| self.is_real(it)) {
            return Told::Ended(Box::new(self.end(results)));
        }
        if let Some(mut list) = self.list.take() {
            if list.line(line) {
                self.list = Some(list);
                return Told::Kept;
            }
            self.no_list(list);
        }
        if line == "failures:" {
            self.list = Some(List::default());
        } else if line == "successes:" && self.block.is_none() {
            self.section = Section::Successes;
            self.has_successes = true;
        } else if let Some(name) = heading(line).filter(|it| self.is_heading(it)) {
            self.end_block();
            self.block = (self.section == Section::Failures).then(|| Block::new(name));
        } else if let Some(block) = &mut self.block {
            block.line(line);
        } else if self.section == Section::Verdicts || self.is_judged(line) {
            self.section = Section::Verdicts; // a test had printed the other one's heading
            return self.verdict(line);
        } else {
            return Told::Loose(line);
        }
        Told::Kept
    }

    pub fn is_running(&self) -> bool {
        !self.announced.is_empty() || self.block.is_some()
    }

    pub fn current(&self) -> Option<&str> {
        self.current.as_deref()
    }

    /// A binary that did not come to its totals, as far as it came.
    pub fn finish(mut self) -> Option<Run> {
        self.end_block();
        let told: BTreeSet<&str> = self.blocks.iter().map(|it| it.test_name.as_str()).collect();
        let untold = self.failed.iter().filter(|it| !told.contains(it.as_str()));
        let listed: Vec<String> = untold.cloned().collect();
        let kept = (self.blocks.len() + listed.len()) as u64;
        let failed = kept.max(self.blocks.len() as u64 + self.blocks_left_out);
        // What passed so far says nothing of the rest.
        (failed > 0).then(|| Run {
            results: TestResults {
                total: self.passed.saturating_add(failed),
                passed: self.passed,
                failed,
                ..TestResults::default()
            },
            failures: self.blocks,
            listed,
            left_out: failed - kept,
        })
    }

    /// Whether totals are the harness's own.
    fn is_real(&self, results: &TestResults) -> bool {
        if !self.announced.is_empty() && !self.announced.contains(&results.total) {
            return false;
        }
        if self.block.is_none() {
            return true;
        }
        // In what a failed test printed: after it comes the list of all.
        match &self.list {
            Some(list) if results.failed > 0 && list.has(results.failed) => {
                !self.has_verdicts() || list.is_among(&self.failed)
            }
            _ => results.failed == 0 && self.has_successes,
        }
    }

    /// `test tests::x ... ok`, or what follows where the test printed.
    fn is_judged(&self, line: &str) -> bool {
        let begins = line.starts_with("test ") && line.contains(" ... ");
        begins || self.current.is_some() && is_verdict(line)
    }

    /// Whether every test's verdict was read, and every name kept.
    fn has_verdicts(&self) -> bool {
        let all = self.is_terse || self.announced.last().is_some_and(|it| *it == self.verdicts);
        all && self.failed.len() < NAMES_MAX
    }

    fn is_heading(&self, name: &str) -> bool {
        match self.section {
            Section::Verdicts => false,
            Section::Successes => true,
            Section::Failures if self.has_verdicts() => self.failed.contains(name),
            // With verdicts, none is told of before the last one's.
            Section::Failures => {
                self.verdicts == 0
                    || self.announced.is_empty()
                    || self.failed.len() >= NAMES_MAX
                    || self.announced.iter().any(|it| *it <= self.verdicts)
            }
        }
    }

    /// `failures:` was no list's beginning.
    fn no_list(&mut self, list: List) {
        if let Some(block) = &mut self.block {
            list.into_text().lines().for_each(|line| block.line(line));
        } else if list.is_empty() {
            self.section = Section::Failures;
        }
    }

    /// `test tests::x ... ok`, and in one thread `test tests::x ... what it prints` and then `ok`.
    fn verdict<'a>(&mut self, line: &'a str) -> Told<'a> {
        if let Some(count) = announced(line) {
            if self.announced.len() < PENDING_MAX {
                self.announced.push(count);
            }
            return Told::Kept;
        }
        let Some((name, rest)) = line.strip_prefix("test ").and_then(|it| it.split_once(" ... "))
        else {
            if let Some(name) = line.strip_suffix(" --- FAILED") {
                self.is_terse = true;
                if self.failed.len() < NAMES_MAX {
                    self.failed.insert(bare(name).to_owned());
                }
                return Told::Kept;
            }
            let name = self.current.take_if(|_| is_verdict(line));
            let Some(name) = name else { return Told::Loose(line) };
            self.judged(&name, line);
            return Told::Kept;
        };
        let name = bare(name);
        if is_verdict(rest) {
            self.current = None;
            self.judged(name, rest);
            return Told::Kept;
        }
        self.current = Some(name.to_owned());
        Told::Loose(rest)
    }

    fn judged(&mut self, name: &str, verdict: &str) {
        self.verdicts += 1;
        if verdict.starts_with("ok") {
            self.passed += 1;
        } else if verdict.starts_with("FAILED") && self.failed.len() < NAMES_MAX {
            self.failed.insert(name.to_owned());
        }
    }

    fn end_block(&mut self) {
        let Some(block) = self.block.take() else { return };
        if self.blocks.len() < FAILURES_MAX {
            self.blocks.push(block.finish("FAIL"));
        } else {
            self.blocks_left_out += 1;
        }
    }

    fn end(&mut self, results: TestResults) -> Run {
        self.end_block();
        let mut read = std::mem::take(self);
        let mut run = Run { results, ..Run::default() };
        let failed = run.results.failed;
        if failed == 0 {
            return run;
        }
        match read.list.filter(|it| it.has(failed)).map(List::into_names) {
            Some(Some(names)) => {
                let listed: BTreeSet<&str> = names.iter().map(String::as_str).collect();
                read.blocks.retain(|it| listed.contains(it.test_name.as_str()));
                let told: BTreeSet<&str> =
                    read.blocks.iter().map(|it| it.test_name.as_str()).collect();
                let untold = names.iter().filter(|it| !told.contains(it.as_str()));
                run.listed = untold.cloned().collect();
            }
            Some(None) => run.left_out = failed.saturating_sub(read.blocks.len() as u64),
            None => run.left_out = read.blocks_left_out,
        }
        run.failures = read.blocks;
        run
    }
}

/// `running 3 tests`.
fn announced(line: &str) -> Option<u64> {
    let (count, word) = line.strip_prefix("running ")?.split_once(' ')?;
    matches!(word, "test" | "tests").then(|| count.parse().ok()).flatten() // no number: a test's
}

/// Without what the harness says of how it is tested.
fn bare(name: &str) -> &str {
    let words = [" - should panic", " - compile fail", " - compile", " - no run"];
    words.iter().find_map(|it| name.strip_suffix(it)).unwrap_or(name)
}

/// `ok`, `ok <0.010s>`, `FAILED`, `ignored, slow`.
fn is_verdict(text: &str) -> bool {
    let word = text.split([' ', ',', ':']).next().unwrap_or(text);
    matches!(word, "ok" | "FAILED" | "ignored" | "bench") && !text.starts_with("ok:")
}

/// `---- tests::x stdout ----`.
fn heading(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("---- ")?;
    rest.strip_suffix(" stdout ----").or_else(|| rest.strip_suffix(" stderr ----"))
}
