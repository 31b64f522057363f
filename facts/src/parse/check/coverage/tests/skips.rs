//! A test that is skipped, or a run that has none, is not what ended its failure: a table of what runners print.

use super::ended::{A, Call, hold};
use super::*;

const PYTEST_Q: &str = "F..  [100%]\n1 failed, 2 passed in 0.02s\n";
const VITEST: &str = " \u{2717} src/a.test.ts > adds\n\n Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)\n";
const VITEST_NAMED: &str = " \u{276f} src/a.test.ts (3 tests | 1 failed) 5ms\n   \u{d7} adds 3ms\n     \u{2192} expected 3 to be 4\n\n FAIL  src/a.test.ts > adds\nAssertionError: expected 3 to be 4\n \u{276f} src/a.test.ts:5:15\n\n Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)\n";
const VITEST_SKIPPED: &str = " \u{2713} src/a.test.ts (3 tests | 1 skipped) 3ms\n\n Test Files  1 passed (1)\n      Tests  2 passed | 1 skipped (3)\n";
const VITEST_OK: &str = " \u{2713} src/a.test.ts (3 tests) 3ms\n\n Test Files  1 passed (1)\n      Tests  3 passed (3)\n";
const JEST_THREE: &str = "FAIL src/sum.test.js\n  \u{25cf} adds\n\n    expect(received).toBe(expected)\n\n      at Object.<anonymous> (src/sum.test.js:4:21)\n\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 2 passed, 3 total\n";
const JEST_SKIPPED: &str = "PASS src/sum.test.js\n\nTest Suites: 1 passed, 1 total\nTests:       1 skipped, 2 passed, 3 total\n";
const JEST_TODO: &str = "PASS src/sum.test.js\n\nTests:       1 todo, 2 passed, 3 total\n";
const JEST_THREE_OK: &str = "PASS src/sum.test.js\n\nTests:       3 passed, 3 total\n";
const MOCHA_ONE: &str = "\n  1) adds\n  2 passing (3ms)\n  1 failing\n";
const CARGO_Q: &str = "running 3 tests\n.F.\nfailures:\n\n---- it stdout ----\n\nthread 'it' panicked at src/lib.rs:3:5:\nno\n\n\nfailures:\n    it\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n\nerror: test failed, to rerun pass `--lib`\n";
const CARGO_Q_SKIPPED: &str = "running 3 tests\n.i.\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n";
const CARGO_Q_OK: &str = "running 3 tests\n...\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
const NEXTEST: &str = "        FAIL [   0.005s] x it\n  stdout ---\n\n    running 1 test\n    thread 'it' panicked at src/lib.rs:3:5:\n    no\n\n     Summary [   0.01s] 3 tests run: 2 passed, 1 failed, 0 skipped\n        FAIL [   0.005s] x it\nerror: test run failed\n";
const NEXTEST_SKIPPED: &str = "     Summary [   0.01s] 2 tests run: 2 passed, 1 skipped\n";
const NEXTEST_OK: &str = "     Summary [   0.01s] 3 tests run: 3 passed, 0 skipped\n";
const GO_V: &str = "=== RUN   TestOne\n    a_test.go:3: no\n--- FAIL: TestOne (0.00s)\n=== RUN   TestTwo\n--- PASS: TestTwo (0.00s)\nFAIL\nFAIL\texample.com/x/a\t0.1s\nFAIL\n";
const MVN_SKIPPED: &str =
    "[WARNING] Tests run: 1, Failures: 0, Errors: 0, Skipped: 1\n[INFO] BUILD SUCCESS\n";
const NODE: &str = "not ok 1 - adds\n  ---\n  location: '/w/a.test.js:3:1'\n  error: 'no'\n  ...\nok 2 - b\n1..2\n# tests 2\n# pass 1\n# fail 1\n# skipped 0\n";
const NODE_SKIPPED: &str =
    "ok 1 - adds # SKIP\nok 2 - b\n1..2\n# tests 2\n# pass 1\n# fail 0\n# skipped 1\n";
const NODE_OK: &str = "ok 1 - adds\nok 2 - b\n1..2\n# tests 2\n# pass 2\n# fail 0\n# skipped 0\n";
const UNITTEST_COUNTED: &str = "----------------------------------------------------------------------\nRan 2 tests in 0.000s\n\nOK (skipped=1)\n";
const UNITTEST_OK: &str = "Ran 2 tests in 0.000s\n\nOK\n";
const UNITTEST_END: &str = "Ran 2 tests in 0.000s\n\nOK (skipped=1)\n";
const UNITTEST_SUM: &str = "Ran 2 tests in 0.001s\n\nFAILED (failures=1)\n";

/// A test that failed; what its call prints where it was skipped, and where it passed.
const SKIPPED: [(&str, &str, &str, &str); 15] = [
    ("pytest -q", PYTEST_Q, "2 passed, 1 skipped in 0.02s\n", "3 passed in 0.02s\n"),
    ("pytest -q", PYTEST_Q, "2 passed, 1 xfailed in 0.02s\n", "3 passed in 0.02s\n"),
    ("pytest -q", PYTEST_Q, "2 passed, 1 deselected in 0.02s\n", "3 passed in 0.02s\n"),
    (
        "pytest -q 2>&1 | tail -1",
        "1 failed, 2 passed in 0.02s\n",
        "2 passed, 1 skipped in 0.02s\n",
        "3 passed in 0.02s\n",
    ),
    ("npx vitest run", VITEST, VITEST_SKIPPED, VITEST_OK),
    ("npx vitest run", VITEST_NAMED, VITEST_SKIPPED, VITEST_OK),
    ("npx jest", JEST_THREE, JEST_SKIPPED, JEST_THREE_OK),
    ("npm test", JEST_THREE, JEST_TODO, JEST_THREE_OK),
    ("npx mocha", MOCHA_ONE, "  2 passing (3ms)\n  1 pending\n", "  3 passing (3ms)\n"),
    ("cargo test -q", CARGO_Q, CARGO_Q_SKIPPED, CARGO_Q_OK),
    ("cargo nextest run", NEXTEST, NEXTEST_SKIPPED, NEXTEST_OK),
    ("go test -v ./...", GO_V, GO_SKIPPED, GO_OK),
    ("node --test", NODE, NODE_SKIPPED, NODE_OK),
    ("python -m unittest", UNITTEST, UNITTEST_COUNTED, UNITTEST_OK),
    ("python -m unittest 2>&1 | tail -3", UNITTEST_SUM, UNITTEST_END, UNITTEST_OK),
];

#[test]
fn a_test_that_is_skipped_is_not_mended() {
    let mut rows = Vec::new();
    for (command, failed, skipped, passed) in SKIPPED {
        rows.push(((command, A, failed), (command, A, skipped), false));
        rows.push(((command, A, failed), (command, A, passed), true));
    }
    rows.push((("mvn test", A, MVN), ("mvn test", A, MVN_SKIPPED), false));
    hold(&rows);
}

#[test]
fn a_run_without_a_test_ends_nothing() {
    let none = |command, printed| (command, A, printed);
    let rows: [(Call<'_>, Call<'_>); 9] = [
        (
            ("pytest", A, PYTEST),
            none("pytest | cat", "collected 0 items\n\n=== no tests ran in 0.01s ===\n"),
        ),
        (("pytest", A, PYTEST), none("pytest", "collected 0 items\n")),
        (
            ("pytest", A, PYTEST),
            none("pytest | head -5", "===== test session starts =====\ncollected 0 items\n"),
        ),
        (("pytest -q", A, PYTEST_Q), none("pytest -q | tail -1", "no tests ran in 0.01s\n")),
        (("pytest -q", A, PYTEST_Q), none("pytest -q || true", "no tests ran in 0.01s\n")),
        (
            ("pytest -q", A, PYTEST_Q),
            none(
                "pytest -q",
                "collected 2 items / 2 deselected / 0 selected\n\n=== 2 deselected in 0.01s ===\n",
            ),
        ),
        (
            ("npx vitest run", A, VITEST),
            none("npx vitest run --passWithNoTests", "No test files found, exiting with code 0\n"),
        ),
        (
            ("cargo test", A, CARGO_Q),
            none(
                "cargo test",
                "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out\n",
            ),
        ),
        (
            ("python -m unittest", A, UNITTEST),
            none("python -m unittest", "Ran 0 tests in 0.000s\n\nNO TESTS RAN\n"),
        ),
    ];
    hold(&rows.map(|(failed, passed)| (failed, passed, false)));
}
