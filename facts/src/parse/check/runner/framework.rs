//! The test runners whose output is understood.

use std::collections::BTreeSet;

use super::go::GoTest;
use super::jest::Jest;
use super::node::NodeTest;
use super::pytest::Pytest;
use super::rust::{CargoTest, Nextest};
use super::tap::Tap;
use super::{OutputStream, Parsed, RunnerOutput};
use crate::event::{TestFailure, TestResults, words};
use crate::parse::check::runner::pytest::Block;
use crate::parse::check::runner::text::milliseconds;

words! {
    /// Each with the document's `test_framework`.
    pub enum TestRunner {
        CargoTest = "cargo test",
        Nextest = "cargo nextest",
        Pytest = "pytest",
        Jest = "jest",
        GoTest = "go test",
        Unittest = "unittest",
        NodeTest = "node --test",
        /// Whoever wrote it.
        Tap = "TAP",
    }
}

impl TestRunner {
    /// The document's `test_framework`.
    pub fn framework(self) -> &'static str {
        self.as_str()
    }

    /// The document's `runtime`.
    pub fn runtime(self) -> Option<&'static str> {
        Some(match self {
            Self::CargoTest | Self::Nextest => "rust",
            Self::Pytest | Self::Unittest => "python",
            Self::Jest | Self::NodeTest => "node",
            Self::GoTest => "go",
            Self::Tap => return None,
        })
    }

    /// The command that prints the runtime's version, to be run where the tests were.
    pub fn version_command(self) -> &'static [&'static str] {
        match self {
            Self::CargoTest | Self::Nextest => &["rustc", "--version"],
            Self::Pytest | Self::Unittest => &["python3", "--version"],
            Self::Jest | Self::NodeTest => &["node", "--version"],
            Self::GoTest => &["go", "version"],
            Self::Tap => &[],
        }
    }

    pub(super) fn parser(self) -> Box<dyn RunnerOutput> {
        match self {
            Self::CargoTest => Box::<CargoTest>::default(),
            Self::Nextest => Box::<Nextest>::default(),
            Self::Pytest => Box::<Either<Pytest>>::default(),
            Self::Jest => Box::<Jest>::default(),
            Self::GoTest => Box::<GoTest>::default(),
            Self::Unittest => Box::<Either<Unittest>>::default(),
            Self::NodeTest => Box::<Either<NodeTest>>::default(),
            Self::Tap => Box::<Either<Tap>>::default(),
        }
    }

    /// Whether a failure is a test's, not a build's or a package's that could not be run.
    pub(in crate::parse::check) fn is_test(self, failure: &TestFailure) -> bool {
        match self {
            Self::GoTest => super::go::is_test(&failure.test_name),
            Self::CargoTest | Self::Nextest => failure.test_name != "build",
            _ => true,
        }
    }

    /// The version in what [`Self::version_command`] printed: the first word that begins with a number,
    /// but for a `v` or `go` before it.
    pub fn version_in(printed: &str) -> Option<&str> {
        let bare = |word: &'_ str| word.trim_start_matches("go").trim_start_matches('v').len();
        printed
            .split_whitespace()
            .map(|word| &word[word.len() - bare(word)..])
            .find(|word| word.starts_with(|first: char| first.is_ascii_digit()))
    }
}

/// A runner that prints everything on one stream, whichever that is: what comes on the other one is not
/// its own. Two parsers, and the one that understands is believed.
#[derive(Debug, Default)]
pub struct Either<P> {
    streams: [P; 2],
}

impl<P: RunnerOutput> RunnerOutput for Either<P> {
    fn line(&mut self, from: OutputStream, line: &str) {
        self.streams[usize::from(from == OutputStream::Stderr)].line(from, line);
    }

    fn finish(self: Box<Self>) -> Parsed {
        let [out, err] = self.streams.map(|it| Box::new(it).finish());
        let is_better = !out.is_understood || err.weight() > out.weight();
        if err.is_understood && is_better { err } else { out }
    }
}

/// The rule above a failure.
const DOUBLE: &str = "======================================================================";
/// The rule below its name, and above the totals.
const SINGLE: &str = "----------------------------------------------------------------------";

#[derive(Debug, Default)]
pub struct Unittest {
    parsed: Parsed,
    /// The failure's name, and what it tells.
    block: Option<(String, Block)>,
    /// Tests that went wrong: the parts of one are told one by one.
    failed: BTreeSet<String>,
    before: Before,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Before {
    #[default]
    Other,
    Double,
    Single,
    /// `Ran 3 tests in 0.001s`, and no verdict yet.
    Ran(u64, Option<u64>),
}

impl RunnerOutput for Unittest {
    fn line(&mut self, _: OutputStream, line: &str) {
        let before = std::mem::take(&mut self.before);
        match (before, line) {
            (_, DOUBLE) => self.before = Before::Double,
            (Before::Double, _) if self.begin(line) => {}
            (_, SINGLE) => self.before = Before::Single,
            (Before::Single, _) if line.starts_with("Ran ") => {
                self.end_block();
                if let Some((count, took)) = ran(line) {
                    self.before = Before::Ran(count, took);
                }
            }
            (Before::Ran(..), "") => self.before = before,
            (Before::Ran(count, took), _) => self.verdict(count, took, line),
            _ => {
                if let Some((_, block)) = &mut self.block {
                    block.line(line);
                }
            }
        }
    }

    fn finish(mut self: Box<Self>) -> Parsed {
        self.end_block();
        self.parsed
    }
}

impl Unittest {
    /// `FAIL: test_x (mod.Class.test_x)`, before Python 3.11 `(mod.Class)`; of a subtest ` (i=1)` follows.
    fn begin(&mut self, line: &str) -> bool {
        let words = ["FAIL: ", "ERROR: ", "UNEXPECTED SUCCESS: "];
        let Some((word, rest)) = words.iter().find_map(|it| Some((it, line.strip_prefix(it)?)))
        else {
            return false;
        };
        self.end_block();
        let (method, rest) = rest.split_once(" (").unwrap_or((rest, ""));
        let (within, sub) = rest.split_once(')').unwrap_or((rest, ""));
        let name = if within.is_empty() || within.contains("_FailedTest") {
            method.to_owned()
        } else if within.rsplit('.').next() == Some(method) {
            within.to_owned()
        } else {
            format!("{within}.{method}")
        };
        self.failed.insert(name.clone());
        let mut block = Block::new(method);
        if *word == "UNEXPECTED SUCCESS: " {
            block.line("E   AssertionError: unexpected success");
        }
        self.block = Some((format!("{name}{sub}"), block));
        true
    }

    fn end_block(&mut self) {
        if let Some((name, block)) = self.block.take() {
            self.parsed.failures.add(TestFailure { test_name: name, ..block.finish(None) });
        }
    }

    /// `OK (skipped=1)`, `FAILED (failures=2, errors=1)`, `NO TESTS RAN`.
    fn verdict(&mut self, ran: u64, took: Option<u64>, line: &str) {
        let (word, told) = line.split_once(" (").unwrap_or((line, ""));
        if !matches!(word, "OK" | "FAILED" | "NO TESTS RAN") {
            return;
        }
        self.parsed.is_understood = true;
        let mut results = TestResults { duration_ms: took, ..TestResults::default() };
        let (mut skipped, mut known) = (0_u64, 0_u64);
        for (word, count) in
            told.trim_end_matches(')').split(", ").filter_map(|it| it.split_once('='))
        {
            let Ok(count) = count.parse::<u32>().map(u64::from) else { continue };
            match word {
                "failures" => results.failed += count,
                "errors" => results.errors = Some(count),
                "skipped" => skipped += count,
                "expected failures" => known += count,
                // Told of in blocks by newer versions, else only here.
                "unexpected successes" => results.failed += count,
                _ => {}
            }
        }
        let bad = results.failed.saturating_add(results.errors.unwrap_or(0));
        // Of one test several parts may have failed; what failed before any test is none.
        let outside = |it: &&String| it.contains(".setUpClass") || it.contains("setUpModule");
        let outside = self.failed.iter().filter(outside).count() as u64;
        let distinct = (self.failed.len() as u64).saturating_sub(outside).min(bad);
        let gone = skipped.saturating_add(known);
        results.passed = ran.saturating_sub(distinct).saturating_sub(gone);
        results.skipped = Some(gone).filter(|it| *it > 0);
        results.total = ran.max(results.passed.saturating_add(results.failed));
        self.parsed.results = results;
    }
}

/// `Ran 3 tests in 0.001s` → (3, 1).
fn ran(line: &str) -> Option<(u64, Option<u64>)> {
    let (count, rest) = line.strip_prefix("Ran ")?.split_once(' ')?;
    let (_, took) = rest.split_once("in ")?;
    let count: u32 = count.parse().ok()?; // no number: a test's own words
    Some((u64::from(count), milliseconds(took)))
}
