//! What a test runner's output tells: totals, failures, where they come from, coverage.
//!
//! A [`TestReportReader`] is given the bytes of both streams as they come, in any pieces, and keeps of
//! them only what the report will hold: a log of any length is read in bounded memory. The runner is told
//! by the command; where that says nothing (`make`, `npm test`), by the output.

mod beginnings;
mod failed_test;
pub mod failures;
mod framework;
mod go;
mod jest;
mod node;
mod pytest;
mod reader;
mod rust;
mod tap;
pub(in crate::parse::check) mod text;

use serde::{Deserialize, Serialize};

use crate::event::{DebugEnvironment, TestFailure, TestResults};
use failures::Failures;

pub use crate::parse::check::lines::OutputStream;
pub(in crate::parse::check) use failed_test::Found;
pub use framework::TestRunner;
pub use reader::{Sniffed, TestReportReader};

/// Options of cargo that a word follows.
const CARGO_TAKES: &[&str] = &["--color", "--config", "--manifest-path", "-C", "-Z"];

/// The runner that a command names, be it through `npx`, `python -m`, `env` or a shell's line; `None`
/// where it names none, or several.
pub fn runner_of<S: AsRef<str>>(argv: &[S]) -> Option<TestRunner> {
    let breaks = |it: char| {
        it.is_whitespace() || matches!(it, ';' | '|' | '&' | '(' | ')' | '\'' | '"' | '`')
    };
    let words: Vec<&str> =
        argv.iter().flat_map(|it| it.as_ref().split(breaks)).filter(|it| !it.is_empty()).collect();
    let mut found = None;
    for (position, word) in words.iter().enumerate() {
        let Some(runner) = named(word, &words[position + 1..]) else { continue };
        if found.is_some_and(|before| before != runner) {
            return None;
        }
        found = Some(runner);
    }
    found
}

fn named(word: &str, after: &[&str]) -> Option<TestRunner> {
    match word.rsplit('/').next().unwrap_or(word) {
        "cargo" => match cargo_command(after)? {
            "test" | "t" => Some(TestRunner::CargoTest),
            "nextest" => Some(TestRunner::Nextest),
            _ => None,
        },
        "cargo-nextest" => Some(TestRunner::Nextest),
        "pytest" | "py.test" => Some(TestRunner::Pytest),
        "jest" | "jest.js" => Some(TestRunner::Jest),
        name if name.starts_with("python")
            && after.windows(2).any(|it| it == ["-m", "unittest"]) =>
        {
            Some(TestRunner::Unittest)
        }
        "node" if after.iter().any(|it| *it == "--test" || it.starts_with("--test-")) => {
            Some(TestRunner::NodeTest)
        }
        "go" if after.first() == Some(&"test") => Some(TestRunner::GoTest),
        _ => None,
    }
}

fn cargo_command<'a>(after: &[&'a str]) -> Option<&'a str> {
    let mut words = after.iter();
    while let Some(word) = words.next() {
        if CARGO_TAKES.contains(word) {
            words.next();
        } else if !word.starts_with(['-', '+']) {
            return Some(word);
        }
    }
    None
}

/// A place: its file and line, and what follows.
pub fn place(text: &str) -> Option<(&str, i64, &str)> {
    // From the left: a Windows drive's colon is not followed by a digit.
    let mut from = 0;
    loop {
        let colon = from + text[from..].find(':')?;
        let rest = &text[colon + 1..];
        let digits = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
        if digits > 0 && colon > 0 {
            let line = rest[..digits].parse().ok()?; // too many digits for a line
            return Some((&text[..colon], line, &rest[digits..]));
        }
        from = colon + 1;
    }
}

/// Whether code at this path is the project's own: no library, no language's own.
pub fn is_own(file: &str) -> bool {
    const FOREIGN: &str = "/rustc/ /.cargo/ /rustlib/ site-packages dist-packages /lib/python \
        node_modules node: internal/ < /usr/lib/go /usr/local/go /go/pkg/mod/ /src/runtime/ \
        /src/testing/ _testmain.go";
    !FOREIGN.split_ascii_whitespace().any(|part| file.contains(part))
}

/// What a parser made of an output.
#[derive(Debug, Default)]
pub struct Parsed {
    pub results: TestResults,
    pub failures: Failures,
    pub runtime_version: Option<String>,
    /// Whether the runner spoke at all.
    pub is_understood: bool,
}

impl Parsed {
    /// How much it found: what went wrong, then tests.
    pub fn weight(&self) -> (u64, u64) {
        (self.bad(), self.results.total)
    }

    /// Tests that went wrong, by the totals.
    pub fn bad(&self) -> u64 {
        self.results.failed.saturating_add(self.results.errors.unwrap_or(0))
    }
}

/// Adds what one binary, or one session, came to.
pub fn add(results: &mut TestResults, more: &TestResults) {
    let sum = |one: Option<u64>, other: Option<u64>| match (one, other) {
        (None, None) => None,
        (one, other) => Some(one.unwrap_or(0).saturating_add(other.unwrap_or(0))),
    };
    results.passed = results.passed.saturating_add(more.passed);
    results.failed = results.failed.saturating_add(more.failed);
    results.total = results.total.saturating_add(more.total);
    results.errors = sum(results.errors, more.errors);
    results.skipped = sum(results.skipped, more.skipped);
    results.duration_ms = sum(results.duration_ms, more.duration_ms);
}

/// How many the counts are together.
pub fn total(results: &TestResults) -> u64 {
    let ran = results.passed.saturating_add(results.failed);
    [results.errors, results.skipped].into_iter().flatten().fold(ran, u64::saturating_add)
}

/// What a run of tests came to, as an attempt has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TestReport {
    /// Runtime and test framework, and the runtime's version where the runner prints it. The operating
    /// system is not in the output: see `OS`.
    pub environment: DebugEnvironment,
    pub results: TestResults,
    /// In the order they were printed, at most 200.
    pub failures: Vec<TestFailure>,
    /// So many failures more.
    pub left_out: u64,
    /// Whether a runner's output was found. Where it was not and the command failed, the one failure is
    /// the command itself, with the end of what it printed.
    pub is_understood: bool,
}

/// The operating system's name, as a document's environment has it; `None` for one that we do not name.
pub const OS: Option<&str> = if cfg!(target_os = "linux") {
    Some("linux")
} else if cfg!(target_os = "macos") {
    Some("macos")
} else if cfg!(target_os = "freebsd") {
    Some("freebsd")
} else {
    None
};

/// Reads one runner's output line by line. It keeps of it what the report will hold, and no more.
pub trait RunnerOutput: std::fmt::Debug + Send {
    fn line(&mut self, from: OutputStream, line: &str);
    fn finish(self: Box<Self>) -> Parsed;
}

#[cfg(test)]
mod tests;
