//! Which checks end which failures.

use super::need;
use crate::parse::check::lines::OutputStream;
use crate::parse::check::{CheckReader, CheckReport, CheckRules};

fn report(command: &str, printed: &str, code: i32) -> CheckReport {
    let mut reader = CheckReader::of(command, &CheckRules::default());
    reader.feed(OutputStream::Stdout, printed.as_bytes());
    reader.finish(Some(code)).placed(Some("/w"))
}

const RUST: &str = "error[E0425]: cannot find value `x` in this scope\n --> src/lib.rs:2:5\n\nerror: could not compile\n";
const GO: &str = "# example.com/x/a\na/a.go:3:2: undefined: y\n";
const GO_TEST: &str =
    "--- FAIL: TestOne (0.00s)\n    a_test.go:9: no\nFAIL\nFAIL\texample.com/x/a\t0.1s\nFAIL\n";
const GO_OK: &str = "ok  \texample.com/x/a\t0.1s\n";
const RUST_OK: &str =
    "running 1 test\ntest it ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored\n";
const LINT: &str =
    "a/a.go:3:2: ineffectual assignment to y (ineffassign)\n1 issues:\n* ineffassign: 1\n";
const PYTEST: &str = "F\n=== FAILURES ===\n___ test_one ___\n\n    def test_one():\n>       assert 1 == 2\nE       assert 1 == 2\n\ntests/test_a.py:2: AssertionError\n=== short test summary info ===\nFAILED tests/test_a.py::test_one - assert 1 == 2\n=== 1 failed in 0.01s ===\n";
const DENIED: &str =
    "error: unneeded `return` statement\n --> src/lib.rs:3:5\n\nerror: could not compile `foo`\n";
const RUST_TEST: &str = "running 1 test\ntest it ... FAILED\n\nfailures:\n\n---- it stdout ----\n\nthread 'it' panicked at src/lib.rs:3:5:\nno\n\n\nfailures:\n    it\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n";
const PYTEST_OK: &str = "=== 3 passed in 0.01s ===\n";

#[test]
fn a_later_check_ends_what_it_would_have_shown() {
    // What failed, what it printed; what passed, what it printed; whether it ended it.
    let table: &[(&str, &str, &str, &str, bool)] = &[
        ("cargo check", RUST, "cargo check -q", "", true),
        ("cargo check", RUST, "cargo test", RUST_OK, true),
        ("cargo check", RUST, "cargo clippy", "", true),
        ("cargo test", RUST, "cargo check", "", false),
        ("cargo test", RUST, "cargo check --all-targets", "", true),
        ("cargo check --features a", RUST, "cargo check", "", false),
        ("cargo check", RUST, "cargo fmt --check", "", false),
        ("cargo check", RUST, "go build ./...", "", false),
        ("cargo check -p a", "error: no\n", "cargo check -p b", "", false),
        ("cargo check -p a", "error: no\n", "cargo check", "", true),
        ("cd a && cargo check", RUST, "cargo check", "", true),
        ("cd a && cargo check", RUST, "cd b && cargo check", "", false),
        ("go build ./...", GO, "go build ./a", "", true),
        ("go build ./...", GO, "go vet ./...", "", true),
        ("go build ./...", GO, "go build ./b", "", false),
        ("go build ./...", GO, "go test ./a/... 2>&1 | tail -3", GO_OK, true),
        ("go test ./a", GO_TEST, "go test ./...", GO_OK, true),
        ("go test ./...", GO_TEST, "go test ./a", GO_OK, true),
        ("go test ./...", GO_TEST, "go test ./b", GO_OK, false),
        ("go test ./...", GO_TEST, "go test -run TestOne ./a", GO_OK, true),
        ("go test ./...", GO_TEST, "go test -run TestTwo ./a", GO_OK, false),
        ("go test ./...", GO_TEST, "go build ./...", "", false),
        ("golangci-lint run ./...", LINT, "go vet ./...", "", false),
        ("golangci-lint run ./...", LINT, "golangci-lint run ./a/...", "0 issues.\n", true),
        ("pytest", PYTEST, "pytest tests/test_a.py", PYTEST_OK, true),
        ("pytest", PYTEST, "pytest tests/test_b.py", PYTEST_OK, false),
        ("pytest tests/test_a.py::test_one", PYTEST, "pytest -q", PYTEST_OK, true),
        ("pytest", PYTEST, "pytest -k test_two", PYTEST_OK, false),
        ("mise run test", GO_TEST, "mise run lint", "", false),
        ("go test ./a", GO_TEST, "cd sub && go test ./...", GO_OK, false),
        ("cd sub && go test ./...", GO_TEST, "cd a && go test ./...", GO_OK, false),
        ("go test ./a", GO_TEST, "go -C sub test ./...", GO_OK, false),
        ("go test ./a", GO_TEST, "GOOS=windows go test ./...", GO_OK, false),
        ("go test ./a", GO_TEST, "docker run x go test ./...", GO_OK, false),
        ("cargo check", RUST, "pushd ../x; cargo check -q", "", false),
        ("cargo check", RUST, "git stash && cargo check -q", "", false),
        ("cargo clippy -- -D warnings", DENIED, "cargo check", "", false),
        ("cargo clippy -- -D warnings", DENIED, "cargo clippy", "", false),
        ("cargo clippy -- -D warnings", DENIED, "cargo clippy -- -D warnings", "", true),
        ("cargo test", RUST_TEST, "cargo test -- --skip it", RUST_OK, false),
        ("cargo test", RUST_TEST, "cargo test -- --nocapture", RUST_OK, true),
        ("pytest", PYTEST, "pytest", "=== no tests ran in 0.01s ===\n", false),
        ("pytest", PYTEST, "pytest", "=== 3 skipped in 0.01s ===\n", false),
        (
            "go test ./...",
            GO_TEST,
            "go test ./...",
            "?   \texample.com/x/a\t[no test files]\n",
            false,
        ),
        (
            "go test ./...",
            GO_TEST,
            "go test ./...",
            { "?   \texample.com/x/a\t[no test files]\nok  \texample.com/x/b\t0.1s\n" },
            false,
        ),
        (
            "go test ./...",
            GO_TEST,
            "go test ./...",
            { "?   \texample.com/x/b\t[no test files]\nok  \texample.com/x/a\t0.1s\n" },
            true,
        ),
        ("mise run test", "--- FAIL: TestOne (0.00s)\nFAIL\n", "mise run test", GO_OK, true),
        (
            "mise run test",
            "[test] $ go test ./...\n--- FAIL: TestOne (0.00s)\nFAIL\texample.com/x/a\t0.1s\nFAIL\n",
            { "go test ./..." },
            GO_OK,
            true,
        ),
    ];
    for (failed, printed, passed, then, is_ended) in table {
        let need =
            need(&report(failed, printed, 1)).unwrap_or_else(|| panic!("{failed} needs nothing"));
        let reached = report(passed, then, 0).reached();
        let ends = reached.iter().any(|it| it.covers(&need));
        assert_eq!(ends, *is_ended, "{failed}, then {passed}: {need:?} {reached:?}");
    }
}

#[test]
fn a_check_that_did_not_run_to_its_end_reaches_nothing() {
    assert!(
        report("go test ./... | head -3", "?   \texample.com/x\t[no test files]\n", 0)
            .reached()
            .len()
            <= 1
    );
    assert!(report("cargo test 2>&1 | tail -3", "", 0).reached().is_empty());
    let failed = report("cargo test", RUST, 101);
    assert!(failed.reached().iter().all(|it| it.layers & super::layer::RUN == 0));
}
