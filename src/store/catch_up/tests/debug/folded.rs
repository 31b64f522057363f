//! What events make of a document.

use super::super::history::NOW_MS;
use super::history::session;
use super::told::{Told, failure, template};
use crate::event::*;
use crate::store::StoreName;

const LONG: &str = "length is read before the check";

fn some_failure() -> Vec<TestFailure> {
    vec![failure(ErrorType::TypeError, "Cannot read 'length' of null", "src/a.ts")]
}

/// A session with a failed attempt.
fn failed_once() -> Told {
    let mut told = Told::new();
    told.open(0, "src/a.ts");
    told.attempt(0, 1, some_failure());
    told
}

fn effectiveness(told: &Told, id: u8) -> Option<f64> {
    let learnings = told.document(id).unwrap().learnings.unwrap();
    learnings.patterns_identified.unwrap()[0].effectiveness
}

#[test]
fn a_document_says_when_it_began_and_when_it_was_changed_last() {
    let mut told = failed_once();
    let document = told.document(0).unwrap();
    assert_eq!(document.created_at.as_deref(), Some("2025-12-24T00:00:01.000Z"));
    assert_eq!(document.updated_at.as_deref(), Some("2025-12-24T00:00:02.000Z"));
    assert_eq!(document.executions[0].timestamp, "2025-12-24T00:00:02.000Z");
    assert_eq!(document.status, Some(DebugStatus::InProgress));
    // What changed nothing in it, and a clock that was put back, leave it as it is.
    told.open(1, "b");
    told.at_ms = NOW_MS - 60_000;
    told.fix(0, 1, None);
    let document = told.document(0).unwrap();
    assert_eq!(document.updated_at.as_deref(), Some("2025-12-24T00:00:02.000Z"));
    assert!(document.executions[0].fix_applied.is_some());
    told.at_ms = NOW_MS + 3_599_000;
    told.verify(0, 1, Verification::Failed);
    let document = told.document(0).unwrap();
    assert_eq!(document.updated_at.as_deref(), Some("2025-12-24T01:00:00.000Z"));
}

#[test]
fn what_annals_thinks_never_replaces_what_a_caller_said() {
    let mut told = failed_once();
    let cause = |told: &Told| {
        let executions = told.document(0).unwrap().executions;
        executions[0].analysis.as_ref().unwrap().root_cause.clone()
    };
    for (by, said, stands) in [
        (DebugAuthor::Annals, "annals' first thought on it", "annals' first thought on it"),
        (DebugAuthor::Annals, "annals' second thought on it", "annals' second thought on it"),
        (DebugAuthor::Caller, LONG, LONG),
        (DebugAuthor::Annals, "annals' third thought on it", LONG),
        (DebugAuthor::Caller, "the caller's second thought", "the caller's second thought"),
    ] {
        told.analyse(0, 1, by, said);
        assert_eq!(cause(&told), stands);
    }
    assert!(told.stores().debug().record(session(0)).unwrap().unwrap().is_analysed_by_caller(1));
    let names = |told: &Told| {
        let patterns = told.stores().debug().patterns(session(0)).unwrap();
        patterns.into_iter().map(|pattern| pattern.pattern).collect::<Vec<_>>()
    };
    told.learn(0, DebugAuthor::Annals, "worked out", Some((1, 1)));
    told.learn(0, DebugAuthor::Annals, "also", None);
    assert_eq!(names(&told), ["also", "worked out"]);
    told.learn(0, DebugAuthor::Caller, "told", None);
    told.learn(0, DebugAuthor::Caller, "told too", None);
    told.learn(0, DebugAuthor::Annals, "worked out since", None);
    assert_eq!(names(&told), ["also", "told", "told too", "worked out"]);
    // One of the same name is the caller's, and what was counted of another template is no count of it.
    told.learn_template(0, DebugAuthor::Caller, "worked out", "Do otherwise", None);
    let patterns = told.stores().debug().patterns(session(0)).unwrap();
    assert_eq!(patterns[3].fix_template.as_deref(), Some("Do otherwise"));
    assert_eq!((patterns[3].tally, patterns.len()), (None, 4));
    assert_eq!(told.anomalies(), [""; 0]);
}

#[test]
fn effectiveness_is_what_was_counted() {
    let mut told = failed_once();
    told.learn(0, DebugAuthor::Annals, "null access", Some((1, 1)));
    let of = template(0, "null access");
    assert_eq!(effectiveness(&told, 0), Some(1.0));
    told.open(1, "b");
    told.attempt(1, 1, some_failure());
    told.fix(1, 1, Some(of.clone()));
    let before = told.document(1).unwrap();
    let at_ms = told.try_template(1, 1, &of, false);
    assert_eq!(effectiveness(&told, 0), Some(0.5));
    // Of one fix the last verdict counts, once.
    for (worked, share) in [(false, 0.5), (true, 1.0), (true, 1.0), (false, 0.5)] {
        told.try_template(1, 1, &of, worked);
        assert_eq!(effectiveness(&told, 0), Some(share));
    }
    told.try_template(1, 2, &of, false);
    assert_eq!(effectiveness(&told, 0), Some(0.333_333));
    // The template's session is changed by it, the one where it was tried is not.
    assert_eq!(
        told.stores().debug().session(session(0)).unwrap().unwrap().updated_ms,
        at_ms + 5_000
    );
    assert_eq!(told.document(1).unwrap(), before);
    // Learnt again with a count, it is that count; a count that cannot be is one that can.
    told.learn(0, DebugAuthor::Annals, "null access", Some((9, 3)));
    assert_eq!(effectiveness(&told, 0), Some(1.0));
    // Told without a count, it is as it was seen.
    told.import(
        2,
        r#"{"session_id":"x","file_path":"a","executions":[],"learnings":{"patterns_identified":
           [{"pattern":"p","frequency":4,"effectiveness":0.75}]}}"#,
    );
    told.try_template(2, 1, &template(2, "p"), true);
    assert_eq!(effectiveness(&told, 2), Some(0.8));
    assert_eq!(told.stores().debug().patterns(session(2)).unwrap()[0].tally, Some((4, 5)));
    assert_eq!(told.anomalies(), [""; 0]);
}

#[test]
fn what_cannot_be_is_an_anomaly_and_changes_nothing() {
    type Tell = fn(&mut Told);
    let cases: [(Tell, &str); 12] = [
        (
            |it| {
                it.attempt(1, 1, Vec::new());
            },
            "no event before tells",
        ),
        (
            |it| {
                it.close(1, DebugStatus::Passed);
            },
            "no event before tells",
        ),
        (
            |it| {
                it.expire(1);
            },
            "no event before tells",
        ),
        (
            |it| {
                it.open(0, "b");
            },
            "was opened before",
        ),
        (
            |it| {
                it.attempt(0, 1, Vec::new());
            },
            "was told; that counts",
        ),
        (
            |it| {
                it.attempt(0, 0, Vec::new());
            },
            "none of number 0",
        ),
        (
            |it| {
                it.analyse(0, 2, DebugAuthor::Caller, LONG);
            },
            "has no attempt 2",
        ),
        (
            |it| {
                it.fix(0, 2, None);
            },
            "has no attempt 2",
        ),
        (
            |it| {
                it.verify(0, 1, Verification::Passed);
            },
            "has no fix to verify",
        ),
        (
            |it| {
                it.try_template(0, 1, &template(0, "p"), true);
            },
            "learnt no \"p\"",
        ),
        (
            |it| {
                it.import(0, r#"{"session_id":"x"}"#);
            },
            "missing field",
        ),
        (
            |it| {
                let attempt = r#"{"attempt":0,"timestamp":"x","code_hash":"x","test_results":
                    {"total":0,"passed":0,"failed":0}}"#;
                let document =
                    format!(r#"{{"session_id":"x","file_path":"a","executions":[{attempt}]}}"#);
                it.import(0, &document);
            },
            "has the number 0",
        ),
    ];
    let mut told = failed_once();
    let before = told.document(0).unwrap();
    for (tell, _) in &cases {
        tell(&mut told);
    }
    let anomalies = told.anomalies();
    assert_eq!(anomalies.len(), cases.len(), "{anomalies:#?}");
    for (anomaly, (_, why)) in anomalies.iter().zip(cases) {
        assert!(anomaly.contains(why), "{anomaly}\n{why}");
    }
    assert_eq!(told.document(0).unwrap(), before);
    assert_eq!(told.document(1), None);
}

#[test]
fn what_expired_is_gone_and_nothing_more_is_told_of_it() {
    let mut told = failed_once();
    told.learn(0, DebugAuthor::Annals, "null access", Some((1, 1)));
    told.open(1, "src/a.ts");
    told.expire(0);
    let name = format!("{}.json", session(0));
    let there = |told: &Told, folder: &str| {
        told.stores();
        told.places().path(StoreName::DEBUG_MEMORY).join(folder).join(&name).exists()
    };
    assert_eq!(told.document(0), None);
    assert!(!there(&told, "") && !there(&told, "effectiveness"));
    assert!(told.stores().debug().is_expired(session(0)).unwrap());
    told.attempt(0, 2, Vec::new());
    told.open(0, "src/a.ts");
    told.try_template(1, 1, &template(0, "null access"), true);
    assert_eq!(told.document(0), None);
    let anomalies = told.anomalies();
    assert_eq!(anomalies.len(), 3, "{anomalies:?}");
    assert!(anomalies.iter().all(|anomaly| anomaly.ends_with("has expired")), "{anomalies:?}");
    let stores = told.stores();
    assert_eq!(stores.debug().find_similar_failures(ErrorType::TypeError, "%").unwrap(), []);
    assert_eq!(stores.debug().get_fix_templates("null_undefined_access", 9).unwrap(), []);
    let cause = crate::debug::query::cause_of(&some_failure()[0]).key();
    assert_eq!(stores.debug().sessions_with(&cause).unwrap(), 0);
    let events = stores.debug().events(session(0)).unwrap();
    assert_eq!(events, Some((Sequence(1), Sequence(7))));
    // What comes from elsewhere is there again.
    told.import(0, r#"{"session_id":"x","file_path":"a","executions":[]}"#);
    assert!(told.document(0).is_some() && there(&told, ""));
    assert!(!told.stores().debug().is_expired(session(0)).unwrap());
}

#[test]
fn an_imported_document_is_as_it_came_but_for_what_is_empty() {
    let mut told = Told::new();
    let at_ms = told.import(
        0,
        r#"{"session_id":"dm-001-example","file_path":"src/a.ts","more":1,"metadata":{},
            "executions":[{"attempt":1,"timestamp":"2026-01-25T15:00:00Z","code_hash":"abc123",
            "environment":{},"test_results":{"total":1,"passed":0,"failed":1,"coverage_percent":75},
            "failures":[{"test_name":"t","error_type":"TypeError","error_message":"m",
            "source_location":{}}]}],"learnings":{"recommendations":[]}}"#,
    );
    let document = told.document(0).unwrap();
    assert_eq!(document.session_id, session(0).to_string());
    assert_eq!(document.created_at, None);
    assert_eq!(document.updated_at, Some(debug_time(at_ms)));
    assert_eq!((&document.learnings, &document.metadata), (&None, &None));
    let execution = &document.executions[0];
    assert_eq!(execution.timestamp, "2026-01-25T15:00:00Z");
    assert_eq!(execution.environment, None);
    assert_eq!(execution.failures.as_ref().unwrap()[0].source_location, None);
    let found = told.stores().debug().session(session(0)).unwrap().unwrap();
    assert_eq!(found.created_ms, debug_ms("2026-01-25T15:00:00Z").unwrap());
    assert_eq!(found.native_id.as_deref(), Some("dm-0"));
    // Come again, it is another document in the same place.
    told.import(0, r#"{"session_id":"x","file_path":"b","executions":[]}"#);
    let again = told.stores().debug().session(session(0)).unwrap().unwrap();
    assert_eq!((again.first, again.file_path.as_str()), (found.first, "b"));
}

#[test]
fn a_document_takes_no_more_than_a_store_can_hold() {
    let mut told = Told::new();
    told.open(0, "a");
    for attempt in 1..=3 {
        let mut failures = some_failure();
        failures[0].error_message = "x".repeat(7 << 20);
        told.attempt(0, attempt, failures);
    }
    told.close(0, DebugStatus::Escalated);
    let document = told.document(0).unwrap();
    assert_eq!(document.executions.len(), 2);
    assert_eq!(document.status, Some(DebugStatus::Escalated));
    let anomalies = told.anomalies();
    assert!(anomalies[0].contains("more are not taken"), "{anomalies:?}");
    assert_eq!(anomalies.len(), 1);
}
