//! pytest.

use std::collections::VecDeque;

use super::block::Block;
use super::{Summary, below, class, kind, totals};
use crate::event::{TestFailure, TestResults};
use crate::parse::check::runner::failures::{FAILURES_MAX, Frame, failure, named};
use crate::parse::check::runner::{OutputStream, Parsed, RunnerOutput, add, place};

#[derive(Debug, Default)]
pub struct Pytest {
    /// Its totals are of the sessions before.
    parsed: Parsed,
    /// The last totals of this session: what tests print may look like them.
    last: Option<TestResults>,
    coverage: Option<f64>,
    block: Option<Block>,
    lines: Lines,
    section: Section,
    /// How wide the section's rule is.
    width: usize,
    has_blocks: bool,
    has_summary: bool,
    /// Lines as the summary's, without its heading: it was cut away, or a test printed them.
    headless: Vec<String>,
    root: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Section {
    #[default]
    Other,
    Failures,
    Summary,
    Coverage,
}

impl RunnerOutput for Pytest {
    fn line(&mut self, _: OutputStream, line: &str) {
        if let Some(results) = totals(line) {
            self.parsed.is_understood = true;
            self.last = Some(results);
            if !self.is_captured() {
                self.end_block();
                self.section = Section::Other;
            }
        } else if let Some(title) = titled(line, '=').filter(|_| !self.is_printed(line)) {
            self.end_block();
            self.width = line.chars().count();
            self.section = match title {
                "FAILURES" | "ERRORS" => Section::Failures,
                "short test summary info" => Section::Summary,
                _ if title.contains("coverage") => Section::Coverage,
                _ => Section::Other,
            };
            self.has_summary |= self.section == Section::Summary;
            if title == "test session starts" {
                self.parsed.is_understood = true;
                add(&mut self.parsed.results, &self.last.take().unwrap_or_default());
            }
        } else if titled(line, '_').is_some_and(|it| it.starts_with("coverage: ")) {
            self.end_block();
            self.section = Section::Coverage;
        } else {
            self.inner(line);
        }
    }

    fn finish(mut self: Box<Self>) -> Parsed {
        self.end_block();
        let is_over = self.last.is_some();
        add(&mut self.parsed.results, &self.last.take().unwrap_or_default());
        self.parsed.results.coverage_percent = self.coverage;
        if !self.has_summary && self.parsed.failures.is_empty() {
            for line in std::mem::take(&mut self.headless) {
                Summary::of(&line).into_iter().for_each(|it| self.summed_up(&it));
            }
        }
        if !is_over && self.parsed.results.total == 0 {
            // It was ended before it could sum up.
            self.parsed.results.failed = self.parsed.failures.count();
            self.parsed.results.total = self.parsed.results.failed;
        }
        self.parsed.failures.kept_mut().iter_mut().for_each(name_wholly);
        self.parsed
    }
}

impl Pytest {
    fn inner(&mut self, line: &str) {
        match self.section {
            Section::Failures => match titled(line, '_').filter(|_| !self.is_printed(line)) {
                Some(title) => {
                    self.end_block();
                    self.block = Some(Block::new(title));
                    self.has_blocks = true;
                }
                None => match &mut self.block {
                    Some(block) => block.line(line),
                    None => self.lines.line(line),
                },
            },
            Section::Summary => {
                Summary::of(line).into_iter().for_each(|it| self.summed_up(&it));
            }
            Section::Coverage => {
                let Some(rest) = line.strip_prefix("TOTAL ") else { return };
                let percent = rest.split_whitespace().last().and_then(|it| it.strip_suffix('%'));
                self.coverage = percent.and_then(|it| it.parse().ok()); // else none
            }
            Section::Other => {
                if let Some(rest) = line.strip_prefix("platform ")
                    && let Some((_, rest)) = rest.split_once(" -- Python ")
                {
                    self.parsed.runtime_version = rest.split([',', ' ']).next().map(str::to_owned);
                } else if let Some(root) = line.strip_prefix("rootdir: ") {
                    self.root = root.split(',').next().map(str::to_owned);
                } else if self.headless.len() < FAILURES_MAX
                    && Summary::of(line).is_some_and(|it| it.file.ends_with(".py"))
                {
                    self.headless.push(line.to_owned());
                }
            }
        }
    }

    fn is_captured(&self) -> bool {
        self.block.as_ref().is_some_and(Block::is_captured)
    }

    /// Whether a test printed this rule: pytest's own are all of one width, but for very long titles.
    fn is_printed(&self, line: &str) -> bool {
        let is_long = line.starts_with("_ ") && line.chars().count() > self.width;
        self.is_captured() && line.chars().count() != self.width && !is_long
    }

    fn end_block(&mut self) {
        if let Some(block) = self.block.take() {
            self.parsed.failures.add(block.finish(self.root.as_deref()));
        }
    }

    /// The whole name of a failure, or all there is of it.
    fn summed_up(&mut self, told: &Summary) {
        let title = told.title();
        let is_it = |it: &&mut TestFailure| {
            let whole = it.test_name == told.id || it.test_name == title;
            whole
                && it.test_file.as_deref().is_none_or(|it| it.ends_with(told.file) || told.is_error)
        };
        if let Some(failure) = self.parsed.failures.kept_mut().iter_mut().find(is_it) {
            failure.test_name = told.name();
            failure.test_file = Some(told.file.to_owned());
            if failure.error_message == "failed" && !told.message.is_empty() {
                told.message.clone_into(&mut failure.error_message);
            }
            return;
        }
        if self.has_blocks && self.parsed.failures.is_full() {
            return; // counted when its block came
        }
        let told_at = self.lines.take(told.message).filter(|_| !told.is_error);
        let place = told_at
            .as_ref()
            .map(|(file, line, _)| Frame::new(None, &below(self.root.as_deref(), file), *line));
        let message = told_at.as_ref().map_or(told.message, |(_, _, message)| message);
        let exception = named(message).map(|(name, _)| name).or_else(|| class(message));
        let said = if message.is_empty() { "failed" } else { message };
        self.parsed.failures.add(TestFailure {
            test_file: Some(told.file.to_owned()),
            test_line: place.as_ref().filter(|it| it.file == told.file).map(|it| it.line),
            source_location: place.as_ref().map(Frame::location),
            ..failure(&told.name(), kind(exception, message), said)
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

/// Failures of which pytest prints the place and the error's first line: `--tb=line`. The names come
/// later, in the same order.
#[derive(Debug, Default)]
pub struct Lines {
    told: VecDeque<(String, i64, String)>,
}

impl Lines {
    pub fn line(&mut self, line: &str) {
        let is_path = line.starts_with(|it: char| it.is_alphanumeric() || "/._".contains(it));
        let told = place(line).filter(|(file, _, _)| is_path && file.ends_with(".py"));
        if let Some((file, number, rest)) = told
            && let Some(message) = rest.strip_prefix(": ")
            && self.told.len() < FAILURES_MAX
        {
            self.told.push_back((file.to_owned(), number, message.to_owned()));
        }
    }

    /// The place of the failure with this message, which may be cut: `assert 1.0 ==...`. Those before it
    /// are gone.
    pub fn take(&mut self, message: &str) -> Option<(String, i64, String)> {
        let begins = message.trim_end_matches("...");
        let is_it = |(_, _, told): &(String, i64, String)| told.starts_with(begins);
        let at = self.told.iter().take(8).position(is_it).filter(|_| !begins.is_empty())?;
        self.told.drain(..=at).next_back()
    }
}
