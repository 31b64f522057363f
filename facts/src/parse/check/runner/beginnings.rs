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

/// Whose lines may begin with a byte, a bit each: few lines are anybody's.
static FIRST: LazyLock<[u8; 256]> = LazyLock::new(|| {
    let mut first = [0; 256];
    for (runner, beginnings) in &BEGINNINGS {
        let bytes = beginnings.iter().filter_map(|it| it.as_bytes().first());
        bytes.for_each(|it| first[usize::from(*it)] |= bit(*runner));
    }
    // Its totals.
    (b'0'..=b'9').for_each(|it| first[usize::from(it)] |= bit(Pytest));
    first
});

fn bit(runner: TestRunner) -> u8 {
    1 << runner as u8
}

/// Of these runners, those that may be known by a line. It has no blanks before it.
pub fn begun(waiting: &mut Vec<TestRunner>, line: &str) -> impl Iterator<Item = TestRunner> {
    let first = line.as_bytes().first().map_or(0, |it| FIRST[usize::from(*it)]);
    waiting.extract_if(.., move |it| first & bit(*it) != 0 && is_of(*it, line))
}

fn is_of(runner: TestRunner, line: &str) -> bool {
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
