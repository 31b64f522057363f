//! What tests print that looks like a runner's own words.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::report;

const PRINTED: &str = "running 2 tests\ntest tests::a ... FAILED\ntest tests::b ... FAILED\n\n\
    failures:\n\n---- tests::a stdout ----\ntest result: FAILED. 1 passed; 99 failed; 0 ignored; 0 \
    measured; 0 filtered out; finished in 1.00s\n\nfailures:\n\n---- ghost stdout ----\nboo\n\n\
    failures:\n    ghost\n    at /rustc/1/panicking.rs:689:5\n\ntest result: FAILED. 0 passed; 2 \
    failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s\n\nthread 'tests::a' (7) \
    panicked at src/lib.rs:7:9:\nassertion `left != right` failed\n  left: 1\n right: 1\n\n\
    ---- tests::b stdout ----\nError: \"no\"\n\n\nfailures:\n    tests::a\n    tests::b\n\ntest \
    result: FAILED. 0 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n";

#[test]
fn the_harness_is_told_from_what_a_failed_test_printed() {
    let told = report(&["cargo", "test"], PRINTED, 101);
    assert_eq!((told.results.total, told.results.failed), (2, 2));
    let [a, b] = told.failures.as_slice() else { panic!("{told:?}") };
    assert_eq!((a.test_name.as_str(), b.test_name.as_str()), ("tests::a", "tests::b"));
    assert!(a.error_message.starts_with("assertion `left != right` failed"), "{a:?}");
    assert_eq!((a.expected.as_deref(), a.actual.as_deref()), (None, Some("1")));
    assert_eq!(b.error_message, "\"no\"");
}

#[test]
fn only_the_runners_own_last_words_count() {
    let width = 80;
    let rule = |sign: &str, title: &str| {
        let side = sign.repeat((width - title.len() - 2) / 2);
        let line = format!("{side} {title} {side}");
        format!("{line}{}", sign.repeat(width - line.len()))
    };
    let failures = rule("=", "FAILURES");
    let (one, two) = (rule("_", "test_one"), rule("_", "test_two"));
    let captured = rule("-", "Captured stdout call");
    let (summary, totals) = (rule("=", "short test summary info"), rule("=", "2 failed in 0.02s"));
    let log = format!(
        "{failures}\n{one}\ntests/test_a.py:2: in test_one\n    assert 0\nE   assert 0\n{captured}\n\
         === 3 failed, 99 passed in 1.00s ===\n____ test_ghost ____\n=== FAILURES ===\nE   boo\n\
         {two}\ntests/test_a.py:5: in test_two\n    assert 1 == 2\nE   assert 1 == 2\n{summary}\n\
         FAILED tests/test_a.py::test_one - assert 0\nFAILED tests/test_a.py::test_two - assert 1 == \
         2\n{totals}\n"
    );
    let told = report(&["pytest"], &log, 1);
    assert_eq!((told.results.total, told.results.failed), (2, 2));
    let [one, two] = told.failures.as_slice() else { panic!("{told:?}") };
    assert_eq!(one.test_name, "tests/test_a.py::test_one");
    assert_eq!((two.test_line, two.actual.as_deref()), (Some(5), Some("1")));
}

#[test]
fn a_green_run_has_no_failures_whatever_its_tests_print() {
    let pytest = "=== 3 failed, 99 passed in 1.00s ===\nFAILED tests/test_x.py::test_y - no\n.\n\
                  1 passed in 0.01s\n";
    let cargo = "running 1 test\ntest g ... ok\n\nsuccesses:\n\n---- g stdout ----\nfailures:\n    \
                 nope\n\n---- x stdout ----\n\n\nsuccesses:\n    g\n\ntest result: ok. 1 passed; 0 \
                 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
    for (argv, log) in [(&["pytest", "-q", "-s"][..], pytest), (&["cargo", "test"], cargo)] {
        let told = report(argv, log, 0);
        assert_eq!((told.results.total, told.results.failed), (1, 0), "{argv:?}");
        assert!(told.failures.is_empty(), "{told:?}");
    }
}

/// Twice the failures take about twice the time, and not four times.
#[test]
fn time_grows_with_the_log() {
    let log = |count: usize| {
        let mut log = format!("running {count} tests\n\nfailures:\n\n");
        for it in 0..count {
            write!(
                log,
                "---- t{it} stdout ----\n\nthread 't{it}' (1) panicked at a.rs:1:1:\nno\n\n"
            )
            .unwrap();
        }
        log.push_str("\nfailures:\n");
        (0..count).for_each(|it| writeln!(log, "    t{it}").unwrap());
        write!(log, "\ntest result: FAILED. 0 passed; {count} failed; 0 ignored; finished in 1s\n")
            .unwrap();
        log
    };
    let took = |count: usize| {
        let log = log(count);
        let once = |_| {
            let begun = Instant::now();
            let told = report(&["cargo", "test"], &log, 101);
            assert_eq!((told.failures.len(), told.left_out), (200, count as u64 - 200));
            begun.elapsed()
        };
        (0..3).map(once).min().unwrap() // others use the machine too
    };
    let small = took(2_000).max(Duration::from_millis(5));
    assert!(took(16_000) < small * 40, "a square would be 64 times as long");
}
