//! What a check said: one reader of the outcomes of builds, type checks, lints, formatters and tests.
//!
//! In: a command line, both its streams in any pieces, how it ended. Out: a [`CheckReport`]. Which commands
//! check is in `command/`, what tools print in the tables of `problem/`, what they write for machines (JSON, SARIF,
//! JUnit's XML) in `form/`, and what needs more than a table, the reports of test runners and TAP, in `runner/`. Output is untrusted: every step
//! is bounded, and nothing recurses.

pub mod cause;
mod closing;
pub mod command;
pub mod coverage;
pub mod diagnostic;
mod form;
pub mod lines;
pub mod matcher;
mod outcome;
mod passed;
mod problem;
mod proof;
mod reader;
mod rules;
pub mod runner;
mod stream;
mod telling;
#[cfg(test)]
mod tests;
mod verdict;

pub use crate::event::CheckAspect as Kind;
use crate::event::derived::{Decode, Encode};
use crate::event::{TestFailure, TestResults};
use coverage::{Coverage, Site};
use diagnostic::{Diagnostic, Finding};

pub use closing::{
    Begun, asks, call_key, called, command_of, may_be_one, of_report, printed, report,
};
pub use coverage::is_test as is_test_file;
pub use passed::PassedTests;
pub use passed::bare as bare_test;
pub use proof::{Shown, Spoken, kinds, kinds_in, of_aspect};
pub use reader::CheckReader;
pub use rules::CheckRules;
pub use telling::{below, error_in, line_of};
pub use verdict::{Basis, Verdict};

/// What the checks of one command line said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckReport {
    /// `None`: it was no check.
    pub kind: Option<Kind>,
    /// What ran in the end: `go test`, `golangci-lint run`; where only the output tells, a tool's name.
    pub program: Option<String>,
    /// What it was run by: `mise run lint`.
    pub wrapper: Option<String>,
    /// Packages, paths, names of tests, as the command has them.
    pub targets: Vec<String>,
    pub verdict: Verdict,
    pub basis: Basis,
    pub findings: Vec<Finding>,
    /// Where a test runner told them.
    pub results: Option<TestResults>,
    pub failures: Vec<TestFailure>,
    /// So many failures more.
    pub left_out: u64,
    /// The one line that says most of a failure.
    pub telling: Option<String>,
    /// It found nothing to check.
    pub ran_nothing: bool,
    /// The line ended as a search in its output did: 1 where nothing matched.
    pub is_searched: bool,
    /// For words of a failure alone.
    pub seeks_failure: bool,
    /// Of Go, the packages whose tests failed; of Rust, the options that run those again.
    pub packages: Vec<String>,
    /// Those that have no test, or none that was asked for.
    pub untested: Vec<String>,
    /// Tests that it names and did not run.
    pub skipped: Vec<String>,
    /// Those that passed, where it names all of them.
    pub passed: Option<PassedTests>,
    /// It passed with tests left out, or of what it failed with not all was seen.
    pub is_partial: bool,
    /// What its checks look at, the last the one that spoke.
    pub coverage: Vec<Coverage>,
    /// The project's root, from which that is told; empty where it is not known.
    pub root: String,
}

/// Why a check that ended well bears nothing out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Unproven {
    RanNothing,
    /// What it printed, or its exit code, tells a failure.
    Failed,
    /// Something else had the last word, and what it printed does not say that it passed.
    Unknown,
}

impl CheckReport {
    /// Whether it bears out that the work is done; `is_end`: no more than the end of all tests was seen.
    pub fn bears_out(&self, is_end: bool) -> Result<(), Unproven> {
        match self.verdict {
            _ if self.basis == Basis::Contradiction => Err(Unproven::Failed),
            Verdict::Failed => Err(Unproven::Failed),
            _ if self.ran_nothing && is_end => Ok(()),
            _ if self.ran_nothing => Err(Unproven::RanNothing),
            Verdict::Passed => Ok(()),
            Verdict::Unknown => Err(Unproven::Unknown),
        }
    }

    /// Whether it ended badly for having found nothing to check.
    pub fn is_idle(&self) -> bool {
        self.ran_nothing && self.verdict == Verdict::Unknown && self.basis == Basis::Output
    }

    /// Its paths told from where it ran.
    pub fn placed(mut self, site: Site<'_>) -> Self {
        let coverage = std::mem::take(&mut self.coverage);
        self.coverage = coverage.into_iter().map(|it| it.placed(site)).collect();
        self.root = site.root.to_owned();
        self
    }

    /// In spec 000's fields.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.findings.iter().map(|it| it.diagnostic.clone()).collect()
    }
}

/// The command line that a tool is read as that checks and has none.
pub const RUST: &str = "cargo check";

/// The diagnostics in what a command printed.
pub fn diagnostics(command: &str, stdout: &[u8], stderr: &[u8]) -> Vec<Diagnostic> {
    let mut reader = CheckReader::of(command, &CheckRules::default());
    reader.feed(lines::OutputStream::Stdout, stdout);
    reader.feed(lines::OutputStream::Stderr, stderr);
    reader.finish(None).diagnostics()
}
