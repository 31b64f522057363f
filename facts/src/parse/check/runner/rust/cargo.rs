//! `cargo test`.

use std::collections::{BTreeMap, BTreeSet};

use super::block::Block;
use super::harness::Harness;
use super::panic::Panic;
use super::{Build, Run, Told};
use crate::parse::check::runner::failures::FAILURES_MAX;
use crate::parse::check::runner::{OutputStream, Parsed, RunnerOutput, add};

#[derive(Debug, Default)]
pub struct CargoTest {
    parsed: Parsed,
    build: Build,
    streams: [Harness; 2],
    loose: Loose,
    /// Names that only a list told.
    listed: BTreeSet<String>,
    crashes: u64,
    /// nextest ran the tests, or had cargo build, and says so.
    is_nextest: bool,
}

impl RunnerOutput for CargoTest {
    fn line(&mut self, from: OutputStream, line: &str) {
        let harness = &mut self.streams[usize::from(from == OutputStream::Stderr)];
        if !harness.is_running() {
            self.build.line(line);
            self.is_nextest |= line.starts_with(" Nextest run ID ")
                || line.starts_with("error: command `") && line.contains(" test --no-run ");
        }
        match harness.line(line) {
            Told::Kept => self.loose.end(from),
            Told::Ended(run) => {
                self.loose.end(from);
                self.parsed.is_understood = true;
                self.ended(*run);
            }
            Told::Loose(line) => {
                let crash = line.trim_start().strip_prefix("process didn't exit successfully: `");
                if let Some((program, how)) = crash.and_then(|it| it.split_once("` (")) {
                    self.crashed(program, how.trim_end_matches(')'));
                } else {
                    self.loose.line(from, harness.current(), line);
                }
            }
        }
    }

    fn finish(mut self: Box<Self>) -> Parsed {
        for harness in std::mem::take(&mut self.streams) {
            if let Some(run) = harness.finish() {
                self.parsed.is_understood = true;
                self.ended(run);
            }
        }
        self.explain();
        if let Some(failure) = self.build.finish() {
            self.parsed.failures.add(failure);
            self.crashes += 1;
        }
        self.parsed.results.errors = (self.crashes > 0).then_some(self.crashes);
        self.parsed.results.total = self.parsed.results.total.saturating_add(self.crashes);
        self.parsed.is_understood =
            (self.parsed.is_understood || self.crashes > 0) && !self.is_nextest;
        self.parsed
    }
}

impl CargoTest {
    fn ended(&mut self, run: Run) {
        add(&mut self.parsed.results, &run.results);
        run.failures.into_iter().for_each(|it| self.parsed.failures.add(it));
        for name in run.listed {
            self.parsed.failures.add(Block::new(&name).finish("FAIL"));
            if !self.parsed.failures.is_full() {
                self.listed.insert(name);
            }
        }
        self.parsed.failures.leave_out(run.left_out);
    }

    /// What was only listed, with what the tests said elsewhere, on either stream.
    fn explain(&mut self) {
        self.loose.finish();
        let only_listed = |name: &str| self.listed.contains(name);
        let mut documented = Vec::new();
        for failure in self.parsed.failures.kept_mut().iter_mut().rev() {
            if !only_listed(&failure.test_name) {
                continue;
            }
            if let Some(block) = self.loose.take(&failure.test_name) {
                *failure = block.finish("FAIL");
            } else if failure.test_name.contains(" - ") && failure.test_name.contains("(line ") {
                documented.push(failure);
            }
        }
        if let [failure] = documented.as_mut_slice()
            && let Some(block) = self.loose.take_only_main()
        {
            **failure = block.called(&failure.test_name).finish("FAIL");
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
        self.parsed.failures.add(Block::new(name).finish(how));
        self.crashes += 1;
    }
}

/// The thread of a documentation's test: its process has no other.
const MAIN: &str = "main";

/// What tests said outside of the harness's blocks: `--nocapture` prints it as it comes.
#[derive(Debug, Default)]
pub struct Loose {
    told: BTreeMap<String, Block>,
    /// Panics of documentation's tests.
    mains: u64,
    open: [Option<Panic>; 2],
}

impl Loose {
    /// Takes a line, of this test where that is known.
    pub fn line(&mut self, from: OutputStream, test: Option<&str>, line: &str) {
        let slot = usize::from(from == OutputStream::Stderr);
        if let Some(panic) = Panic::begin(line) {
            self.close(slot);
            self.open[slot] = Some(panic);
        } else if line.starts_with("Error: ") {
            self.close(slot);
            if let Some(test) = test.filter(|_| self.told.len() < FAILURES_MAX) {
                let mut block = Block::new(test);
                block.line(line);
                self.told.insert(test.to_owned(), block);
            }
        } else if let Some(open) = &mut self.open[slot] {
            let is_over =
                line.is_empty() && !open.message.is_empty() || line.starts_with("error: ");
            if is_over || !open.line(line) {
                self.close(slot);
            }
        }
    }

    /// The harness speaks: what a test said is over.
    pub fn end(&mut self, from: OutputStream) {
        self.close(usize::from(from == OutputStream::Stderr));
    }

    pub fn finish(&mut self) {
        (0..2).for_each(|slot| self.close(slot));
    }

    pub fn take(&mut self, test: &str) -> Option<Block> {
        self.told.remove(test)
    }

    /// What the only one of the documentation's tests said that panicked.
    pub fn take_only_main(&mut self) -> Option<Block> {
        self.told.remove(MAIN).filter(|_| self.mains == 1)
    }

    fn close(&mut self, slot: usize) {
        let Some(panic) = self.open[slot].take() else { return };
        self.mains += u64::from(panic.thread == MAIN);
        if self.told.len() < FAILURES_MAX {
            let thread = panic.thread.clone();
            self.told.insert(thread.clone(), Block::new(&thread).with(panic));
        }
    }
}
