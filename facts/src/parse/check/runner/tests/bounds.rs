//! No output is too long, too deep or too strange.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::folder;
use crate::parse::check::runner::failures::{
    FAILURES_MAX, MESSAGE_BYTES_MAX, NAME_BYTES_MAX, STACK_BYTES_MAX, VALUE_BYTES_MAX,
};
use crate::parse::check::runner::{OutputStream, TestReport, TestReportReader, TestRunner};

fn command(runner: TestRunner) -> &'static [&'static str] {
    match runner {
        TestRunner::CargoTest => &["cargo", "test"],
        TestRunner::Nextest => &["cargo", "nextest", "run"],
        TestRunner::Pytest => &["pytest"],
        TestRunner::Jest => &["jest"],
        TestRunner::GoTest => &["go", "test"],
        TestRunner::Unittest => &["python", "-m", "unittest"],
        TestRunner::NodeTest => &["node", "--test"],
        TestRunner::Tap => &["make", "test"],
    }
}

fn assert_bounded(told: &TestReport) {
    assert!(told.failures.len() <= FAILURES_MAX);
    for failure in &told.failures {
        assert!(failure.error_message.len() <= MESSAGE_BYTES_MAX);
        assert!(failure.stack_trace.as_ref().is_none_or(|it| it.len() <= STACK_BYTES_MAX));
        let values = [&failure.expected, &failure.actual];
        assert!(values.into_iter().flatten().all(|it| it.len() <= VALUE_BYTES_MAX));
        assert!(failure.test_name.len() <= NAME_BYTES_MAX);
    }
}

/// A log of 100 MB: a hundred thousand lines of a test's own, lines without an end, and at its end the
/// totals.
#[test]
fn a_log_of_100_mb_is_read_in_bounded_memory() {
    let mut reader = TestReportReader::of(&["cargo", "test"]);
    let mut fed = 0;
    let mut feed = |bytes: &[u8]| {
        fed += bytes.len();
        reader.feed(OutputStream::Stdout, bytes);
    };
    feed(b"running 1 test\nfailures:\n\n---- tests::loud stdout ----\n");
    let chatter = "a line of what the test prints\n".repeat(1000);
    (0..100).for_each(|_| feed(chatter.as_bytes()));
    let endless = vec![b'x'; 1 << 20];
    (0..97).for_each(|_| feed(&endless));
    feed(b"\nthread 'tests::loud' (1) panicked at src/lib.rs:1:2:\n");
    (0..20).for_each(|_| feed(chatter.as_bytes()));
    feed(b"\nfailures:\n    tests::loud\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 2.00s\n");
    assert!(fed > 100_000_000);
    // What is held is a debug print's size at most: texts, not the log.
    assert!(format!("{reader:?}").len() < 4 << 20);
    let told = reader.finish(Some(101), None);
    assert_eq!((told.results.total, told.results.failed), (1, 1));
    assert_bounded(&told);
    assert!(told.failures[0].error_message.ends_with(" bytes more"), "{told:?}");
}

#[test]
fn failures_over_the_limit_are_counted() {
    let mut cargo = "failures:\n\n".to_owned();
    let mut nextest = String::new();
    let mut pytest = "===== FAILURES =====\n".to_owned();
    let mut jest = "FAIL a.test.js\n".to_owned();
    let mut go = String::new();
    let (rule, dashes) = ("=".repeat(70), "-".repeat(70));
    let (mut unittest, mut node) = (String::new(), String::new());
    for it in 0..300 {
        write!(cargo, "---- t{it} stdout ----\nthread 't{it}' panicked at a.rs:1:1:\nx\n").unwrap();
        writeln!(nextest, "        FAIL [   0.010s] ({it}/300) cart t{it}").unwrap();
        write!(
            pytest,
            "___ test_{it} ___\nE   assert False\n\ntests/test_a.py:1: AssertionError\n"
        )
        .unwrap();
        write!(jest, "  ● t{it}\n\n    expect(1)\n\n").unwrap();
        writeln!(unittest, "{rule}\nFAIL: t{it} (a.B.t{it})\n{dashes}\nTraceback\n").unwrap();
        writeln!(node, "not ok {it} - t{it}\n  ---\n  error: 'no'\n  ...").unwrap();
        writeln!(go, "--- FAIL: Test{it} (0.00s)").unwrap();
    }
    cargo.push_str("\nfailures:\n");
    pytest.push_str("===== short test summary info =====\n");
    for it in 0..300 {
        writeln!(cargo, "    t{it}").unwrap();
        writeln!(pytest, "FAILED tests/test_a.py::test_{it} - assert False").unwrap();
    }
    cargo.push_str("\ntest result: FAILED. 0 passed; 300 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s\n");
    nextest.push_str("     Summary [   0.089s] 300 tests run: 0 passed, 300 failed, 0 skipped\n");
    pytest.push_str("===== 300 failed in 0.10s =====\n");
    jest.push_str("Test Suites: 1 failed, 1 total\nTests: 300 failed, 300 total\n");
    go.push_str("FAIL\nFAIL\texample.com/a\t0.01s\n");
    writeln!(unittest, "{dashes}\nRan 300 tests in 0.100s\n\nFAILED (failures=300)").unwrap();
    node.push_str("# tests 300\n# pass 0\n# fail 300\n");
    let tap = node.clone();
    node.push_str("# cancelled 0\n");
    let logs = [cargo, nextest, pytest, jest, go, unittest, node, tap];
    for (runner, log) in TestRunner::ALL.iter().zip(logs) {
        let told = super::report(command(*runner), &log, 1);
        assert_eq!((told.failures.len(), told.left_out), (200, 100), "{runner:?}");
        assert_eq!(told.results.failed, 300, "{runner:?}");
        assert_bounded(&told);
    }
}

/// Every captured output, cut anywhere, with any bytes in its place.
fn spoilt() -> impl Strategy<Value = (usize, usize, usize, Vec<u8>)> {
    (0..1000_usize, 0..100_000_usize, 0..400_usize, prop::collection::vec(any::<u8>(), 0..60))
}

fn captured() -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for runner in ["cargo", "nextest", "pytest", "jest", "go", "unittest", "node"] {
        for entry in std::fs::read_dir(folder().join(runner)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|it| it != "json") {
                found.push(std::fs::read(path).unwrap());
            }
        }
    }
    found
}

#[test]
fn spoilt_outputs_never_break_the_reader() {
    let captured = captured();
    let mut config = ProptestConfig::with_cases(96);
    config.failure_persistence = None;
    proptest!(config, |((which, at, cut, put) in spoilt())| {
        let mut bytes = captured[which % captured.len()].clone();
        let at = at % (bytes.len() + 1);
        let end = (at + cut).min(bytes.len());
        bytes.splice(at..end, put);
        let mut reader = TestReportReader::of(&["make"]);
        for piece in bytes.chunks(97) {
            reader.feed(OutputStream::Stdout, piece);
        }
        assert_bounded(&reader.finish(Some(1), None));
    });
}

#[test]
fn numbers_that_do_not_fit_are_no_numbers() {
    for line in [
        "test result: FAILED. 99999999999999999999 passed; 1 failed; finished in 1s",
        "===== 99999999999999999999 failed in 1e999s =====",
        "===== 1 failed in 99999999999999999999999999999s =====",
        "Tests: 99999999999999999999 failed, 1 total",
        "  Summary [ 9e99s] 18446744073709551615 tests run: 18446744073709551615 passed, 18446744073709551615 failed",
        "FAIL\texample.com\t9999999999999999999999s\tcoverage: 999% of statements",
        "test result: FAILED. 18446744073709551615 passed; 18446744073709551615 failed; 18446744073709551615 ignored; finished in 1s",
        "18446744073709551615 failed, 18446744073709551615 passed, 18446744073709551615 errors in 1s",
    ] {
        let told = super::report(&["make"], line, 1);
        assert!(told.results.coverage_percent.is_none_or(|it| it <= 100.0), "{line}");
    }
}
