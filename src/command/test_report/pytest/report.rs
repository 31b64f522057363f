//! pytest.

use super::block::{Block, kind};
use super::totals::add_totals;
use crate::command::test_report::OutputStream;
use crate::command::test_report::error_kind::named;
use crate::command::test_report::failures::Failures;
use crate::command::test_report::output::RunnerOutput;
use crate::command::test_report::parsed::Parsed;
use crate::event::{TestFailure, TestResults};

/// Reads what pytest prints.
#[derive(Debug, Default)]
pub struct Pytest {
    results: TestResults,
    failures: Failures,
    block: Option<Block>,
    section: Section,
    has_blocks: bool,
    root: Option<String>,
    version: Option<String>,
    is_understood: bool,
    is_over: bool,
}

/// What the lines are of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Section {
    #[default]
    Other,
    /// Failures and errors, one block each.
    Failures,
    Summary,
    Coverage,
}

impl RunnerOutput for Pytest {
    fn line(&mut self, from: OutputStream, line: &str) {
        if from == OutputStream::Stderr {
            return;
        }
        if add_totals(line, &mut self.results) {
            self.end_block();
            (self.is_understood, self.is_over) = (true, true);
            self.section = Section::Other;
        } else if let Some(title) = titled(line, '=') {
            self.end_block();
            self.section = match title {
                "FAILURES" | "ERRORS" => Section::Failures,
                "short test summary info" => Section::Summary,
                _ if title.contains("coverage") => Section::Coverage,
                _ => Section::Other,
            };
            self.is_understood |= title == "test session starts";
        } else if titled(line, '_').is_some_and(|it| it.starts_with("coverage: ")) {
            self.end_block();
            self.section = Section::Coverage;
        } else {
            self.inner(line);
        }
    }

    fn finish(mut self: Box<Self>) -> Parsed {
        self.end_block();
        if !self.is_over {
            // It was ended before it could sum up.
            self.results.failed = self.failures.count();
            self.results.total = self.results.failed;
        }
        self.failures.kept_mut().iter_mut().for_each(name_wholly);
        Parsed {
            results: self.results,
            failures: self.failures,
            runtime_version: self.version,
            is_understood: self.is_understood,
        }
    }
}

impl Pytest {
    fn inner(&mut self, line: &str) {
        match self.section {
            Section::Failures => match titled(line, '_') {
                Some(title) => {
                    self.end_block();
                    self.block = Some(Block::new(title));
                    self.has_blocks = true;
                }
                None => {
                    if let Some(block) = &mut self.block {
                        block.line(line);
                    }
                }
            },
            Section::Summary => self.summed_up(line),
            Section::Coverage => {
                let Some(rest) = line.strip_prefix("TOTAL ") else { return };
                let percent = rest.split_whitespace().last().and_then(|it| it.strip_suffix('%'));
                self.results.coverage_percent = percent.and_then(|it| it.parse().ok()); // else none
            }
            Section::Other => {
                if let Some(rest) = line.strip_prefix("platform ")
                    && let Some((_, rest)) = rest.split_once(" -- Python ")
                {
                    self.version = rest.split([',', ' ']).next().map(str::to_owned);
                } else if let Some(root) = line.strip_prefix("rootdir: ") {
                    self.root = root.split(',').next().map(str::to_owned);
                }
            }
        }
    }

    fn end_block(&mut self) {
        if let Some(block) = self.block.take() {
            self.failures.add(block.finish(self.root.as_deref()));
        }
    }

    /// `FAILED tests/test_cart.py::TestRates::test_rates[2] - AssertionError: …`: the whole name of a
    /// failure, or all there is of it.
    fn summed_up(&mut self, line: &str) {
        let is_error = line.starts_with("ERROR ");
        let Some(rest) = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR "))
        else {
            return;
        };
        let (id, message) = rest.split_once(" - ").unwrap_or((rest, ""));
        let (file, name) = id.split_once("::").unwrap_or((id, ""));
        let name = name.replace("::", ".");
        let is_it = |it: &&mut TestFailure| {
            let whole = it.test_name == id || it.test_name == name;
            whole && it.test_file.as_deref().is_none_or(|it| it.ends_with(file) || is_error)
        };
        if let Some(failure) = self.failures.kept_mut().iter_mut().find(is_it) {
            id.clone_into(&mut failure.test_name);
            failure.test_file = Some(file.to_owned());
            return;
        }
        if self.has_blocks && self.failures.is_full() {
            return; // counted when its block came
        }
        self.failures.add(TestFailure {
            test_name: id.to_owned(),
            test_file: Some(file.to_owned()),
            test_line: None,
            error_type: kind(named(message).map(|(name, _)| name), message),
            error_message: if message.is_empty() { "failed" } else { message }.to_owned(),
            stack_trace: None,
            expected: None,
            actual: None,
            source_location: None,
        });
    }
}

/// The whole name of a failure that no summary named.
fn name_wholly(failure: &mut TestFailure) {
    let Some(file) = failure.test_file.as_deref() else { return };
    if failure.test_name.starts_with(file) {
        return;
    }
    let (name, given) = match failure.test_name.split_once('[') {
        Some((name, given)) => (name, format!("[{given}")),
        None => (failure.test_name.as_str(), String::new()),
    };
    failure.test_name = format!("{file}::{}{given}", name.replace('.', "::"));
}

/// `=== title ===` → `title`.
fn titled(line: &str, rule: char) -> Option<&str> {
    let inner = line.trim_matches(rule);
    let title = inner.strip_prefix(' ')?.strip_suffix(' ')?;
    let ruled = line.starts_with(rule) && line.ends_with(rule);
    (ruled && !title.is_empty() && !title.starts_with(rule)).then_some(title)
}
