//! What cannot be is refused with its field, and nothing is recorded; what a test printed is cut.

use super::super::limits::{
    FAILURES_MAX, MESSAGE_BYTES_MAX, NAME_BYTES_MAX, SNAPSHOT_BYTES_MAX, STACK_BYTES_MAX,
};
use super::super::{LearnGiven, OpenGiven, given_json};
use super::*;
use crate::event::{
    DebugEnvironment, ErrorPattern, Json, Learnings, SimilarIssue, TemplateRef, TemplateTally,
};
use crate::fault::{Class, Fault, Listing, Remedy};

fn field<T: std::fmt::Debug>(told: Result<T, DebugError>) -> String {
    match told {
        Err(error @ DebugError::NoTemplate { .. }) => {
            assert_eq!(error.sorted(), (Class::Argument, Some(Remedy::List(Listing::Templates))));
            error.to_string().split(' ').next().unwrap().to_owned()
        }
        Err(error @ DebugError::Field { .. }) => {
            assert!(error.is_refusal());
            let DebugError::Field { field, .. } = error else { unreachable!() };
            field
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn bad_input_is_refused_with_the_field_named() {
    let (_dir, project) = project("");
    let known = attempt(&project, "a", failing("1", &[failure("t", "a")])).done.session;
    let before = bodies(&project).len();
    let long = |count: usize| "x".repeat(count);

    let open = |given: OpenGiven| field(work(&project, |it| it.open(given)));
    for bad in ["", " ", "two\nlines", &long(5_000)] {
        assert_eq!(open(file(bad)), "file_path", "{bad:?}");
    }
    assert_eq!(open(OpenGiven { attempts_max: Some(0), ..file("a") }), "attempts_max");
    assert_eq!(open(OpenGiven { agent: Some(long(300)), ..file("a") }), "agent");
    assert_eq!(open(OpenGiven { task_id: Some(String::new()), ..file("a") }), "task_id");
    assert_eq!(open(OpenGiven { ralph_iteration: Some(i64::MIN), ..file("a") }), "ralph_iteration");
    let again = OpenGiven { session: Some(known), ..file("a") };
    let exists = work(&project, |it| it.open(again)).unwrap_err();
    assert!(matches!(exists, DebugError::Exists { .. }));

    let attempted = |given: AttemptGiven| field(work(&project, |it| it.attempt(known, given)));
    for bad in ["", "a\nb", &long(257), "ghp_Zx9Kq2LmN4pR7sT1vW3yB6cD8fG0hJ5kQw2E"] {
        assert_eq!(attempted(passing(bad)), "code_hash", "{bad:?}");
    }
    let code = Some(vec![b'x'; SNAPSHOT_BYTES_MAX + 1]);
    assert_eq!(attempted(AttemptGiven { code_snapshot: code, ..passing("1") }), "code_snapshot");
    let of = |results: TestResults| AttemptGiven { results, ..passing("1") };
    let results = |passed, failed| TestResults { total: 3, passed, failed, ..Default::default() };
    assert_eq!(attempted(of(results(2, 2))), "test_results.total");
    let large = TestResults { total: u64::MAX, ..results(0, 0) };
    assert_eq!(attempted(of(large)), "test_results.total");
    let contradicted =
        AttemptGiven { results: results(3, 0), ..failing("1", &[failure("t", "a")]) };
    assert_eq!(attempted(contradicted), "test_results.failed");
    for bad in [-1.0, 100.5, f64::NAN, f64::INFINITY] {
        let coverage = TestResults { coverage_percent: Some(bad), ..results(1, 0) };
        assert_eq!(attempted(of(coverage)), "test_results.coverage_percent");
    }
    for bad in ["[1]", "{", "7"] {
        let additional = Some(Json(bad.to_owned()));
        let environment = Some(DebugEnvironment { additional, ..Default::default() });
        let given = AttemptGiven { environment, ..passing("1") };
        assert_eq!(attempted(given), "environment.additional");
    }
    assert_eq!(attempted(failing("1", &[failure(" ", "a")])), "failures[0].test_name");

    let analysed = |it: Analysis| field(work(&project, |w| w.analyse(known, None, it)));
    let short = "nineteen characters".to_owned();
    assert_eq!(short.chars().count(), 19);
    assert_eq!(analysed(Analysis { root_cause: short.clone(), ..analysis() }), "root_cause");
    assert_eq!(analysed(Analysis { fix_strategy: short, ..analysis() }), "fix_strategy");
    assert_eq!(analysed(Analysis { confidence: Some(1.1), ..analysis() }), "confidence");
    let issues = Some(vec![SimilarIssue::default()]);
    let told = Analysis { similar_past_issues: issues, ..analysis() };
    assert_eq!(analysed(told), "similar_past_issues[0]");
    let related = Some(vec!["t".to_owned(); 201]);
    assert_eq!(analysed(Analysis { related_failures: related, ..analysis() }), "related_failures");

    let fixed = |it: FixGiven| field(work(&project, |w| w.fix(known, None, it)));
    assert_eq!(fixed(fix("  ")), "description");
    let nowhere = TemplateRef { session: known, pattern: "none".to_owned() };
    assert_eq!(fixed(FixGiven { template: Some(nowhere), ..fix("f") }), "template");
    let mut diff = fix("f");
    diff.fix.diff = Some(long(100_000));
    assert_eq!(fixed(diff), "diff");

    let learnt = |it: LearnGiven| field(work(&project, |w| w.learn(known, it)));
    assert_eq!(learnt(LearnGiven::default()), "learnings");
    let pattern = |frequency, effectiveness| ErrorPattern {
        pattern: "p".to_owned(),
        category: None,
        frequency,
        fix_template: None,
        effectiveness,
    };
    let one = |pattern, tallies| LearnGiven {
        learnings: Learnings { patterns_identified: Some(vec![pattern]), ..Default::default() },
        tallies,
    };
    let at = "patterns_identified[0]";
    assert_eq!(learnt(one(pattern(0, None), vec![])), format!("{at}.frequency"));
    assert_eq!(learnt(one(pattern(1, Some(2.0)), vec![])), format!("{at}.effectiveness"));
    let tally = |pattern: &str, successes| TemplateTally {
        pattern: pattern.to_owned(),
        successes,
        trials: 1,
    };
    assert_eq!(learnt(one(pattern(1, None), vec![tally("p", 2)])), "tallies[0]");
    assert_eq!(learnt(one(pattern(1, None), vec![tally("q", 1)])), "tallies[0]");

    let nobody = DebugSessionId::parse("019a0000-0000-7000-8000-000000000001").unwrap();
    let unknown = work(&project, |it| it.attempt(nobody, passing("1"))).unwrap_err();
    assert!(matches!(unknown, DebugError::NoSession { .. }));
    let none = work(&project, |it| it.analyse(known, Some(2), analysis())).unwrap_err();
    assert!(matches!(none, DebugError::NoAttempt { attempt: 2, .. }));
    let empty = work(&project, |it| {
        assert_eq!(bodies(&project).len(), before);
        let session = it.open(file("b")).unwrap().session;
        it.fix(session, None, fix("f")).unwrap_err()
    });
    assert!(matches!(empty, DebugError::NoAttempts { .. }));
}

#[test]
fn what_a_test_printed_is_cut_and_says_so() {
    let (_dir, project) = project("");
    let secret = "ghp_Zx9Kq2LmN4pR7sT1vW3yB6cD8fG0hJ5kQw2E";
    let mut large = failure("ä".repeat(1_000).as_str(), "a");
    // The bound lies inside of the secret.
    let before = "m ".repeat(MESSAGE_BYTES_MAX / 2 - 20);
    large.error_message = format!("{before}{secret} {}", "n".repeat(1 << 20));
    large.stack_trace = Some("at f (\u{1b}[31mx) ".repeat(100_000));
    large.expected = Some("é".repeat(1 << 20));
    large.actual = Some(String::new());
    let mut many = vec![failure("t", "a"); 5_000];
    many[0] = large;
    let done = attempt(&project, "a", failing("1", &many));
    assert_eq!(done.left_out, 4_800);
    let done = done.done;
    let execution = &document(&project, done.session).executions[0];
    assert_eq!(execution.test_results.failed, 5_000);
    let failures = execution.failures.as_ref().unwrap();
    assert_eq!(failures.len(), FAILURES_MAX);
    let cut = &failures[0];
    for (text, bytes_max) in [
        (&cut.test_name, NAME_BYTES_MAX),
        (&cut.error_message, MESSAGE_BYTES_MAX),
        (cut.stack_trace.as_ref().unwrap(), STACK_BYTES_MAX),
        (cut.expected.as_ref().unwrap(), 4 << 10),
    ] {
        assert!(text.len() <= bytes_max && text.ends_with(" bytes more"), "{}", text.len());
    }
    assert!(!cut.error_message.contains("ghp_"));
    assert_eq!(cut.actual, None);
    // Many large ones are bounded together.
    let mut each = failure("t", "a");
    each.stack_trace = Some("s".repeat(STACK_BYTES_MAX));
    let second = attempt(&project, "a", failing("2", &vec![each; FAILURES_MAX])).done;
    let kept = second.document.executions[1].failures.as_ref().unwrap().len();
    assert!((50..70).contains(&kept), "{kept}");
}

#[test]
fn a_document_that_is_full_is_told_of() {
    let (_dir, project) = project("[debug]\nattempts_max = 99\n");
    let code = || AttemptGiven {
        code_snapshot: Some(vec![b'x'; SNAPSHOT_BYTES_MAX]),
        ..failing("1", &[failure("t", "a")])
    };
    let session = attempt(&project, "a", code()).done.session;
    (0..3).for_each(|_| drop(attempt(&project, "a", code())));
    let snapshots: Vec<bool> = document(&project, session)
        .executions
        .iter()
        .map(|execution| execution.code_snapshot.is_some())
        .collect();
    assert_eq!(snapshots, [true, true, true, false]);
    let mut each = failure("t", "a");
    each.error_message = "m".repeat(MESSAGE_BYTES_MAX);
    let full = work(&project, |it| it.attempt(session, failing("2", &vec![each; FAILURES_MAX])));
    let full = full.unwrap_err();
    assert!(matches!(full, DebugError::Full { .. }) && full.is_refusal());
    assert_eq!(attempt(&project, "a", passing("3")).status, DebugStatus::Passed);
}

#[test]
fn a_fix_after_the_end_is_refused() {
    let (_dir, project) = project("");
    let session = attempt(&project, "a", failing("1", &[failure("t", "a")])).done.session;
    attempt(&project, "a", passing("2"));
    let refused = work(&project, |it| it.fix(session, Some(1), fix("too late"))).unwrap_err();
    assert!(matches!(refused, DebugError::Final { .. }));
    assert_eq!(refused.sorted().1, Some(Remedy::OpenDebug("a".into())), "{refused}");
}

#[test]
fn what_is_given_as_json_is_of_the_schemas_shape_and_nothing_of_it_is_lost() {
    let good = r#"{"test_name": "t", "error_type": "TypeError", "error_message": "m"}"#;
    let read = |text: &str| given_json::<TestFailure>("failures", text);
    assert_eq!(read(good).unwrap().test_name, "t");
    let of = |member: &str| good.replacen('{', &format!("{{{member}, "), 1);
    for (text, why) in [
        (r#"["t", null, null, "TypeError", "m"]"#.to_owned(), "must be an object at /0"),
        (of(r#""mood": 1"#), "/mood"),
        (of(r#""source_location": {"file": "a", "col": 3}"#), "/source_location/col"),
        (of(r#""source_location": ["a", 3]"#), "must be an object at /source_location"),
        (of(r#""test_name": "u""#), "is there twice"),
        (good.replace("test_name", "name"), "/name"),
        ("{".to_owned(), "schema"),
    ] {
        let error = read(&text).unwrap_err();
        assert!(error.to_string().contains(why), "{text}: {error}");
        assert!(matches!(error, DebugError::Field { field, .. } if field == "failures"));
    }
    let list = given_json::<Vec<TestFailure>>("failures", &format!("[{good}, {good}]")).unwrap();
    assert_eq!(list.len(), 2);
    let environment = r#"{"os": "linux", "additional": {"any": [1.50]}}"#;
    given_json::<DebugEnvironment>("environment", environment).unwrap();
    let issues = r#"{"root_cause": "r", "fix_strategy": "s", "similar_past_issues": [["a"]]}"#;
    assert!(given_json::<Analysis>("analysis", issues).is_err());
}
