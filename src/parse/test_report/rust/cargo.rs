//! `cargo test`.

use std::collections::BTreeSet;

use super::block::Block;
use super::build::Build;
use super::harness::Harness;
use super::loose::Loose;
use super::run::Run;
use super::told::Told;
use super::totals::add;
use crate::event::TestResults;
use crate::parse::test_report::OutputStream;
use crate::parse::test_report::failures::Failures;
use crate::parse::test_report::output::RunnerOutput;
use crate::parse::test_report::parsed::Parsed;

/// Reads what `cargo test` prints, and a test binary of its own.
#[derive(Debug, Default)]
pub struct CargoTest {
    results: TestResults,
    failures: Failures,
    build: Build,
    streams: [Harness; 2],
    loose: Loose,
    /// Names that only a list told.
    listed: BTreeSet<String>,
    crashes: u64,
    /// nextest ran the tests, or had cargo build, and says so.
    is_nextest: bool,
    is_understood: bool,
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
                self.is_understood = true;
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
                self.is_understood = true;
                self.ended(run);
            }
        }
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
    fn ended(&mut self, run: Run) {
        add(&mut self.results, &run.results);
        run.failures.into_iter().for_each(|it| self.failures.add(it));
        for name in run.listed {
            self.failures.add(Block::new(&name).finish("FAIL"));
            if !self.failures.is_full() {
                self.listed.insert(name);
            }
        }
        self.failures.leave_out(run.left_out);
    }

    /// What was only listed, with what the tests said elsewhere, on either stream.
    fn explain(&mut self) {
        self.loose.finish();
        let only_listed = |name: &str| self.listed.contains(name);
        let mut documented = Vec::new();
        for failure in self.failures.kept_mut().iter_mut().rev() {
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
        self.failures.add(Block::new(name).finish(how));
        self.crashes += 1;
    }
}
