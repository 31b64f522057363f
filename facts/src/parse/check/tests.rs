//! Verdicts of whole outputs: what a runner says last counts, and what a test prints does not.

mod hostile;
mod said;
mod sums;

use super::lines::OutputStream;
use super::{Basis, CheckReader, CheckReport, CheckRules, Verdict};
use Verdict::{Failed, Passed, Unknown};

fn read(command: &str, printed: &str, code: Option<i32>) -> CheckReport {
    let mut reader = CheckReader::of(command, &CheckRules::default());
    reader.feed(OutputStream::Stdout, printed.as_bytes());
    reader.finish(code)
}

#[test]
fn the_runner_has_the_last_word() {
    let table: &[(&str, &str, Verdict)] = &[
        // What passing tests print looks like failures.
        (
            "cargo test -- --nocapture 2>&1 | tail -40",
            "running 2 tests\nerror[E0425]: cannot find value `x` in this scope\n --> src/a.rs:3:5\n\n\
             error: could not compile `x` (lib) due to 1 previous error\n\
             test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n\
             test a ... ok\ntest b ... ok\n\n\
             test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n",
            Passed,
        ),
        (
            "go test -v ./... 2>&1 | tail -30",
            "=== RUN   TestA\n--- FAIL: TestInner (0.00s)\na.go:3:5: undefined: x\nFAIL\n\
             --- PASS: TestA (0.00s)\nPASS\nok  \texample.com/a\t0.003s\n",
            Passed,
        ),
        (
            "pytest -s tests | cat",
            "tests/test_a.py error: boom\nFAILED tests/test_x.py::t - no\n\
             Traceback (most recent call last):\n  File \"a.py\", line 3, in f\nValueError: no\n\
             === 1 failed in 0.10s ===\n.\n\
             ============================== 1 passed in 0.01s ===============================\n",
            Passed,
        ),
        (
            "npx vitest run | cat",
            "stdout | a.test.ts\na.ts(3,5): error TS2304: Cannot find name 'x'.\n\n\
             \u{20}Test Files  1 passed (1)\n      Tests  2 passed (2)\n",
            Passed,
        ),
        // What failing tests print looks like passes.
        (
            "go test ./... 2>&1 | tail -30",
            "ok  \texample.com/fake\t0.003s\n--- FAIL: TestA (0.00s)\n    a_test.go:3: no\nFAIL\n\
             FAIL\texample.com/a\t0.003s\nFAIL\n",
            Failed,
        ),
        (
            "cargo test 2>&1 | tail -40",
            "running 1 test\ntest a ... FAILED\n\nfailures:\n\n---- a stdout ----\n\
             test result: ok. 9 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\n\n\
             failures:\n    a\n\n\
             test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n\
             error: test failed, to rerun pass `--lib`\n",
            Failed,
        ),
        (
            "cargo test 2>&1 | tail -20",
            "test result: ok. 9 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n\
             \u{20}    Running tests/it.rs\n\nrunning 3 tests\nerror: test failed, to rerun pass `--test it`\n\n\
             Caused by:\n  process didn't exit successfully: `it` (signal: 6, SIGABRT: process abort signal)\n",
            Failed,
        ),
        // Another check's findings are not the tests' to overrule.
        (
            "golangci-lint run ./... | tail; go test ./... | tail",
            "a.go:3:5: undefined: x (typecheck)\n1 issues:\n* typecheck: 1\nok  \texample.com/a\t0.003s\n",
            Failed,
        ),
    ];
    for (command, printed, wanted) in table {
        let report = read(command, printed, Some(0));
        assert_eq!(report.verdict, *wanted, "{command}: {printed}\n{report:?}");
        if *wanted == Passed {
            let errors = report.findings.iter().filter(|it| it.diagnostic.level == "error");
            assert_eq!(errors.count() + report.failures.len(), 0, "{command}: {report:?}");
        }
    }
}

#[test]
fn a_printed_exit_code_is_the_checks() {
    let table: &[(&str, &str, Verdict)] = &[
        ("cargo test; echo $?", "some\n101\n", Failed),
        ("cargo test; echo $?", "some\n0\n", Passed),
        ("cargo test; echo \"exit: $?\"", "some\nexit: 1\n", Failed),
        ("cargo test; echo EXIT $?", "EXIT 0\n", Passed),
        ("go test ./... | tail -3; echo \"rc=${PIPESTATUS[0]}\"", "x\nrc=1\n", Failed),
        ("go test ./... | tail -3; echo \"rc=${PIPESTATUS[0]}\"", "x\nrc=0\n", Passed),
        ("go test ./... > out; rc=$?; echo \"rc=$rc\"", "rc=2\n", Failed),
        ("go test ./...; printf 'code %d\\n' $?", "code 1\n", Failed),
        // The code is another command's.
        ("go test ./... | tail -3; echo $?", "x\n0\n", Unknown),
        ("go test ./...; ls; echo $?", "x\n1\n", Unknown),
        // Its line is not there, or is no code.
        ("cargo test; echo \"exit: $?\"", "some\n", Unknown),
        ("cargo test; echo \"exit: $?\"", "exit: none\n", Unknown),
        ("cargo test; echo \"$HOME $?\"", "/root 1\n", Unknown),
    ];
    for (command, printed, wanted) in table {
        let report = read(command, printed, Some(0));
        assert_eq!(report.verdict, *wanted, "{command}: {printed}: {report:?}");
    }
}

#[test]
fn what_a_check_wrote_and_the_line_prints_is_seen_whole() {
    let xml = "<testsuites><testsuite><testcase name=\"a\"/></testsuite></testsuites>\n";
    for (command, wanted) in [
        ("pytest --junitxml=r.xml > /dev/null; cat r.xml", Passed),
        ("pytest --junitxml r.xml > log 2>&1; cat r.xml", Passed),
        ("jest --ci > r.xml; cat r.xml", Passed),
        ("pytest > log 2>&1; tail -5 log", Passed),
        // Another file, or a part of it.
        ("pytest --junitxml=r.xml > /dev/null; cat old.xml", Unknown),
        ("pytest --junitxml=r.xml > /dev/null; cat r.xml | grep x", Unknown),
        ("pytest --junitxml=r.xml > /dev/null; cat r.xml > copy", Unknown),
        ("cat r.xml; pytest --junitxml=r.xml > /dev/null", Unknown),
    ] {
        assert_eq!(read(command, xml, None).verdict, wanted, "{command}");
        let failed = xml.replace("\"/>", "\"><failure/></testcase>");
        assert_eq!(read(command, &failed, None).verdict, Failed, "{command}");
    }
}

#[test]
fn a_search_in_vain_is_no_failure_of_the_check() {
    for (command, is_searched) in [
        ("cargo test 2>&1 | grep FAILED", true),
        ("cargo test 2>&1 | tee log | grep -c FAILED", true),
        ("cargo test 2>&1 | rg -q panicked", true),
        ("set -o pipefail; cargo test 2>&1 | grep FAILED", false),
        ("cargo test 2>&1 | tail -3", false),
        ("cargo test && grep -r x src", false),
        ("cargo test", false),
    ] {
        let report = read(command, "", Some(1));
        assert_eq!(report.is_searched, is_searched, "{command}");
        assert!(!is_searched || report.verdict == Unknown, "{command}: {report:?}");
    }
}

#[test]
fn a_check_that_somebody_ended_has_no_verdict() {
    let passing = "ok  \texample.com/a\t0.003s\n";
    let failing =
        "--- FAIL: TestA (0.00s)\n    a_test.go:3: no\nFAIL\nFAIL\texample.com/a\t0.003s\n";
    for code in [124, 130, 137, 143] {
        let report = read("go test ./...", passing, Some(code));
        assert_eq!((report.verdict, report.basis), (Unknown, Basis::Nothing), "{code}");
        assert_eq!(read("go test ./...", failing, Some(code)).verdict, Failed, "{code}");
    }
}
