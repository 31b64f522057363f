//! What a check that passed bears out, and what a claim speaks of.

use super::command::calls;
use super::coverage::{Coverage, layer};
use super::{CheckReport, CheckRules, Kind};
use crate::event::derived::{Decode, Encode};
use crate::parse::has_word;
use crate::parse::shell::Script;

/// Kinds of checks, a bit each.
pub mod kinds {
    pub const TESTS: u8 = 1;
    pub const LINT: u8 = 2;
    pub const FORMAT: u8 = 4;
    pub const TYPES: u8 = 8;
    pub const BUILD: u8 = 16;
    pub const ALL: u8 = 31;
}

use kinds::{ALL as ANY, BUILD, FORMAT, LINT, TESTS as RUNS, TYPES};

/// What somebody says that passed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spoken {
    /// Of each of these kinds a check must have passed.
    pub kinds: u8,
    /// Of these none may still fail: named by more than one program of theirs.
    pub whole: u8,
    /// Of these programs neither.
    pub programs: Vec<String>,
    /// All tests, not some.
    pub all_tests: bool,
    /// Whatever there is: `everything passes`, `zero failures`.
    pub everything: bool,
}

/// What checks that passed showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Shown {
    /// Of these kinds one did.
    pub kinds: u8,
    /// No part of the tests was chosen.
    pub all_tests: bool,
}

const TESTS: &str = "test tests suite suites spec specs pytest jest vitest mocha rspec";
/// What a kind is called, besides its programs.
const NAMES: [(&str, u8); 4] = [
    ("lint lints linter linters linting", LINT),
    ("format formatting formatter fmt", FORMAT),
    ("typecheck typechecks typechecker type-check type-checks type-checker type-checking", TYPES),
    ("build builds compilation", BUILD),
];
const TYPERS: &str = "mypy pyright basedpyright pyre pytype tsc vue-tsc";
const PROGRAMS: [(&str, u8); 3] = [
    (TYPERS, TYPES),
    ("clippy eslint ruff flake8 pylint golangci-lint rubocop biome vet shellcheck", LINT),
    ("gofmt goimports gofumpt rustfmt black isort prettier", FORMAT),
];
/// Programs that are called through another.
const THROUGH: [(&str, &str); 3] = [("clippy", "cargo"), ("rustfmt", "cargo"), ("vet", "go")];
const PASSES: &str = "pass passes passed passing green succeed succeeds succeeded clean ok";
const FAILS: &str = "fail fails failed failing failure failures regression regressions";
const NONE: &str = "no none nothing not 0 zero without gone";
const ALL: &str = "all every entire whole full everything both";
/// Come behind `it compiles`.
const ENDS: &str = "again now cleanly without with successfully fine ok and on for";
/// Tasks that run more than their name says.
const WHOLE_TASKS: &str = "check checks ci verify validate all";

impl Spoken {
    /// Whether it speaks of any check.
    pub fn is_of_checks(&self) -> bool {
        *self != Self::default()
    }

    /// Clause by clause: of tests speaks one that says that some pass, or that none fails.
    pub fn of(text: &str) -> Self {
        let mut spoken = Self::default();
        let text = text.to_ascii_lowercase();
        for clause in text.split(['.', ';', ',', '\n', '!', '?', ':', '(', ')']) {
            let words = clause.split_whitespace().map(|it| it.trim_matches(|c| !is_letter(c)));
            spoken.read(&words.collect::<Vec<_>>());
        }
        spoken
    }

    fn read(&mut self, words: &[&str]) {
        let has = |list: &str| words.iter().any(|it| has_word(list, it));
        let follows = |one: &str, next: &str| {
            words.windows(2).any(|it| has_word(one, it[0]) && has_word(next, it[1]))
        };
        let builds = |it: &&str| has_word("compiles builds", it);
        let is_built = words
            .iter()
            .rposition(builds)
            .is_some_and(|at| at > 0 && words.get(at + 1).is_none_or(|it| has_word(ENDS, it)));
        let fails_not = has(FAILS) && has(NONE);
        if !has(PASSES) && !fails_not {
            if is_built {
                (self.kinds, self.whole) = (self.kinds | BUILD, self.whole | BUILD);
            }
            return;
        }
        // `5 passed`
        let is_number = |it: &&str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
        let counts = words.first().is_some_and(is_number) && words.get(1) == Some(&"passed");
        let mut named = NAMES.iter().filter(|it| has(it.0)).fold(0, |all, it| all | it.1);
        if has(TESTS) || counts {
            named |= RUNS;
        }
        if follows("type types", "check checks checker checking") {
            named |= TYPES;
        }
        let mut kinds = named;
        for (programs, kind) in PROGRAMS {
            let called = words.iter().filter(|it| has_word(programs, it));
            for program in called {
                kinds |= kind;
                self.programs.push((*program).to_owned());
            }
        }
        self.kinds |= kinds;
        self.whole |= named;
        self.all_tests |= has(TESTS) && (has(ALL) || fails_not && !has("longer"));
        let is_whole = has("everything ci pipeline") || kinds == 0 && has("nothing all every");
        // `all 42 pass`
        match words.iter().any(is_number) && !has("everything ci") {
            true if is_whole || fails_not => self.whole |= RUNS,
            _ => self.everything |= is_whole || fails_not && kinds == 0,
        }
    }

    /// Whether it says that what this failure needs is well.
    pub fn is_against(&self, need: &Coverage) -> bool {
        let is_task = need.layers == u8::MAX;
        let kinds = kinds_of(need);
        let is_called = |it: &String| {
            let through = |(name, by): &(&str, &str)| name == it && *by == need.program;
            *it == need.program
                || is_task && need.program.contains(it.as_str())
                || THROUGH.iter().any(through) && kinds & kind_of(it) != 0
        };
        need.layers != 0
            && (self.everything || self.whole & kinds != 0 || self.programs.iter().any(is_called))
    }

    /// Whether a check that bears this out is one of these kinds.
    pub fn wants(&self, kinds: u8) -> bool {
        self.everything || (self.kinds | self.whole) & kinds != 0
    }
}

/// The kinds that a check, or what one found fault with, is of.
pub fn kinds_of(it: &Coverage) -> u8 {
    if it.layers == u8::MAX {
        return kinds_of_task(&it.program);
    }
    let is_lint = it.layers & layer::LINT != 0;
    let is_typer = has_word(TYPERS, &it.program);
    let mut kinds = match (is_lint, is_typer) {
        (true, true) => TYPES,
        (true, false) => LINT,
        _ if it.layers & layer::COMPILED != 0 => BUILD | TYPES,
        _ => 0,
    };
    // Tests that are not compiled do not run; without its types a script does.
    let is_stopped = it.layers & layer::TEST_CODE != 0 && !is_lint && !is_typer;
    if it.layers & layer::RUN != 0 || is_stopped {
        kinds |= RUNS;
    }
    kinds | if it.layers & layer::FORMAT != 0 { FORMAT } else { 0 }
}

/// By its name.
fn kinds_of_task(program: &str) -> u8 {
    let task = program.rsplit([' ', ':']).next().unwrap_or_default();
    if has_word(WHOLE_TASKS, task) {
        return ANY;
    }
    let names = [
        ("test", RUNS),
        ("lint", LINT),
        ("fmt", FORMAT),
        ("format", FORMAT),
        ("type", TYPES),
        ("mypy", TYPES),
        ("tsc", TYPES),
        ("build", BUILD | TYPES),
        ("compile", BUILD | TYPES),
    ];
    names.iter().filter(|it| program.contains(it.0)).fold(0, |all, it| all | it.1)
}

fn kind_of(program: &str) -> u8 {
    PROGRAMS.iter().filter(|it| has_word(it.0, program)).fold(0, |all, it| all | it.1)
}

/// The kinds that a command line checks.
pub fn kinds_in(command: &str, own: &CheckRules) -> u8 {
    let calls = calls(&Script::of(command), own);
    let kinds = calls.iter().map(|it| match &it.coverage {
        Some(coverage) => kinds_of(coverage) | of_aspect(it.kind),
        None => of_aspect(it.kind),
    });
    kinds.fold(0, |all, it| all | it)
}

pub fn of_aspect(kind: Kind) -> u8 {
    match kind {
        Kind::Test => RUNS,
        Kind::Lint => LINT,
        Kind::Format => FORMAT,
        Kind::Types => TYPES,
        Kind::Build => BUILD | TYPES,
    }
}

impl Shown {
    pub fn of(report: &CheckReport) -> Self {
        let ran = report.results.as_ref().is_some_and(|it| it.passed > 0);
        let is_test = report.kind == Some(Kind::Test);
        let mut shown = Self::default();
        for it in &report.coverage {
            let is_task = it.layers == u8::MAX;
            let mut kinds = kinds_of(it);
            if is_task && (ran || is_test) {
                // Whatever it builds first.
                kinds |= RUNS | BUILD;
            }
            if it.layers & layer::COMPILED != 0 && !is_task {
                kinds |= BUILD | TYPES;
            }
            if it.layers & layer::RUN == 0 && !is_task {
                kinds &= !RUNS;
            }
            shown.kinds |= kinds;
            shown.all_tests |= kinds & RUNS != 0 && is_whole(it);
        }
        // A program of which nobody knows what it looks at.
        if report.coverage.is_empty() {
            shown.kinds = report.kind.map_or(0, of_aspect);
            shown.kinds |= if is_test { BUILD } else { 0 };
            shown.all_tests = is_test && report.targets.is_empty();
        }
        if ran {
            shown.kinds |= RUNS;
            shown.all_tests |= report.coverage.iter().all(is_whole);
        }
        // What one looks for, some of the other look for too.
        if shown.kinds & (LINT | FORMAT) != 0 {
            shown.kinds |= LINT | FORMAT;
        }
        shown
    }

    pub fn bears_out(self, spoken: &Spoken) -> bool {
        spoken.kinds & !self.kinds == 0 && (self.all_tests || !spoken.all_tests)
    }

    pub fn with(self, other: Self) -> Self {
        Self { kinds: self.kinds | other.kinds, all_tests: self.all_tests || other.all_tests }
    }
}

/// Whether no file, test or part was chosen.
fn is_whole(it: &Coverage) -> bool {
    it.places.is_empty() && it.tests.is_empty() && it.narrowed.is_empty()
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric()
}
