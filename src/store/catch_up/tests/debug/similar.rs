//! Failures that are like others, ranked and explained.

use super::history::session;
use super::told::{Told, failure};
use crate::debug::query::{SCORE_MAX, Similar, SimilarAsked};
use crate::event::*;

const MESSAGE: &str = "Cannot read 'length' of null at 0x7ffe01 in /home/me/src/auth.ts:15";
/// Another name, other numbers and another folder: the same cause.
const ALIKE: &str = "Cannot read 'width' of null at 0x55ff01 in /tmp/other/auth.ts:9";

fn told_failure() -> TestFailure {
    failure(ErrorType::TypeError, MESSAGE, "src/auth.ts")
}

fn asked() -> SimilarAsked {
    SimilarAsked::from(&told_failure())
}

fn ids(found: &[Similar]) -> Vec<DebugSessionId> {
    found.iter().map(|found| found.session.id).collect()
}

#[test]
fn failures_are_ranked_by_what_they_share_and_it_is_said() {
    let at = |file: &str, function: &str| {
        let (file, function) = (Some(file.to_owned()), Some(function.to_owned()));
        Some(SourceLocation { file, line: Some(99), function })
    };
    let (other, location) = ("another".to_owned(), "same location");
    let cases = [
        (told_failure(), 12, vec!["same error type", "same cause", location, "same test"]),
        (
            TestFailure {
                error_message: ALIKE.to_owned(),
                test_name: other.clone(),
                ..told_failure()
            },
            10,
            vec!["same error type", "same cause", location],
        ),
        (
            TestFailure { source_location: at("src/auth.ts", "other"), ..told_failure() },
            10,
            vec!["same error type", "same cause", "same file", "same test"],
        ),
        (
            TestFailure {
                error_message: other.clone(),
                test_name: other.clone(),
                error_type: ErrorType::Other,
                ..told_failure()
            },
            3,
            vec![location],
        ),
        (
            TestFailure { error_message: other.clone(), source_location: None, ..told_failure() },
            4,
            vec!["same error type", "same test"],
        ),
        // The same kind of error alone is no likeness.
        (
            TestFailure {
                error_message: other.clone(),
                test_name: other,
                source_location: at("src/b.ts", "validate"),
                ..told_failure()
            },
            2,
            vec!["same error type"],
        ),
    ];
    let mut told = Told::new();
    for (id, (failure, _, _)) in (0..).zip(&cases) {
        told.open(id, "x");
        told.attempt(id, 1, vec![failure.clone()]);
    }
    let found = told.stores().debug().similar(&[asked()], None, 10).unwrap();
    // Of one score those changed last first.
    let ranked = [0_u8, 2, 1, 4, 3];
    assert_eq!(ids(&found), ranked.map(session));
    for (found, id) in found.iter().zip(ranked) {
        let (failure, score, reasons) = &cases[usize::from(id)];
        assert_eq!((found.score(), &found.likeness.reasons()), (*score, reasons));
        assert_eq!(&found.failure, failure);
    }
    assert_eq!(found[0].score(), SCORE_MAX);
}

#[test]
fn the_session_itself_is_left_out_and_no_more_are_told_than_asked_for() {
    let mut told = Told::new();
    for id in 0..4 {
        told.open(id, "x");
        told.attempt(id, 1, vec![told_failure()]);
    }
    let stores = told.stores();
    let similar =
        |asked: &[_], limit| ids(&stores.debug().similar(asked, Some(session(3)), limit).unwrap());
    assert_eq!(similar(&[asked()], 2), [session(2), session(1)]);
    assert_eq!(similar(&[], 2), []);
    assert_eq!(similar(&[SimilarAsked::default()], 2), []);
    // Which of those asked about it is like is said.
    let both = [SimilarAsked::default(), asked()];
    assert_eq!(stores.debug().similar(&both, None, 1).unwrap()[0].asked, 1);
}

#[test]
fn what_helped_is_told_where_something_did() {
    let mut told = Told::new();
    for id in 0..4 {
        told.open(id, "x");
        told.attempt(id, 1, vec![told_failure()]);
        told.analyse(id, 1, DebugAuthor::Caller, "length is read before the check");
        told.fix(id, 1, None);
    }
    // A fix that was verified; one that failed before one that passed; a session that passed.
    told.verify(1, 1, Verification::Passed);
    told.verify(2, 1, Verification::Failed);
    told.attempt(2, 2, vec![told_failure()]);
    told.fix(2, 2, None);
    told.verify(2, 2, Verification::Passed);
    told.attempt(3, 2, Vec::new());
    told.close(3, DebugStatus::Passed);
    let found = told.stores().debug().similar(&[asked()], None, 10).unwrap();
    let told_of = |id: u8| {
        let found = found.iter().find(|found| found.session.id == session(id)).unwrap();
        found.resolution.as_ref().map(|resolution| {
            assert!(resolution.analysis.is_some(), "{id}");
            resolution.fix.clone().unwrap().description
        })
    };
    assert_eq!(told_of(0), None);
    assert_eq!(told_of(1).as_deref(), Some("what helped after attempt 1"));
    assert_eq!(told_of(2).as_deref(), Some("what helped after attempt 2"));
    assert_eq!(told_of(3).as_deref(), Some("what helped after attempt 1"));
}

#[test]
fn a_message_is_compared_without_what_differs_from_run_to_run() {
    let long = format!("{} 1", "x".repeat(300));
    for (message, normal) in [
        ("", ""),
        ("  \n\t ", ""),
        ("Expected 12 to equal 13.5", "expected # to equal #.#"),
        ("at 0x7ffe_no", "at #x#ffe_no"),
        ("at 0x7FFE01, id 9f86d081-884c-7d65-9a2f-eaa0c55ad015", "at #, id #"),
        ("commit 9f86d081884c7d65 is deadbeef", "commit # is deadbeef"),
        ("no such file: '/home/me/x/auth.ts:15'", "no such file: 'auth.ts:#'"),
        (r"C:\src\a.rs failed", "c:a.rs failed"),
        ("a / b", "a / b"),
        ("line one\r\n  line\u{0}two", "line one line two"),
        ("GRÖSSE", "grösse"),
        (&long, &"x".repeat(200)),
    ] {
        assert_eq!(normalised_message(message), normal, "{message:?}");
    }
    // As often as one likes.
    let once = normalised_message(MESSAGE);
    assert_eq!(once, normalised_message(&MESSAGE.replace("0x7ffe01", " 0x55")));
}

#[test]
fn an_exception_is_the_same_whatever_it_names_and_an_assertion_only_in_its_test() {
    use ErrorType::{AssertionError, ReferenceError};
    let met = |error_type, test: &str, message: &str| TestFailure {
        test_name: test.to_owned(),
        ..failure(error_type, message, test)
    };
    let (wrong, sum) = ("NameError: name 'factroy' is not defined", "assert 1 == 2");
    let cases = [
        (met(ReferenceError, "a", wrong), "NameError: name 'dta' is not defined", true),
        (met(ReferenceError, "b", wrong), "NameError: name 'dta' is not known", false),
        (met(AssertionError, "c", sum), "assert 3 == 4", false),
    ];
    for (before, message, is_same) in cases {
        let mut told = Told::new();
        told.open(0, "x");
        told.attempt(0, 1, vec![before.clone()]);
        for test in ["elsewhere", before.test_name.as_str()] {
            let asked = SimilarAsked::from(&met(before.error_type, test, message));
            let found = told.stores().debug().similar(&[asked], None, 1).unwrap();
            let has_cause = found.first().is_some_and(|it| it.likeness.cause);
            // An assertion of the same test is, with other numbers too.
            let is_own = test == before.test_name && before.error_type == AssertionError;
            assert_eq!(has_cause, is_same || is_own, "{message} in {test}");
        }
    }
}
