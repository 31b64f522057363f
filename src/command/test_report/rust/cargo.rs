//! `cargo test`.

use std::collections::BTreeMap;

use super::block::Block;
use super::build::Build;
use super::panic::Panic;
use super::totals::add_totals;
use crate::command::test_report::OutputStream;
use crate::command::test_report::failures::Failures;
use crate::command::test_report::limits::FAILURES_MAX;
use crate::command::test_report::output::RunnerOutput;
use crate::command::test_report::parsed::Parsed;
use crate::event::TestResults;

/// Reads what `cargo test` prints, and a test binary of its own.
#[derive(Debug, Default)]
pub struct CargoTest {
    results: TestResults,
    failures: Failures,
    build: Build,
    block: Option<Block>,
    /// In the last list of `failures:`, which only names them.
    is_listing: bool,
    /// Panics outside of any block, by their thread: `--nocapture` prints them as they come.
    loose: BTreeMap<String, Panic>,
    open: [Option<Panic>; 2],
    /// Names that a block told, of the binary that is read.
    told: Vec<String>,
    /// Names that only a list told.
    listed: Vec<String>,
    crashes: u64,
    /// nextest had cargo build, and says so.
    is_nextest: bool,
    is_understood: bool,
}

impl RunnerOutput for CargoTest {
    fn line(&mut self, from: OutputStream, line: &str) {
        self.build.line(line);
        self.is_nextest |= line.starts_with("error: command `") && line.contains(" test --no-run ");
        if let Some(name) = heading(line) {
            self.end_block();
            self.is_listing = false;
            self.told.push(name.to_owned());
            self.block = (!self.failures.is_full()).then(|| Block::new(name));
            if self.block.is_none() {
                self.failures.add(Block::new(name).finish("FAIL")); // counted, not kept
            }
        } else if line == "failures:" {
            self.end_block();
            self.is_listing = true;
        } else if let Some(name) = line.strip_prefix("    ").filter(|_| self.is_listing) {
            self.listed(name.trim());
        } else if add_totals(line, &mut self.results) {
            self.end_block();
            (self.is_understood, self.is_listing) = (true, false);
            self.told.clear();
        } else if let Some((rest, how)) = line
            .trim_start()
            .strip_prefix("process didn't exit successfully: `")
            .and_then(|it| it.split_once("` ("))
        {
            self.crashed(rest, how.trim_end_matches(')'));
        } else if let Some(block) = &mut self.block
            && !(from == OutputStream::Stderr && line.starts_with("error: "))
        {
            block.line(line);
        } else {
            self.loose(from, line);
        }
    }

    fn finish(mut self: Box<Self>) -> Parsed {
        self.end_block();
        self.explain();
        if let Some(failure) = self.build.finish() {
            self.failures.add(failure);
            self.crashes += 1;
        }
        self.results.errors = (self.crashes > 0).then_some(self.crashes);
        self.results.total = self.results.total.saturating_add(self.crashes);
        Parsed {
            is_understood: (self.is_understood || self.crashes > 0) && !self.is_nextest,
            results: self.results,
            failures: self.failures,
            runtime_version: None,
        }
    }
}

impl CargoTest {
    fn end_block(&mut self) {
        if let Some(block) = self.block.take() {
            self.failures.add(block.finish("FAIL"));
        }
        for open in &mut self.open {
            if let Some(panic) = open.take()
                && self.loose.len() < FAILURES_MAX
            {
                self.loose.insert(panic.thread.clone(), panic);
            }
        }
    }

    /// A test that failed and that no block told of.
    fn listed(&mut self, name: &str) {
        if self.told.iter().any(|it| it == name) {
            return;
        }
        if self.listed.len() < FAILURES_MAX {
            self.listed.push(name.to_owned());
        }
        self.failures.add(Block::new(name).finish("FAIL"));
    }

    /// What was only listed, with the panics that either stream told.
    fn explain(&mut self) {
        for name in std::mem::take(&mut self.listed) {
            let Some(panic) = self.loose.remove(&name) else { continue };
            let told = self.failures.kept_mut().iter_mut();
            if let Some(failure) = told.rev().find(|it| it.test_name == name) {
                *failure = Block::new(&name).with(panic).finish("FAIL");
            }
        }
    }

    /// A test binary that a signal ended, or that did not even begin.
    fn crashed(&mut self, program: &str, how: &str) {
        let file = program.split(' ').next().unwrap_or(program);
        let stem = file.rsplit('/').next().unwrap_or(file);
        let name = match stem.rsplit_once('-') {
            Some((name, hash)) if hash.len() == 16 => name,
            _ => stem,
        };
        self.end_block();
        self.failures.add(Block::new(name).finish(how));
        self.crashes += 1;
    }

    /// Panics that no block holds.
    fn loose(&mut self, from: OutputStream, line: &str) {
        let slot = usize::from(from == OutputStream::Stderr);
        if let Some(panic) = Panic::begin(line) {
            self.end_block();
            self.open[slot] = Some(panic);
        } else if let Some(open) = &mut self.open[slot] {
            let is_over = line.is_empty() && !open.message.is_empty()
                || line.starts_with("error: ")
                || line.starts_with("Error: ");
            if is_over || !open.line(line) {
                self.end_block();
            }
        }
    }
}

/// `---- tests::x stdout ----`.
fn heading(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("---- ")?;
    rest.strip_suffix(" stdout ----").or_else(|| rest.strip_suffix(" stderr ----"))
}
