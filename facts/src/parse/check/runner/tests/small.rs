//! What the captured outputs do not have.

use super::report;
use crate::event::ErrorType;
use crate::parse::check::runner::{OutputStream, TestReportReader};

#[test]
fn a_command_that_nobody_understands_is_the_failure_itself() {
    let told = report(&["./check.sh", "--all"], "checking\n\nconnect: connection refused\n", 7);
    assert!(!told.is_understood);
    assert_eq!((told.results.total, told.results.errors), (1, Some(1)));
    let [failure] = told.failures.as_slice() else { panic!("{told:?}") };
    assert_eq!(failure.test_name, "./check.sh --all");
    assert_eq!(failure.error_message, "connect: connection refused (exit code 7)");
    assert_eq!(failure.error_type, ErrorType::NetworkError);
    assert_eq!(failure.stack_trace.as_deref(), Some("checking\n\nconnect: connection refused"));

    let told = report(&["./check.sh"], "all is well\n", 0);
    assert!(!told.is_understood);
    assert!(told.failures.is_empty());
    assert_eq!(told.results.total, 0);
    let told = report(&["./check.sh"], "", 1);
    assert_eq!(
        told.failures[0].error_message,
        "the command failed and printed nothing (exit code 1)"
    );
}

#[test]
fn a_run_that_passed_by_its_words_and_failed_by_its_code_has_an_error() {
    let passed = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; \
                  finished in 0.10s\nKilled\n";
    let told = report(&["cargo", "test"], passed, 137);
    assert!(told.is_understood);
    assert_eq!((told.results.passed, told.results.errors), (3, Some(1)));
    assert_eq!(told.failures[0].error_message, "Killed (exit code 137, SIGKILL)");
}

#[test]
fn the_given_duration_is_told_where_the_runner_tells_none() {
    let mut reader = TestReportReader::of(&["make"]);
    reader.feed(OutputStream::Stdout, b"3 passed in 0.25s\n");
    assert_eq!(reader.finish(Some(0), Some(9)).results.duration_ms, Some(250));
    let reader = TestReportReader::of(&["make"]);
    assert_eq!(reader.finish(Some(0), Some(9)).results.duration_ms, Some(9));
}

#[test]
fn paths_below_the_folder_are_relative_to_it() {
    let mut reader = TestReportReader::of(&["go", "test"]).in_folder("/work/a".as_ref());
    let log = "--- FAIL: TestX (0.00s)\npanic: no\n\ngoroutine 1 [running]:\n\
               example.com/a/b.TestX(0xc0)\n\t/work/a/b/b_test.go:12 +0x2\n\
               FAIL\texample.com/a/b\t0.010s\n";
    reader.feed(OutputStream::Stdout, log.as_bytes());
    let told = reader.finish(Some(1), None);
    let [failure] = told.failures.as_slice() else { panic!("{told:?}") };
    assert_eq!(failure.test_file.as_deref(), Some("b/b_test.go"));
    assert_eq!(failure.test_line, Some(12));
    let source = failure.source_location.as_ref().unwrap();
    assert_eq!(source.file.as_deref(), Some("b/b_test.go"));
    assert_eq!(source.function.as_deref(), Some("TestX"));
}

#[test]
fn a_test_binary_that_a_signal_ended_is_an_error() {
    let log = "\nrunning 2 tests\ntest fine ... ok\n\
        error: test failed, to rerun pass `--lib`\n\nCaused by:\n  process didn't exit \
        successfully: `/t/debug/deps/cart-cc34d4ae7363b857` (signal: 11, SIGSEGV: invalid memory \
        reference)\n";
    let told = report(&["cargo", "test"], log, 101);
    assert!(told.is_understood);
    assert_eq!(told.results.errors, Some(1));
    assert_eq!(told.failures[0].test_name, "cart");
    assert!(told.failures[0].error_message.contains("SIGSEGV"), "{told:?}");
}

#[test]
fn older_forms_of_a_panic_are_read() {
    let log = "running 1 test\ntest a ... FAILED\n\nfailures:\n\n---- a stdout ----\nthread 'a' \
        panicked at 'boom: it's broken', src/lib.rs:4:5\nnote: run with `RUST_BACKTRACE=1` \
        environment variable to display a backtrace\n\n\nfailures:\n    a\n\ntest result: FAILED. \
        0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
    let told = report(&["cargo", "test"], log, 101);
    let [failure] = told.failures.as_slice() else { panic!("{told:?}") };
    assert_eq!(failure.error_message, "boom: it's broken");
    let source = failure.source_location.as_ref().unwrap();
    assert_eq!((source.file.as_deref(), source.line), (Some("src/lib.rs"), Some(4)));
}

#[test]
fn nextests_retries_count_once_and_its_ends_are_told() {
    let log = "\
  TRY 1 FAIL [   0.010s] (1/3) cart tests::flaky
  stderr ───
    thread 'tests::flaky' (1) panicked at src/lib.rs:1:1:
    first
  TRY 2 PASS [   0.010s] (1/3) cart tests::flaky
     TIMEOUT [   1.010s] (2/3) cart tests::slow
     SIGSEGV [   0.010s] (3/3) cart tests::crashes
────────────
     Summary [   1.089s] 3 tests run: 1 passed (1 flaky), 1 failed, 1 timed out, 0 skipped
     TIMEOUT [   1.010s] (2/3) cart tests::slow
error: test run failed
";
    let told = report(&["cargo", "nextest", "run"], log, 100);
    let named: Vec<_> =
        told.failures.iter().map(|it| (it.test_name.as_str(), it.error_type)).collect();
    assert_eq!(
        named,
        [("tests::slow", ErrorType::TimeoutError), ("tests::crashes", ErrorType::RuntimeError)]
    );
    assert_eq!((told.results.passed, told.results.failed), (1, 2));
    assert!(told.failures[1].error_message.contains("SIGSEGV"));
}

#[test]
fn a_session_that_was_ended_is_told_as_far_as_it_came() {
    let log = "============ test session starts ============\n\
               ============ FAILURES ============\n____ test_a ____\n\n    def test_a():\n\
               >       assert 1 == 2\nE       assert 1 == 2\n\ntests/test_a.py:2: AssertionError\n";
    let told = report(&["pytest"], log, 137);
    assert!(told.is_understood);
    assert_eq!(told.results.failed, 1);
    assert_eq!(told.failures[0].test_name, "tests/test_a.py::test_a");
    assert_eq!(told.failures[0].expected.as_deref(), Some("2"));

    let log = "FAIL test/a.test.js\n  ● adds\n\n    expect(received).toBe(expected)\n\n    \
               Expected: 1\n    Received: 2\n";
    let told = report(&["jest"], log, 137);
    assert_eq!((told.is_understood, told.results.failed), (true, 1));

    let log = "=== RUN   TestA\n    a_test.go:3: no\n--- FAIL: TestA (0.00s)\n=== RUN   TestB\n";
    let told = report(&["go", "test", "-v"], log, 137);
    assert_eq!((told.is_understood, told.results.failed), (true, 1));
    assert_eq!(told.failures[0].error_message, "no");
}

#[test]
fn what_chained_exceptions_came_to_is_the_last() {
    let log = "=========== FAILURES ===========\n____ test_a ____\n\n    def test_a():\n\
        >       load()\nE       KeyError: 'a'\n\ntests/test_a.py:2: KeyError\n\n\
        During handling of the above exception, another exception occurred:\n\n    def test_a():\n\
        >       load()\nE       ValueError: no a\n\ncart.py:9: ValueError\n\
        =========== 1 failed in 0.01s ===========\n";
    let told = report(&["pytest"], log, 1);
    assert_eq!(told.failures[0].error_message, "ValueError: no a");
    assert_eq!(told.failures[0].error_type, ErrorType::ValidationError);
}

#[test]
fn a_package_that_was_not_built_is_an_error_whether_or_not_its_compiler_was_heard() {
    let unheard = "FAIL\texample.com/a [build failed]\nok  \texample.com/b\t0.01s\nFAIL\n";
    let told = report(&["go", "test", "./..."], unheard, 1);
    assert_eq!((told.results.errors, told.results.passed), (Some(1), 1));
    assert_eq!(told.failures[0].test_name, "example.com/a");

    let heard = format!(
        "# example.com/a_test [example.com/a.test]\n./a_test.go:3:1: undefined: x\n{unheard}"
    );
    let told = report(&["go", "test", "./..."], &heard, 1);
    assert_eq!(told.results.errors, Some(1));
    let [failure] = told.failures.as_slice() else { panic!("{told:?}") };
    assert_eq!(failure.error_type, ErrorType::ReferenceError);
    assert_eq!(failure.error_message, "undefined: x");
}
