//! Which checks end which failures.

mod compilers;
mod ended;
mod filed;
mod layers;
mod pairs;
mod silenced;
mod skips;
mod spelled;

use super::{Site, need};
use crate::event::{CheckAspect, CheckList, CheckStanding, DeclaredCheck};
use crate::parse::check::lines::OutputStream;
use crate::parse::check::{CheckReader, CheckReport, CheckRules, Verdict};

fn report(command: &str, printed: &str, code: i32) -> CheckReport {
    let mut reader = CheckReader::of(command, &CheckRules::default());
    reader.feed(OutputStream::Stdout, printed.as_bytes());
    reader.finish(Some(code)).placed(Site { root: "", cwd: Some("/w") })
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

const GO_SKIPPED: &str = "=== RUN   TestOne\n    a_test.go:3: why\n--- SKIP: TestOne (0.00s)\n=== RUN   TestTwo\n--- PASS: TestTwo (0.00s)\nPASS\nok  \texample.com/x/a\t0.1s\n";
const PYTEST_SKIPPED: &str = "tests/test_a.py::test_one SKIPPED (why)    [ 50%]\ntests/test_a.py::test_two PASSED    [100%]\n\n=== 1 passed, 1 skipped in 0.01s ===\n";
const RUST_SKIPPED: &str = "running 2 tests\ntest it ... ignored\ntest other ... ok\n\ntest result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
const UNITTEST: &str = "F.\n======================================================================\nFAIL: test_add (test_a.TestA.test_add)\n----------------------------------------------------------------------\nTraceback (most recent call last):\n  File \"/w/test_a.py\", line 5, in test_add\n    self.assertEqual(1, 2)\nAssertionError: 1 != 2\n\n----------------------------------------------------------------------\nRan 2 tests in 0.001s\n\nFAILED (failures=1)\n";
const UNITTEST_SKIPPED: &str = "test_add (test_a.TestA.test_add) ... skipped 'why'\ntest_b (test_a.TestA.test_b) ... ok\n\n----------------------------------------------------------------------\nRan 2 tests in 0.000s\n\nOK (skipped=1)\n";
const MOCHA: &str = "\n\n  1) adds\n\n  0 passing (3ms)\n  1 failing\n\n  1) adds:\n     AssertionError: 1 == 2\n      at Context.<anonymous> (test/a.js:3:5)\n\n";
const MOCHA_SKIPPED: &str =
    "\n\n  - adds\n  \u{2714} subtracts\n\n  1 passing (3ms)\n  1 pending\n\n";
const MVN: &str = "[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.03 s <<< FAILURE! -- in ATest\n[ERROR] ATest.adds -- Time elapsed: 0.01 s <<< FAILURE!\norg.opentest4j.AssertionFailedError: expected: <1> but was: <2>\n[ERROR] Failures: \n[ERROR]   ATest.adds:7 expected: <1> but was: <2>\n[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE\n";
const MVN_OK: &str =
    "[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n";
const RUST_LIB: &str = "running 1 test\ntest it ... FAILED\n\nfailures:\n\n---- it stdout ----\n\nthread 'it' panicked at src/lib.rs:3:5:\nno\n\n\nfailures:\n    it\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n\nerror: test failed, to rerun pass `--lib`\n";
const FORMAT: &str = "Diff in /w/src/lib.rs:1:\n-fn  a(){}\n+fn a() {}\n";
const RUFF: &str = "a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n[*] 1 fixable with the `--fix` option.\n";
const RUFF_FIXED: &str = "Found 1 error (1 fixed, 0 remaining).\n";
const JEST: &str = "FAIL src/sum.test.js\n  \u{25cf} adds\n\n    expect(received).toBe(expected)\n\n    Expected: 3\n    Received: 4\n\n      at Object.<anonymous> (src/sum.test.js:4:21)\n\nTests:       1 failed, 1 total\n";
const JEST_OK: &str = "PASS src/other.test.js\nTests:       1 passed, 1 total\n";

#[test]
fn what_was_left_out_ends_nothing_and_what_shows_more_ends_it() {
    let go_two = GO_TEST.replace("One", "Two");
    let pytest_three = PYTEST_SKIPPED.replace("_one", "_three");
    // What failed, what it printed; what passed, what it printed; whether it ended it.
    let table: &[(&str, &str, &str, &str, bool)] = &[
        ("go test ./...", GO_TEST, "go test -v ./...", GO_SKIPPED, false),
        ("go test ./...", &go_two, "go test -v ./...", GO_SKIPPED, true),
        ("go build ./...", GO, "go test -v ./...", GO_SKIPPED, true),
        ("pytest", PYTEST, "pytest -v", PYTEST_SKIPPED, false),
        ("pytest", PYTEST, "pytest -v", &pytest_three, true),
        ("cargo test", RUST_TEST, "cargo test", RUST_SKIPPED, false),
        ("python -m unittest", UNITTEST, "python -m unittest -v", UNITTEST_SKIPPED, false),
        ("npx mocha", MOCHA, "npx mocha", MOCHA_SKIPPED, false),
        ("mvn test", MVN, "mvn test -Dtest=BTest", MVN_OK, false),
        ("mvn test", MVN, "mvn test -Dtest=ATest", MVN_OK, true),
        ("mvn test", MVN, "mvn test", MVN_OK, true),
        ("./gradlew test", "FAILURE: Build failed", "./gradlew :b:test", "BUILD SUCCESSFUL", false),
        (
            "./gradlew :a:test",
            "FAILURE: Build failed",
            "./gradlew :b:test",
            "BUILD SUCCESSFUL",
            false,
        ),
        ("./gradlew :a:test", "FAILURE: Build failed", "./gradlew test", "BUILD SUCCESSFUL", true),
        ("go test ./...", GO_TEST, "go test -race ./...", GO_OK, true),
        ("go test -race ./...", GO_TEST, "go test ./...", GO_OK, false),
        ("go test ./...", GO_TEST, "CGO_ENABLED=0 go test ./...", GO_OK, true),
        ("go test ./...", GO_TEST, "go test -run 'TestTwo|TestOne' ./...", GO_OK, true),
        ("go test ./...", GO_TEST, "go test -run '^(TestTwo|TestOn)$' ./...", GO_OK, false),
        ("go test ./...", GO_TEST, "cd a && go test -v", GO_OK, true),
        ("go test ./...", GO_TEST, "cd b && go test -v", GO_OK, false),
        ("pytest", PYTEST, "pytest --lf", PYTEST_OK, true),
        ("cargo test", RUST_LIB, "cargo test --lib", RUST_OK, true),
        ("cargo test", RUST_LIB, "cargo test --test other", RUST_OK, false),
        ("cargo test", RUST_TEST, "cargo test --lib", RUST_OK, false),
        ("cargo test", RUST_TEST, "RUST_BACKTRACE=1 cargo test", RUST_OK, true),
        ("cargo test -p a", RUST_TEST, "cd other && cargo test", RUST_OK, false),
        (
            "cargo clippy -- -D warnings",
            DENIED,
            { "cargo clippy --all-targets --all-features -- -D warnings" },
            "",
            true,
        ),
        ("cargo fmt -- --check", FORMAT, "cargo fmt --check", "", true),
        ("cargo fmt --check", FORMAT, "cargo fmt --all -- --check", "", true),
        ("ruff check a.py", RUFF, "ruff check --fix .", RUFF_FIXED, true),
        (
            "docker compose exec api pytest",
            PYTEST,
            "docker compose exec web pytest",
            PYTEST_OK,
            false,
        ),
        (
            "docker compose exec api pytest",
            PYTEST,
            "docker compose exec -T api pytest",
            PYTEST_OK,
            true,
        ),
        ("npm run test -- a", JEST, "npm run test -- b", JEST_OK, false),
    ];
    let wrong: Vec<String> = table
        .iter()
        .filter_map(|(failed, printed, passed, then, is_ended)| {
            let failed_so = report(failed, printed, 1);
            let need = need(&failed_so);
            let reached = report(passed, then, 0).reached();
            let ends = need.as_ref().is_some_and(|need| reached.iter().any(|it| it.covers(need)));
            (ends != *is_ended || need.is_none())
                .then(|| format!("{failed}, then {passed}: {need:?} {reached:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_file_of_the_one_package_of_go_lies_in_its_folder() {
    for (command, wanted) in [
        ("go test ./a", "TestOne: no (a/a_test.go:9)"),
        ("go test -v ./a/b/", "TestOne: no (a/b/a_test.go:9)"),
        ("go test .", "TestOne: no (a_test.go:9)"),
        ("go test ./a ./b", "TestOne: no (a_test.go:9)"),
        ("go test ./a/...", "TestOne: no (a_test.go:9)"),
    ] {
        assert_eq!(report(command, GO_TEST, 1).telling.as_deref(), Some(wanted), "{command}");
    }
}

#[test]
fn a_task_looks_at_what_it_is_given() {
    let check = DeclaredCheck {
        command: "npm run test".to_owned(),
        kind: CheckAspect::Test,
        found_in: "package.json".to_owned(),
        runs: Some("jest".to_owned()),
        standing: CheckStanding::InForce,
    };
    let own: CheckRules = CheckList { checks: vec![check], ..CheckList::default() }.into();
    let report = |command: &str, printed: &str, code: i32| {
        let mut reader = CheckReader::of(command, &own);
        reader.feed(OutputStream::Stdout, printed.as_bytes());
        reader.finish(Some(code)).placed(Site { root: "", cwd: Some("/w") })
    };
    let need = need(&report("npm test", JEST, 1)).unwrap();
    let table = [
        ("npm test -- src/other.test.js", false),
        ("npm test -- -t other", false),
        ("npm test -- --testNamePattern=other", false),
        ("yarn test other", false),
        ("npm test -- src/sum.test.js", true),
        ("npm test -- --silent", true),
        ("npm test", true),
    ];
    for (command, is_ended) in table {
        let reached = report(command, JEST_OK, 0).reached();
        let ends = reached.iter().any(|it| it.covers(&need));
        assert_eq!(ends, is_ended, "{command}: {need:?} {reached:?}");
    }
}

#[test]
fn a_run_that_chose_no_test_fails_nothing_and_a_cut_one_shows_nothing_gone() {
    let none = report("pytest -k nothing", "=== 3 deselected in 0.01s ===\n", 5);
    assert!(need(&none).is_none() && none.reached().is_empty() && none.is_idle(), "{none:?}");
    let cut = report(
        "npx eslint w.js 2>&1 | tail -3",
        "\n\u{2716} 2 problems (2 errors, 0 warnings)\n\n",
        0,
    );
    assert_eq!((cut.verdict, cut.is_partial), (Verdict::Failed, true));
    assert!(cut.reached().is_empty(), "{cut:?}");
    let tests = report("cargo test 2>&1 | tail -12", RUST_TEST, 0);
    assert_eq!(tests.verdict, Verdict::Failed);
    assert!(tests.reached().iter().all(|it| it.layers == super::layer::COMPILED), "{tests:?}");
}
