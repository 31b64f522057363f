//! By which lines a runner may be known: before the first of them it is not asked.

use std::sync::LazyLock;

use super::TestRunner;
use super::TestRunner::{CargoTest, GoTest, Jest, Nextest, NodeTest, Pytest, Tap, Unittest};

/// What such lines begin with, behind blanks.
const BEGINNINGS: [(TestRunner, &[&str]); 8] = [
    (
        CargoTest,
        &[
            "running ",
            "test ",
            "error",
            "failures:",
            "successes:",
            "thread '",
            "---- ",
            "Nextest run ID ",
            "process didn't exit",
        ],
    ),
    (
        Nextest,
        &[
            "Nextest run ID ",
            "Summary [",
            "START ",
            "PASS [",
            "FAIL [",
            "TRY ",
            "SIG",
            "TIMEOUT [",
            "TMT [",
            "SLOW [",
            "LEAK",
            "ABORT [",
            "XFAIL [",
            "FLAKY ",
            "error",
        ],
    ),
    (Pytest, &["=", "__", "FAILED ", "ERROR ", "SUBFAILED", "no tests ran"]),
    (
        Jest,
        &[
            "{\"numFailed",
            "\u{25cf} ",
            "FAIL ",
            "PASS ",
            "Tests: ",
            "Test Suites: ",
            "Summary of all",
            "All files",
        ],
    ),
    (
        GoTest,
        &[
            "ok",
            "FAIL",
            "PASS",
            "--- ",
            "=== ",
            "# ",
            "? ",
            "panic: ",
            "fatal error: ",
            "coverage: ",
            "{\"Time\"",
            "{\"Action\"",
            "{\"ImportPath\"",
        ],
    ),
    (Unittest, &["======", "------"]),
    (NodeTest, &["# tests ", "\u{2139} tests ", "not ok ", "\u{2716} ", "test at "]),
    (Tap, &["TAP version ", "1..", "ok", "not ok", "# tests ", "Bail out!", "Bailout called."]),
];

/// The first bytes of all of them, and of pytest's totals: few lines have one.
static FIRST: LazyLock<[bool; 256]> = LazyLock::new(|| {
    let mut first = [false; 256];
    let beginnings = BEGINNINGS.iter().flat_map(|it| it.1);
    let bytes = beginnings.filter_map(|it| it.as_bytes().first().copied()).chain(b'0'..=b'9');
    bytes.for_each(|it| first[usize::from(it)] = true);
    first
});

/// Whether any runner may be known by a line.
pub fn is_any(line: &str) -> bool {
    line.as_bytes().first().is_some_and(|it| FIRST[usize::from(*it)])
}

/// Whether this one may be. The line has no blanks before it.
pub fn is_of(runner: TestRunner, line: &str) -> bool {
    // `3 failed, 1 passed in 0.12s`
    let sums_up =
        |line: &str| line.starts_with(|it: char| it.is_ascii_digit()) && line.contains(" in ");
    let begins =
        |it: &(TestRunner, &[&str])| it.0 == runner && it.1.iter().any(|it| line.starts_with(it));
    // Go's `=== RUN  TestA` is no rule of pytest's.
    let is_go = || line.starts_with("=== ") && line.ends_with(|it: char| it != '=');
    match runner {
        Pytest => sums_up(line) || BEGINNINGS.iter().any(begins) && !is_go(),
        _ => BEGINNINGS.iter().any(begins),
    }
}
