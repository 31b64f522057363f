//! What is told beside, before and behind the sums of runners.

use super::read;
use crate::event::{CheckList, CheckStanding, DeclaredCheck};
use crate::parse::check::lines::OutputStream;
use crate::parse::check::{CheckReader, CheckRules, Kind, Verdict};
use Verdict::{Failed, Passed, Unknown};

const JSON: &str = "{\"Time\":\"t\",\"Action\":\"output\",\"Package\":\"x/b\",\"Output\":\"ok  \\tx/b\\t0.1s\\n\"}\n\
    {\"Time\":\"t\",\"Action\":\"pass\",\"Package\":\"x/b\",\"Elapsed\":0.1}\n";

/// A command line that ended well, what it printed, and what its checks came to.
#[rustfmt::skip]
const PRINTED: &[(&str, &str, Verdict)] = &[
    // Events of go's tests: their end sums up nothing.
    ("go test -json ./... | tail -2", JSON, Unknown),
    ("go test -json ./... | tail -2 | cat", JSON, Unknown),
    ("go test -json ./... | tail -50", JSON, Passed),
    ("go test -json ./... | cat", JSON, Passed),
    ("go test -json ./... | tail -1", "{\"Time\":\"t\",\"Action\":\"fail\",\"Package\":\"x/a\",\"Elapsed\":0.1}\n", Failed),
    // The sum passes, the program does not.
    ("pytest | tail -5", "!!!!!! _pytest.outcomes.Exit: bye !!!!!!\n====== 1 passed in 0.01s ======\n", Failed),
    ("pytest | tail -5", "====== 1 passed in 0.01s ======\n!!!!!! _pytest.outcomes.Exit: bye !!!!!!\n", Failed),
    ("pytest | tail -5", "!!!!!! KeyboardInterrupt !!!!!!\na.py:3: KeyboardInterrupt\n=== 1 passed in 0.01s ===\n", Failed),
    ("pytest --cov | tail -5", "FAIL Required test coverage of 90% not reached. Total coverage: 50.00%\n=== 1 passed in 0.01s ===\n", Failed),
    ("npx jest | tail -5", "Jest: \"global\" coverage threshold for lines (90%) not met: 50%\nTests:       1 passed, 1 total\n", Failed),
    ("npx jest | tail -5", "Tests:       1 passed, 1 total\nJest: \"global\" coverage threshold for lines (90%) not met: 50%\n", Failed),
    ("npx vitest run | tail -5", " Test Files  1 passed (1)\n      Tests  1 passed (1)\n     Errors  1 error\n", Failed),
    ("npx vitest run | tail -5", "⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯\n Test Files  1 passed (1)\n      Tests  1 passed (1)\n", Failed),
    ("npx jest 2>&1 | tail -6", "Test Suites: 1 failed, 2 passed, 3 total\nTests:       12 passed, 12 total\nSnapshots:   0 total\n", Failed),
    ("npx jest 2>&1 | tail -6", "Test Suites: 3 passed, 3 total\nTests:       12 passed, 12 total\nSnapshots:   1 failed, 2 passed, 3 total\n", Failed),
    ("npx jest 2>&1 | tail -6", "Test Suites: 3 passed, 3 total\nTests:       12 passed, 12 total\nSnapshots:   3 passed, 3 total\n", Passed),
    ("npx vitest run 2>&1 | tail -5", " Test Files  1 failed | 2 passed (3)\n      Tests  12 passed (12)\n", Failed),
    ("npx playwright test | tail -3", "  1 interrupted\n  1 did not run\n  3 passed (2.1s)\n", Failed),
    ("cargo nextest run 2>&1 | tail -3", "     Summary [   0.5s] 3/9 tests run: 3 passed, 0 skipped\nwarning: 6/9 tests were not run due to interrupt\n", Failed),
    ("npx eslint . | tail -5", "✖ 3 problems (0 errors, 3 warnings)\n\nESLint found too many warnings (maximum: 0).\n", Failed),
    // Several runs print: what one said the next does not take back.
    ("for i in 1 2; do pytest -q | tail -1; done", "1 failed, 2 passed in 0.1s\n3 passed in 0.1s\n", Failed),
    ("for i in 1 2; do pytest -q | tail -1; done", "3 passed in 0.1s\n3 passed in 0.1s\n", Passed),
    ("for p in a b; do go test ./$p 2>&1 | tail -1; done", "FAIL\nok  \tx/b\t0.02s\n", Failed),
    ("go test ./a 2>&1 | tail -1; go test ./b 2>&1 | tail -1", "FAIL\nok  \tx/b\t0.02s\n", Failed),
    ("ls | xargs -I{} go test ./{} | cat", "FAIL\nok  \tx/b\t0.02s\n", Failed),
    ("ls | xargs -I{} sh -c \"go test ./{} 2>&1 | tail -1\"", "FAIL\nok  \tx/b\t0.02s\n", Failed),
    ("for d in a b; do (cd $d && cargo test 2>&1 | tail -1); done",
     "error: test failed, to rerun pass `--lib`\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n", Failed),
    ("for i in 1; do npx jest 2>&1 | tail -5; done", "Tests:       1 failed, 1 total\nTests:       1 passed, 1 total\n", Failed),
    ("for p in a b; do go test ./$p; done 2>&1 | tail -1", "ok  \tx/b\t0.02s\n", Unknown),
    ("for p in a b; do go test ./$p; done 2>&1 | tail -9", "ok  \tx/a\t0.02s\nok  \tx/b\t0.02s\n", Passed),
    ("(go test ./a; go test ./b) | tail -1", "ok  \tx/b\t0.02s\n", Unknown),
    // A file that is shown behind it is not its own: nor is what a function says.
    ("pytest -q; cat old.log", "F.\n1 failed, 1 passed in 0.01s\n2 passed in 0.02s\n", Failed),
    ("pytest -x tests; tail -3 log", "1 failed in 0.1s\n3 passed in 0.1s\n", Failed),
    ("pytest -q > r.txt; cat r.txt", "2 passed in 0.02s\n", Passed),
    ("pytest -q 2>&1 | tee r.txt; tail -1 r.txt", "2 passed in 0.02s\n2 passed in 0.02s\n", Passed),
    ("cargo(){ echo x; }; cargo test", "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n", Unknown),
    // What is cut before its sum, and what shows nothing.
    ("cargo test 2>&1 | head -3", "running 2 tests\ntest a ... ok\n", Unknown),
    ("npx tsc --noEmit | tail -0", "", Unknown),
    ("for f in a b; do echo $f; done; pytest -q | tail -1", "1 failed, 2 passed in 0.1s\n3 passed in 0.1s\n", Passed),
    // What says without a sum that it failed.
    ("pytest | tail", "ImportError: Error importing plugin \"x\": No module named 'x'\n", Failed),
    ("pytest | tail", "ImportError while loading conftest '/w/conftest.py'.\nconftest.py:1: in <module>\n", Failed),
    ("pytest tests/nope.py | tail", "=== no tests ran in 0.00s ===\nERROR: file or directory not found: tests/nope.py\n", Failed),
    ("python3 -m pytest | tail", "/usr/bin/python3: No module named pytest\n", Failed),
    ("pytest | tail", "bash: line 1: pytest: command not found\n", Failed),
    ("pytest | tail", "bash: line 1: other: command not found\n", Unknown),
    ("pytest --x | tail", "ERROR: usage: pytest [options] [file_or_dir] [file_or_dir] [...]\npytest: error: unrecognized arguments: --x\n", Failed),
    ("pytest -n 2 -v | tail -1", "[gw1] [ 50%] FAILED tests/test_a.py::test_x \n", Failed),
    ("ruff check . | tail -1", "[*] 5 fixable with the `--fix` option.\n", Failed),
    ("ruff check . | tail -1", "Found 5 errors.\n", Failed),
    ("npx vite build | tail", "error during build:\nCould not resolve entry module\n", Failed),
    ("make test | tail -1", "make: *** [Makefile:3: test] Error 1\n", Failed),
    ("make -k | tail -1", "make: Target 'all' not remade because of errors.\n", Failed),
    ("tox | tail", "  py312: FAIL code 1 (0.50=setup[0.40]+cmd[0.10] seconds)\n  evaluation failed :( (0.55 seconds)\n", Failed),
    ("nox | tail -1", "nox > Session tests failed.\n", Failed),
    ("nox | tail -1", "Session tests failed.\n", Failed),
    ("rubocop | tail -1", "1 file inspected, 1 offense detected\n", Failed),
    ("bun test | tail", " 1 pass\n 1 fail\nRan 2 tests across 1 file. [12.00ms]\n", Failed),
    ("bun test | tail", " 2 pass\n 0 fail\nRan 2 tests across 1 file. [12.00ms]\n", Passed),
    ("deno test | tail", "FAILED | 2 passed | 1 failed (4ms)\n", Failed),
    ("deno test | tail", "ok | 2 passed | 0 failed (4ms)\n", Passed),
    ("gotestsum | tail -1", "DONE 3 tests, 1 failure in 0.5s\n", Failed),
    ("just test | tail -1", "error: Recipe `test` failed on line 2 with exit code 1\n", Failed),
    ("cargo test 2>&1 | grep 'test result'", "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n", Passed),
    ("cargo test 2>&1 | grep 'test result'", "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n", Failed),
    ("cargo test 2>&1 | grep 'test result: ok'", "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n", Unknown),
    ("cargo test 2>&1 | grep 'test result'", "", Unknown),
    // Their exit code says nothing.
    ("gofmt -l .", "a.go\n", Failed),
    ("gofmt -l .", "", Passed),
    ("mvn verify -Dmaven.test.failure.ignore", "[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n", Failed),
    ("make test", "--- FAIL: TestA (0.00s)\nFAIL\nFAIL\tx/a\t0.1s\nFAIL\nmake: [Makefile:3: test] Error 1 (ignored)\n", Failed),
    ("go test ./...", "Command running in background with ID: b1\n", Unknown),
];

#[test]
fn an_output_is_read_by_more_than_its_last_sum() {
    let mut wrong = String::new();
    for (command, printed, wanted) in PRINTED {
        let report = read(command, printed, Some(0));
        if report.verdict != *wanted {
            let found = (report.verdict, report.basis);
            wrong.push_str(&format!("{command}\n{printed}   {wanted:?}, found {found:?}\n"));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn the_line_that_says_most_of_a_failure_is_told() {
    for (command, printed, wanted) in [
        (
            "npx eslint nope.js",
            "\nOops! Something went wrong! :(\n\nESLint: 9.1.0\n\nNo files matching the pattern \"nope.js\" were found.\n",
            "No files matching the pattern \"nope.js\" were found.",
        ),
        (
            "make test",
            "t.cc:5: Failure\nExpected: 1\nmake: *** [t] Error 1\n",
            "error t.cc:5: Expected: 1",
        ),
        (
            "ctest | tail",
            "67% tests passed, 1 tests failed out of 3\n\nThe following tests FAILED:\n\t  1 - t_add (Failed)\n\
             Errors while running CTest\n",
            "t_add: Failed",
        ),
        (
            "npx playwright test | tail",
            "  1 failed\n    a.spec.ts:3:5 › has title ───────\n",
            "has title: failed (a.spec.ts:3)",
        ),
        (
            "mvn test | tail",
            "[ERROR] x.ATest.adds -- Time elapsed: 0.01 s <<< FAILURE!\n\
             org.opentest4j.AssertionFailedError: expected: <2> but was: <1>\n\
             [ERROR] Failures: \n[ERROR]   ATest.adds:5 expected: <2> but was: <1>\n\
             [ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0\n",
            "ATest.adds: org.opentest4j.AssertionFailedError: expected: <2> but was: <1>",
        ),
    ] {
        let report = read(command, printed, Some(1));
        assert_eq!(report.telling.as_deref(), Some(wanted), "{command}: {report:?}");
    }
}

#[test]
fn a_failure_that_a_task_prints_is_seen_though_the_task_checks_nothing() {
    let check = DeclaredCheck {
        command: "make test".to_owned(),
        kind: Kind::Test,
        found_in: "Makefile".to_owned(),
        runs: Some("go test ./... | tail -5".to_owned()),
        standing: CheckStanding::Idle,
    };
    let own = CheckRules::from(CheckList { checks: vec![check], ..CheckList::default() });
    for (printed, is_failed) in
        [("FAIL\tx/a\t0.1s\nFAIL\n", true), ("ok  \tx/a\t0.1s\n", false), ("", false)]
    {
        for command in ["make test 2>&1 | tail -3", "make test"] {
            let mut reader = CheckReader::of(command, &own);
            reader.feed(OutputStream::Stdout, printed.as_bytes());
            let report = reader.finish(Some(0));
            assert_eq!(report.verdict == Failed, is_failed, "{command}: {printed}");
            assert_eq!(report.kind.is_some(), is_failed, "{command}: {printed}");
        }
    }
}
