//! The test runners whose output is understood.

use super::either::Either;
use super::go::GoTest;
use super::jest::Jest;
use super::node::NodeTest;
use super::output::RunnerOutput;
use super::pytest::Pytest;
use super::rust::{CargoTest, Nextest};
use super::unittest::Unittest;

/// The test runners whose output is understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestRunner {
    CargoTest,
    Nextest,
    Pytest,
    Jest,
    GoTest,
    Unittest,
    NodeTest,
}

impl TestRunner {
    /// Every one.
    pub const ALL: &'static [Self] = &[
        Self::CargoTest,
        Self::Nextest,
        Self::Pytest,
        Self::Jest,
        Self::GoTest,
        Self::Unittest,
        Self::NodeTest,
    ];

    /// The document's `test_framework`.
    pub fn framework(self) -> &'static str {
        match self {
            Self::CargoTest => "cargo test",
            Self::Nextest => "cargo nextest",
            Self::Pytest => "pytest",
            Self::Jest => "jest",
            Self::GoTest => "go test",
            Self::Unittest => "unittest",
            Self::NodeTest => "node --test",
        }
    }

    /// The document's `runtime`.
    pub fn runtime(self) -> &'static str {
        match self {
            Self::CargoTest | Self::Nextest => "rust",
            Self::Pytest | Self::Unittest => "python",
            Self::Jest | Self::NodeTest => "node",
            Self::GoTest => "go",
        }
    }

    /// The command that prints the runtime's version, to be run where the tests were.
    pub fn version_command(self) -> &'static [&'static str] {
        match self {
            Self::CargoTest | Self::Nextest => &["rustc", "--version"],
            Self::Pytest | Self::Unittest => &["python3", "--version"],
            Self::Jest | Self::NodeTest => &["node", "--version"],
            Self::GoTest => &["go", "version"],
        }
    }

    /// A parser of its output.
    pub(super) fn parser(self) -> Box<dyn RunnerOutput> {
        match self {
            Self::CargoTest => Box::<CargoTest>::default(),
            Self::Nextest => Box::<Nextest>::default(),
            Self::Pytest => Box::<Either<Pytest>>::default(),
            Self::Jest => Box::<Jest>::default(),
            Self::GoTest => Box::<GoTest>::default(),
            Self::Unittest => Box::<Either<Unittest>>::default(),
            Self::NodeTest => Box::<Either<NodeTest>>::default(),
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
