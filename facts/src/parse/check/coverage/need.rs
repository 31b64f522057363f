//! What a failed check found fault with.

use super::layer::{CODE, COMPILED, FORMAT, LINK, LINT, RUN, TEST_CODE};
use super::options::WARNINGS;
use super::{Coverage, PACKAGE, STRICT, Site};
use crate::event::TestFailure;
use crate::parse::check::diagnostic::Finding;
use crate::parse::check::{CheckReport, Verdict};
use crate::parse::has_word;

/// Runners that end with one sum of all tests, whatever of their output is seen.
const ONE_SUM: &str = "pytest py.test unittest jest vitest mocha playwright rspec phpunit ava";
/// What a runner says that was called with a file that is none, or is built by other calls alone.
const NOT_THERE: [&str; 6] = [
    "file or directory not found",
    "build constraints exclude all Go files",
    "no Go files in ",
    "no required module provides package",
    "directory not found",
    "is not in std",
];
/// What Go's compiler says, and no rule of its linter.
const GO_COMPILER: [&str; 28] = [
    "undefined: ",
    "undefined (",
    "syntax error",
    "declared and not used",
    "imported and not used",
    "cannot use ",
    "cannot convert ",
    "cannot assign ",
    "cannot infer ",
    "cannot refer ",
    "cannot call ",
    "could not import ",
    "missing return",
    "missing argument",
    "not enough arguments",
    "too many arguments",
    "not enough return values",
    "too many return values",
    "assignment mismatch",
    "redeclared",
    "already declared",
    "mismatched types",
    "invalid operation",
    "unknown field",
    "is not a type",
    "does not implement",
    "no new variables",
    "expected ",
];

/// What linkers say.
const LINKING: [&str; 6] = [
    "undefined reference",
    "multiple definition",
    "ld returned",
    "linker command failed",
    "Undefined symbols",
    "cannot find -l",
];

/// Files and tests that are named; of more, all that the check looked at counts.
const NAMED_MAX: usize = 16;

/// What a later check must reach to have shown it; `None` where it did not fail, or nobody knows what it looked at.
pub fn need(report: &CheckReport) -> Option<Coverage> {
    if report.verdict != Verdict::Failed {
        return None;
    }
    let errors = || report.findings.iter().filter(|it| it.diagnostic.level == "error");
    let looked_at = &report.coverage;
    if !report.failures.is_empty() {
        let ran = looked_at.iter().rfind(|it| it.layers & RUN != 0)?.clone();
        // Of what was broken off, or not all seen, it may have been any number.
        let is_whole = report.results.as_ref().is_some_and(|it| it.errors.is_none_or(|it| it == 0));
        let (count, left_out) = match report.is_partial || !is_whole {
            true => (None, u64::MAX),
            false => report.counted(),
        };
        let ran = Coverage { ran: count, unnamed: left_out, ..ran };
        return Some(of_tests(ran, report));
    }
    let last = looked_at.last()?.clone();
    let is_of_call = |it: &String| NOT_THERE.iter().any(|no| it.contains(no));
    let is_of_call = report.telling.as_ref().is_some_and(is_of_call);
    if is_of_call && last.layers & RUN != 0 && errors().next().is_none() {
        // Of the call, not of the code: whatever runs next shows it.
        let Coverage { language, program, .. } = last;
        return Some(Coverage { language, program, ..Coverage::default() });
    }
    let is_strict = last.config.iter().any(|it| it.starts_with(STRICT));
    let found: Vec<&Finding> = match last.layers & (LINT | FORMAT) {
        0 => errors().collect(),
        // It failed by its errors, whatever else it says.
        LINT if !is_strict && errors().next().is_some() => errors().collect(),
        _ => report.findings.iter().collect(),
    };
    if found.is_empty() || last.layers == u8::MAX {
        return Some(report.with_counts(last).given(report.telling.as_deref()));
    }
    let mut layers = 0;
    let mut places = Vec::new();
    for it in &found {
        let file = it.diagnostic.file_name.as_deref();
        layers |= layer_of(&last, it, file.unwrap_or_default());
        places.extend(file.map(|it| report.place(&last, it)));
    }
    places.sort();
    places.dedup();
    let is_named =
        places.len() <= NAMED_MAX && found.iter().all(|it| it.diagnostic.file_name.is_some());
    let places = if is_named { last.includes(places) } else { last.places.clone() };
    let mut last = last;
    if found.iter().all(|it| it.diagnostic.level == "error") {
        // However many warnings are allowed, these are shown.
        last.config.retain(|it| !it.starts_with(WARNINGS));
    }
    // Of a runner that only runs, what kept it from running.
    let layers = if layers & last.layers == 0 { last.layers } else { layers & last.layers };
    let is_linked = found.iter().all(|it| is_link_error(&it.diagnostic.message));
    let places = if is_linked { last.places.clone() } else { places };
    let need = Coverage { layers, places, tests: Vec::new(), ..last };
    Some(need.given(is_linked.then(|| found[0].diagnostic.message.as_str())))
}

/// Whether a line tells that what was compiled could not be linked.
pub(super) fn is_link_error(line: &str) -> bool {
    LINKING.iter().any(|it| line.contains(it))
}

fn of_tests(ran: Coverage, report: &CheckReport) -> Coverage {
    let failures = &report.failures;
    if failures.len() > NAMED_MAX || report.left_out > 0 {
        return Coverage { layers: RUN, ..ran };
    }
    let mut ran = ran;
    let mut places: Vec<_> = match ran.language.as_str() {
        // Where a package lies only its name tells.
        "go" => report.packages.iter().map(|it| format!("{PACKAGE}{it}")).collect(),
        "rust" => {
            // Of several, nobody knows which test is whose.
            let again = report.packages.as_slice();
            let again = again.first().filter(|_| again.len() == 1).map_or("", String::as_str);
            ran.choose_again(again)
        }
        _ => {
            let place = |it: &TestFailure| Some(report.place(&ran, it.test_file.as_ref()?));
            let files = failures.iter().map(place);
            files.collect::<Option<_>>().unwrap_or_default()
        }
    };
    places.sort();
    places.dedup();
    let asked = ran.places.clone();
    if places.is_empty() {
        places.clone_from(&ran.places);
    }
    // Of a part that was chosen by name others may be more.
    let count = ran.ran.filter(|_| ran.tests.is_empty() && ran.narrowed.is_empty());
    let ran = Coverage { ran: count, asked, ..ran };
    let tests = failures.iter().map(|it| it.test_name.clone()).collect();
    Coverage { layers: RUN, places, tests, ..ran }
}

impl Coverage {
    /// By the options that cargo says run what failed again; gives the package.
    fn choose_again(&mut self, options: &str) -> Vec<String> {
        let mut package = Vec::new();
        let mut words = options.split_whitespace();
        while let Some(word) = words.next() {
            let mut named = || format!("{word} {}", words.next().unwrap_or_default());
            match word {
                "-p" => package.push(named()),
                "--lib" | "--bins" | "--doc" => self.narrowed.push(word.to_owned()),
                "--test" | "--bin" | "--example" | "--bench" => self.narrowed.push(named()),
                _ => {}
            }
        }
        package
    }
}

/// Which layer a fault lies in.
fn layer_of(check: &Coverage, found: &Finding, file: &str) -> u8 {
    let by_compiler = match (found.tool.as_str(), found.diagnostic.code.as_deref()) {
        (_, Some("typecheck")) => true,
        ("go", None) => {
            let said = &found.diagnostic.message;
            check.layers & LINT == 0 || GO_COMPILER.iter().any(|it| said.contains(it))
        }
        // A lint that is denied is an error without a code.
        ("rustc", code) => check.layers & LINT == 0 || code.is_some_and(|it| it.starts_with('E')),
        (tool, _) => matches!(tool, "tsc" | "gcc" | "javac"),
    };
    match check.layers {
        layers if layers & FORMAT != 0 => FORMAT,
        layers if layers & LINT != 0 && !(by_compiler && found.diagnostic.level == "error") => LINT,
        layers if layers & TEST_CODE == 0 => CODE,
        // What a test build of Rust shows may be compiled for tests alone, wherever it stands.
        _ if check.language == "rust" || is_test(file) => TEST_CODE,
        layers if layers & COMPILED != 0 => CODE,
        layers => layers,
    }
}

/// Whether a file's name is that of tests.
pub fn is_test(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.ends_with("_test.go")
        || name.starts_with("test_")
        || [".test.", ".spec.", "_test."].iter().any(|it| name.contains(it))
        || file.split('/').any(|part| matches!(part, "tests" | "__tests__" | "test"))
}

/// What a check reached, as far as it is known to have run to its end.
impl CheckReport {
    /// A file that it names, from the project's root.
    fn place(&self, check: &Coverage, file: &str) -> String {
        let file = file.strip_prefix("file://").unwrap_or(file);
        Site { root: &self.root, cwd: Some(&check.folder) }.path_of(file)
    }

    pub fn reached(&self) -> Vec<Coverage> {
        let Some(need) = need(self) else {
            return if self.verdict == Verdict::Passed && !self.ran_nothing {
                let seen = self.coverage.iter().cloned();
                seen.map(|it| self.told(it)).collect()
            } else {
                Vec::new()
            };
        };
        // A build that failed ran no tests; where tests ran it did not.
        let reached = match (need.layers & COMPILED != 0, self.is_partial) {
            (true, false) => COMPILED,
            (false, false) if need.layers == LINK => COMPILED,
            (false, false) => u8::MAX,
            (false, true) if need.layers == RUN => COMPILED,
            (_, true) => return Vec::new(),
        };
        let is_same = |it: &&Coverage| it.program == need.program;
        let seen = self.coverage.iter().filter(is_same).cloned();
        seen.map(|it| self.told(Coverage { layers: it.layers & reached, ..it })).collect()
    }

    /// With what it says that it left out.
    fn told(&self, coverage: Coverage) -> Coverage {
        let (untested, skipped) = (self.untested.clone(), self.skipped.clone());
        let (ran, left_out) = self.counted();
        let unnamed = left_out.saturating_sub(self.skipped.len() as u64);
        Coverage { untested, skipped, ran, unnamed, ..coverage }
    }

    /// Of tests that failed and that nobody named.
    fn with_counts(&self, of: Coverage) -> Coverage {
        if of.layers & RUN == 0 || self.results.as_ref().is_none_or(|it| it.failed == 0) {
            return of;
        }
        let (ran, unnamed) = self.counted();
        let is_chosen = !of.tests.is_empty() || !of.narrowed.is_empty();
        Coverage { ran: ran.filter(|_| !is_chosen), unnamed, asked: of.places.clone(), ..of }
    }

    /// How many tests ran, of a runner that sums up all of them once, and how many were left out.
    fn counted(&self) -> (Option<u64>, u64) {
        let Some(told) = self.results.as_ref().filter(|it| it.total > 0) else { return (None, 0) };
        let spoke = self.program.as_deref().and_then(|it| it.split(' ').next());
        let sums_up = spoke.is_some_and(|it| has_word(ONE_SUM, it));
        let ran = told.passed + told.failed + told.errors.unwrap_or(0);
        (Some(ran).filter(|_| sums_up), told.skipped.unwrap_or(0))
    }
}
