//! Checks that ran nothing, or whose passing nobody saw.

use super::{Folded, ME, closing};
use crate::event::Outcome;

/// The end of what `cargo test` prints of a library: the block of its examples, of which it has none.
const EXAMPLES: &str = "\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 \
                        filtered out; finished in 0.00s\n\n";
const MORE: &str = "test result: ok. 5 passed; 0 failed\n\n   Doc-tests x\n\nrunning 0 tests\n\ntest result: ok. 0 \
                    passed; 0 failed\n";
const NONE: &str = "     Running unittests src/lib.rs\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed\n\n   \
                    Doc-tests x\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed\n";

#[test]
fn a_check_that_ran_nothing_bears_out_nothing() {
    for (command, stdout, passed) in [
        ("cargo test", "fine", true),
        ("cargo test", "", true),
        (
            "cargo test nope",
            "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 12 filtered out",
            false,
        ),
        (
            "cargo test",
            "running 2 tests\ntest result: ok. 2 passed; 0 failed\n   Doc-tests x\nrunning 0 tests\ntest result: ok. 0 passed; 0 failed",
            true,
        ),
        (
            "cargo test",
            "running 0 tests\ntest result: ok. 0 passed; 0 failed\nrunning 10 tests\ntest result: ok. 10 passed; 0 failed",
            true,
        ),
        ("go test ./...", "?   \texample.com/a\t[no test files]", false),
        ("go test ./...", "?   \texample.com/a\t[no test files]\nok  \texample.com/b\t0.1s", true),
        ("go test -run Nope ./...", "ok  \texample.com/b\t0.1s [no tests to run]", false),
        ("python3 -m unittest", "Ran 0 tests in 0.000s\n\nOK", false),
        ("python3 -m unittest", "Ran 3 tests in 0.000s\n\nOK", true),
        ("cargo test 2>&1 | tail -5", EXAMPLES, true),
        ("cargo test 2>&1 | tail -9", MORE, true),
        ("cargo test zzz 2>&1 | tail -5", EXAMPLES, false),
        ("cargo test 2>&1 | tail -5; true", EXAMPLES, false),
        ("cargo test --no-fail-fast 2>&1 | tail -5", EXAMPLES, false),
        ("cargo test 2>&1 | grep -A3 running", EXAMPLES, false),
        ("cargo test", EXAMPLES, false),
        ("cargo test 2>&1 | tail -50", NONE, false),
        ("make --question test", "", false),
        ("cargo -n test", "", false),
        ("bazel test --nobuild //...", "", false),
        ("swift test list", "", false),
        ("golangci-lint linters", "", false),
        ("golangci-lint run ./...", "", true),
        ("ruff rule F401", "", false),
        ("ruff check", "", true),
        ("xargs cargo test </dev/null", "", false),
        ("ls | xargs cargo test", "test result: ok. 4 passed; 0 failed", true),
        ("node --test", "# tests 3\n# pass 3\n# fail 0", true),
        ("node --test", "# tests 0\n# pass 0\n# fail 0", false),
        ("node --test 2>&1 | tail -9", "# tests 3\n# pass 2\n# fail 1", false),
        ("node --test 2>&1 | tail -9", "\u{2139} tests 3\n\u{2139} pass 3\n\u{2139} fail 0", true),
        ("node server.js", "", false),
        ("npx mocha", "  0 passing (1ms)", false),
        ("npx mocha", "  20 passing (1ms)", true),
        ("npx jest --passWithNoTests", "No tests found, exiting with code 0", false),
        ("npx jest --passWithNoTests", "", false),
        ("npx jest --passWithNoTests", "Tests:       12 passed, 12 total", true),
        ("cargo nextest run --no-tests=pass", "", false),
        (
            "cargo nextest run --no-tests=pass",
            "Summary [0.1s] 3 tests run: 3 passed, 0 skipped",
            true,
        ),
        ("cargo test", "running 2 tests\ntest result: FAILED. 1 passed; 1 failed", false),
        ("cargo test", "test b ... ok: it prints 'test result: FAILED' itself", true),
        ("go test ./...", "--- FAIL: TestA (0.00s)", false),
        ("bash -c 'cargo test &'", "", false),
        ("mvn test", "Tests run: 0, Failures: 0, Errors: 0", false),
        ("mvn test", "Tests run: 12, Failures: 0, Errors: 0", true),
        ("cargo test || true", "", false),
        ("cargo test || true", "test result: ok. 4 passed; 0 failed", true),
        ("cargo test > /dev/null 2>&1; echo done", "done", false),
        ("true || cargo test", "", false),
        ("if false; then cargo test; fi", "", false),
        ("exit 0; cargo test", "", false),
        ("cargo() { true; }; cargo test", "", false),
        ("go build ./... 2>&1 | head -20", "", true),
        ("go build ./... 2>&1 | head -20", "./a.go:3:1: undefined: x", false),
        ("go build ./... > log 2>&1 || true", "", false),
        ("go vet ./... | wc -l", "0", false),
        ("npx tsc --noEmit | tail -5", "", true),
        ("pytest -q | tail -1", "12 passed in 0.3s", true),
        ("pytest -q | tail -1", "no tests ran in 0.01s", false),
    ] {
        let mut folded = Folded::new();
        let arguments = serde_json::json!({ "command": command }).to_string();
        folded.start(ME, 1, "bash_exec", &arguments);
        folded.end(ME, 1, "bash_exec", closing(Outcome::Ok, stdout));
        assert_eq!(folded.grounding.last_check.as_ref().is_some(), passed, "{command}: {stdout}");
    }
}
