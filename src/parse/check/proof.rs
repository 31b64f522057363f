//! What a check that passed bears out, and what a claim speaks of.

use serde::{Deserialize, Serialize};

use super::coverage::{Coverage, layer};
use super::{CheckReport, Kind};
use crate::parse::has_word;

/// What somebody says that passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spoken {
    pub tests: bool,
    /// All of them, not some.
    pub all_tests: bool,
    pub lint: bool,
    /// Whatever there is: `everything passes`, `zero failures`.
    pub everything: bool,
}

/// What checks that passed showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    pub tests: bool,
    /// No part of them was chosen.
    pub all_tests: bool,
    pub lint: bool,
}

const TESTS: &str = "test tests suite suites spec specs pytest jest vitest mocha rspec";
const LINTS: &str = "\
    lint lints linter linters linting clippy eslint ruff flake8 pylint golangci-lint rubocop biome vet shellcheck";
const PASSES: &str = "pass passes passed passing green succeed succeeds succeeded clean ok";
const FAILS: &str = "fail fails failed failing failure failures regression regressions";
const NONE: &str = "no none nothing not 0 zero without gone";
const ALL: &str = "all every entire whole full everything both";
/// Tasks that run more than their name says.
const WHOLE_TASKS: &str = "check checks ci verify validate all";

impl Spoken {
    /// Whether it speaks of any check.
    pub fn is_of_checks(self) -> bool {
        self != Self::default()
    }

    /// Clause by clause: of tests speaks one that says that some pass, or that none fails.
    pub fn of(text: &str) -> Self {
        let mut spoken = Self::default();
        let text = text.to_ascii_lowercase();
        for clause in text.split(['.', ';', ',', '\n', '!', '?', ':', '(', ')']) {
            let words =
                || clause.split_whitespace().map(|it| it.trim_matches(|c: char| !is_letter(c)));
            let has = |list: &str| words().any(|it| has_word(list, it));
            let fails_not = has(FAILS) && has(NONE);
            // `5 passed`
            let mut first = clause.split_whitespace();
            let is_number = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
            let counts = first.next().is_some_and(is_number) && first.next() == Some("passed");
            if has(PASSES) || fails_not {
                spoken.tests |= has(TESTS) || counts;
                spoken.all_tests |= has(TESTS) && (has(ALL) || fails_not && !has("longer"));
                spoken.lint |= has(LINTS);
                spoken.everything |= has("everything nothing all ci") || fails_not;
            }
        }
        spoken
    }
}

impl Shown {
    pub fn of(report: &CheckReport) -> Self {
        let mut shown = Self::default();
        let ran = report.results.as_ref().is_some_and(|it| it.passed > 0);
        let whole = report.coverage.iter().all(is_whole);
        for it in &report.coverage {
            let task = it.program.rsplit([' ', ':']).next().unwrap_or_default();
            let (tests, lint) = match it.layers {
                u8::MAX => {
                    let is_all = has_word(WHOLE_TASKS, task);
                    let is_lint = it.program.contains("lint");
                    let kind = report.kind == Some(Kind::Test) || it.program.contains("test");
                    (ran || is_all || kind, is_all || is_lint)
                }
                layers => (layers & layer::RUN != 0, layers & (layer::LINT | layer::FORMAT) != 0),
            };
            shown.tests |= tests;
            shown.all_tests |= tests && is_whole(it);
            shown.lint |= lint;
        }
        // A program of which nobody knows what it looks at.
        if report.coverage.is_empty() {
            shown.tests = report.kind == Some(Kind::Test);
            shown.all_tests = shown.tests && report.targets.is_empty();
            shown.lint = report.kind == Some(Kind::Lint);
        }
        shown.tests |= ran;
        shown.all_tests |= ran && whole;
        shown
    }

    pub fn bears_out(self, spoken: Spoken) -> bool {
        (self.tests || !spoken.tests)
            && (self.all_tests || !spoken.all_tests)
            && (self.lint || !spoken.lint)
    }

    pub fn with(self, other: Self) -> Self {
        Self {
            tests: self.tests || other.tests,
            all_tests: self.all_tests || other.all_tests,
            lint: self.lint || other.lint,
        }
    }
}

/// Whether no file, test or part was chosen.
fn is_whole(it: &Coverage) -> bool {
    it.places.is_empty() && it.tests.is_empty() && it.narrowed.is_empty()
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric()
}
