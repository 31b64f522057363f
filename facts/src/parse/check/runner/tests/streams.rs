//! Either stream, cut outputs, and what each runner leaves unsaid.

use super::report;
use crate::parse::check::runner::{OutputStream, TestReportReader};

#[test]
fn a_run_is_the_same_on_either_stream() {
    let cargo = "running 1 test\ntest a ... FAILED\n\nfailures:\n\n---- a stdout ----\nthread 'a' (1) \
        panicked at a.rs:1:1:\nno\n\n\nfailures:\n    a\n\ntest result: FAILED. 0 passed; 1 failed; 0 \
        ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
    let nextest = "        FAIL [   0.010s] (1/1) cart a\n  stderr ───\n    thread 'a' (1) panicked \
        at a.rs:1:1:\n    no\n\n     Summary [   0.010s] 1 test run: 0 passed, 1 failed, 0 skipped\n";
    let pytest = "FAILED a/test_x.py::test_a - no\n1 failed in 0.01s\n";
    let jest = "FAIL a.test.js\n  ● a\n\n    no\n\nTests:       1 failed, 1 total\n";
    let go = "--- FAIL: TestA (0.00s)\n    a_test.go:3: no\nFAIL\nFAIL\tex.org/a\t0.01s\n";
    let (rule, dashes) = ("=".repeat(70), "-".repeat(70));
    let unittest = format!(
        "{rule}\nFAIL: test_a (m.C.test_a)\n{dashes}\nTraceback (most recent call last):\n  File \
         \"m.py\", line 3, in test_a\n    x()\nAssertionError: no\n\n{dashes}\nRan 1 test in \
         0.001s\n\nFAILED (failures=1)\n"
    );
    let node = "not ok 1 - a\n  ---\n  location: '/a/a.mjs:1:1'\n  error: 'no'\n  ...\n# tests 1\n# \
        pass 0\n# fail 1\n";
    for log in [cargo, nextest, pytest, jest, go, &unittest, node] {
        let [out, err] = [OutputStream::Stdout, OutputStream::Stderr].map(|from| {
            let mut reader = TestReportReader::of(&["make", "check"]);
            reader.feed(from, log.as_bytes());
            reader.finish(Some(1), None)
        });
        assert_eq!(out, err, "{log}");
        assert_eq!((out.results.failed, out.results.total), (1, 1), "{log}");
        let [failure] = out.failures.as_slice() else { panic!("{out:?}") };
        assert!(failure.error_message.ends_with("no"), "{failure:?}");
    }
}

#[test]
fn a_name_with_parameters_is_one_name() {
    let log = "=== short test summary info ===\nFAILED t/test_a.py::test_str[x - y] - assert 0\n\
        FAILED t/test_a.py::test_str[p::q.r] - assert [1] - [2]\nFAILED t/test_a.py::C::test_b\n\
        SUBFAILED(i=1) t/test_a.py::C::test_c - assert 1\n=== 4 failed in 0.01s ===\n";
    let told = report(&["pytest"], log, 1);
    let names: Vec<_> = told.failures.iter().map(|it| it.test_name.as_str()).collect();
    assert_eq!(
        names,
        [
            "t/test_a.py::test_str[x - y]",
            "t/test_a.py::test_str[p::q.r]",
            "t/test_a.py::C::test_b",
            "t/test_a.py::C::test_c (i=1)",
        ]
    );
    assert_eq!(told.failures[1].error_message, "assert [1] - [2]");
}

#[test]
fn where_nothing_ran_the_error_is_told_and_a_signal_is_named() {
    for (printed, code, message) in [
        ("x: error: no such option\n  rootdir: /a\n", 4, "x: error: no such option (exit code 4)"),
        ("error: bad\n\nFor more, try '--help'.\n", 1, "error: bad (exit code 1)"),
        ("No tests found, exiting\nPattern: x\n", 1, "No tests found, exiting (exit code 1)"),
        ("working\n", 137, "working (exit code 137, SIGKILL)"),
        ("working\n", 143, "working (exit code 143, SIGTERM)"),
    ] {
        let told = report(&["./check"], printed, code);
        assert_eq!(told.failures[0].error_message, message);
    }
}

#[test]
fn go_packages_are_told_apart_and_their_coverage_is_not_averaged() {
    let log = "--- FAIL: TestA (0.00s)\n    a_test.go:3: got 2, want 3\n    a_test.go:4: again\nFAIL\n\
        coverage: 25.0% of statements\nFAIL\tex.org/m\t0.01s\n--- FAIL: TestA (0.00s)\n    \
        s_test.go:9: no\nFAIL\ncoverage: 100.0% of statements\nFAIL\tex.org/m/sub\t0.01s\nFAIL\n";
    let told = report(&["go", "test", "-cover", "./..."], log, 1);
    assert_eq!(told.results.coverage_percent, None);
    let [one, two] = told.failures.as_slice() else { panic!("{told:?}") };
    assert_eq!(
        (one.test_name.as_str(), two.test_name.as_str()),
        ("ex.org/m.TestA", "ex.org/m/sub.TestA")
    );
    assert_eq!(two.test_file.as_deref(), Some("sub/s_test.go"));
    assert_eq!(one.error_message, "got 2, want 3\nagain");
    assert_eq!((one.expected.as_deref(), one.actual.as_deref()), (Some("3"), Some("2")));
}

#[test]
fn of_an_endless_value_the_beginning_is_kept() {
    let value = "a".repeat(10 << 20);
    let log = format!(
        "running 1 test\n\nfailures:\n\n---- a stdout ----\nthread 'a' (1) panicked at a.rs:1:1:\n\
         assertion `left == right` failed\n  left: \"{value}\"\n right: \"b\"\n\n\nfailures:\n    a\n\n\
         test result: FAILED. 0 passed; 1 failed; 0 ignored; finished in 0.00s\n"
    );
    let told = report(&["cargo", "test"], &log, 101);
    let message = &told.failures[0].error_message;
    assert!(message.len() > 6 << 10 && message.contains("left: \"aaaa"), "{}", message.len());
}
