//! What is asked of debug memory, and what it answers.

use super::history::session;
use super::told::{Told, failure, template};
use crate::debug::query::{DebugFilter, DebugSession, RetentionRules, SimilarAsked};
use crate::event::*;
use crate::execution::query::QueryError;

const DAY_MS: u64 = 86_400_000;

fn ids(found: &[DebugSession]) -> Vec<u8> {
    found.iter().map(|found| (0..=u8::MAX).find(|id| session(*id) == found.id).unwrap()).collect()
}

/// Twelve sessions that failed in files of their own, the last changed first.
fn twelve() -> Told {
    let mut told = Told::new();
    for id in 0..12 {
        told.open(id, &format!("src/part{id}/a.ts"));
    }
    for id in (0..12).rev() {
        let kind = [ErrorType::TypeError, ErrorType::Other][usize::from(id % 2)];
        let place = format!("src/part{id}/a.ts");
        told.attempt(id, 1, vec![failure(kind, "Cannot read 'length' of null", &place)]);
    }
    told
}

#[test]
fn similar_failures_are_found_by_type_and_file_the_newest_ten() {
    let mut told = twelve();
    // More files of one session than are asked one by one.
    let many = (0..300).map(|n| failure(ErrorType::TimeoutError, "slow", &format!("lib/{n}.rs")));
    told.open(20, "lib");
    told.attempt(20, 1, many.collect());
    told.open(21, "lib");
    told.attempt(21, 1, vec![failure(ErrorType::TimeoutError, "slow", "lib/7.rs")]);
    told.open(22, "lib");
    let nowhere = failure(ErrorType::ValidationError, "none", "");
    told.attempt(22, 1, vec![TestFailure { source_location: None, ..nowhere }]);
    let stores = told.stores();
    let find =
        |kind, pattern: &str| ids(&stores.debug().find_similar_failures(kind, pattern).unwrap());
    assert_eq!(find(ErrorType::TypeError, "%"), [0, 2, 4, 6, 8, 10]);
    assert_eq!(find(ErrorType::TypeError, "src/part1%"), [10]);
    assert_eq!(find(ErrorType::Other, "src/part_/a.ts"), [1, 3, 5, 7, 9]);
    assert_eq!(find(ErrorType::Other, "SRC/PART3/A.TS"), [3]);
    assert_eq!(find(ErrorType::Other, "src/part3"), [0_u8; 0]);
    assert_eq!(find(ErrorType::NetworkError, "%"), [0_u8; 0]);
    assert_eq!(find(ErrorType::TimeoutError, "%"), [21, 20]);
    assert_eq!(find(ErrorType::ValidationError, "%"), [22], "any file, and none");
    assert_eq!(find(ErrorType::ValidationError, "%_"), [0_u8; 0]);
    assert_eq!(find(ErrorType::TimeoutError, "%7.rs"), [21, 20]);
    assert_eq!(find(ErrorType::TimeoutError, "%/8.rs"), [20]);
}

#[test]
fn no_more_than_ten_are_similar() {
    let mut told = Told::new();
    for id in 0..12 {
        told.open(id, "a");
        told.attempt(id, 1, vec![failure(ErrorType::TypeError, "m", "src/a.ts")]);
    }
    let found = told.stores().debug().find_similar_failures(ErrorType::TypeError, "%").unwrap();
    assert_eq!(ids(&found), (2..12).rev().collect::<Vec<_>>());
}

#[test]
fn templates_are_offered_that_helped_in_more_than_seven_of_ten_trials() {
    let mut told = Told::new();
    for (id, counted) in
        [(7, 10), (8, 10), (71, 100), (0, 0), (1, 1), (9, 10)].into_iter().enumerate()
    {
        let id = u8::try_from(id).unwrap();
        told.open(id, "a");
        told.learn(id, DebugAuthor::Annals, "null access", Some(counted));
    }
    let stores = told.stores();
    let found = stores.debug().get_fix_templates("null_undefined_access", 10).unwrap();
    let tallies: Vec<_> = found.iter().map(|template| template.tally.unwrap()).collect();
    assert_eq!(tallies, [(71, 100), (9, 10), (8, 10), (1, 1)]);
    assert_eq!(found[1].template_ref(), template(5, "null access"));
    assert_eq!(found[1].fix_template.as_deref(), Some("Add a null check"));
    assert_eq!(stores.debug().get_fix_templates("null_undefined_access", 2).unwrap(), found[..2]);
    assert_eq!(stores.debug().get_fix_templates("logic_error", 10).unwrap(), []);
    assert_eq!(stores.debug().patterns(session(0)).unwrap()[0].effectiveness, Some(0.7));
    assert_eq!(stores.debug().patterns(session(3)).unwrap()[0].effectiveness, None);
}

#[test]
fn escalations_after_a_time_are_told_the_newest_first() {
    let mut told = Told::new();
    for id in 0..3 {
        told.open(id, "a");
    }
    let first = told.close(0, DebugStatus::Escalated);
    told.close(1, DebugStatus::Escalated);
    told.close(2, DebugStatus::Escalated);
    told.close(1, DebugStatus::Passed);
    let stores = told.stores();
    let since = |ms| ids(&stores.debug().recent_escalations(ms, 10).unwrap());
    assert_eq!(since(first - 1), [2, 0]);
    // After it, not at it.
    assert_eq!(since(first), [2]);
    assert_eq!(ids(&stores.debug().recent_escalations(0, 1).unwrap()), [2]);
}

#[test]
fn a_session_is_named_by_its_id_a_beginning_of_it_or_as_the_last() {
    let mut told = Told::new();
    for id in 0..2 {
        told.open(id, "a");
    }
    // What says that it was changed later was not worked on later.
    let later = r#""updated_at":"2099-01-01T00:00:00.000Z""#;
    let document = format!(r#"{{"session_id":"dm-9","file_path":"a",{later},"executions":[]}}"#);
    told.import(9, &document);
    told.close(0, DebugStatus::Failed);
    let stores = told.stores();
    let resolve = |text: &str| stores.debug().resolve(text);
    let id = session(1).to_string();
    for text in [id.clone(), id.to_uppercase(), id[..13].to_owned()] {
        assert_eq!(resolve(&text).unwrap(), session(1), "{text}");
    }
    assert_eq!(resolve("last").unwrap(), session(0));
    assert_eq!(resolve("dm-9").unwrap(), session(9));
    assert!(matches!(resolve(&id[..8]), Err(QueryError::Ambiguous { .. })));
    for text in ["", "abc", "ffffffff", "dm-8", "%", "last "] {
        let error = resolve(text).unwrap_err();
        assert!(matches!(error, QueryError::NoDebugSession { .. }), "{text}: {error}");
    }
}

#[test]
fn attempts_go_on_with_the_newest_session_that_is_open() {
    let mut told = Told::new();
    for id in 0..4 {
        told.open(id, "src/a.ts");
    }
    told.close(1, DebugStatus::Escalated);
    told.close(2, DebugStatus::Passed);
    told.close(3, DebugStatus::Failed);
    let newest = |told: &Told, file| {
        let found = told.stores().debug().newest_open(file).unwrap();
        ids(&found.into_iter().collect::<Vec<_>>())
    };
    assert_eq!(newest(&told, "src/a.ts"), [1]);
    assert_eq!(newest(&told, "src/b.ts"), [0_u8; 0]);
    told.close(1, DebugStatus::Passed);
    assert_eq!(newest(&told, "src/a.ts"), [0]);
}

#[test]
fn lists_are_narrowed_by_each_of_the_indexed_fields() {
    let mut told = twelve();
    told.analyse(3, 1, DebugAuthor::Caller, "it is read before it is checked");
    told.learn(4, DebugAuthor::Caller, "null access", None);
    let closed = told.close(5, DebugStatus::Failed);
    let stores = told.stores();
    let list = |filter: DebugFilter| ids(&stores.debug().list(&filter).unwrap());
    let all = DebugFilter::default;
    let newest = [5, 4, 3, 0, 1, 2, 6, 7, 8, 9, 10, 11];
    assert_eq!(list(all()), newest);
    assert_eq!(list(DebugFilter { limit: 2, skip: 1, ..all() }), newest[1..3]);
    let status = Some(DebugStatus::Failed);
    assert_eq!(list(DebugFilter { status, ..all() }), [5]);
    let file_path = Some("src/part7/a.ts".to_owned());
    assert_eq!(list(DebugFilter { file_path, ..all() }), [7]);
    let error_type = Some(ErrorType::TypeError);
    assert_eq!(list(DebugFilter { error_type, ..all() }), [4, 0, 2, 6, 8, 10]);
    let category = Some(RootCause::NullUndefinedAccess);
    assert_eq!(list(DebugFilter { category, ..all() }), [3]);
    let pattern = Some("null access".to_owned());
    assert_eq!(list(DebugFilter { pattern, error_type, ..all() }), [4]);
    assert_eq!(list(DebugFilter { since_ms: Some(closed), ..all() }), [5]);
    let found = &stores.debug().list(&DebugFilter { limit: 1, ..all() }).unwrap()[0];
    assert_eq!((found.attempts, found.attempts_failed, found.patterns), (1, 1, 0));
    assert_eq!(found.updated_ms, closed);
}

#[test]
fn documents_are_due_when_the_longest_time_that_applies_has_passed() {
    let rules = RetentionRules { days: 30, escalated_days: 90, learned_days: 60 };
    let mut told = Told::new();
    for id in 0..4 {
        told.open(id, "a");
    }
    let plain = told.close(0, DebugStatus::Passed);
    let escalated = told.close(1, DebugStatus::Escalated);
    let learned = told.learn(2, DebugAuthor::Annals, "null access", None);
    told.learn(3, DebugAuthor::Annals, "null access", None);
    let both = told.close(3, DebugStatus::Escalated);
    let stores = told.stores();
    let due = |now_ms| stores.debug().due(now_ms, &rules).unwrap();
    let count = |now_ms| due(now_ms).len();
    assert_eq!(count(0), 0);
    for (changed, days, number) in
        [(plain, 30, 1), (learned, 60, 2), (escalated, 90, 3), (both, 90, 4)]
    {
        let at_ms = changed + days * DAY_MS;
        assert_eq!(count(at_ms - 1), number - 1, "{days} days less a millisecond");
        assert_eq!(count(at_ms), number, "{days} days");
        assert!(due(at_ms).iter().any(|due| due.due_ms == at_ms && u64::from(due.days) == days));
    }
    // A rule for some that is shorter than the one for all changes nothing.
    let short = RetentionRules { days: 90, escalated_days: 1, learned_days: 1 };
    assert_eq!(stores.debug().due(plain + 89 * DAY_MS, &short).unwrap(), []);
}

#[test]
fn what_a_session_waits_for_is_told() {
    let mut told = Told::new();
    told.open(0, "a");
    told.learn(0, DebugAuthor::Annals, "null access", Some((1, 1)));
    let of = template(0, "null access");
    told.open(1, "b");
    told.attempt(1, 1, vec![failure(ErrorType::Other, "m", "b")]);
    let pending = |told: &Told| told.stores().debug().pending_fix(session(1)).unwrap();
    let uncounted = |told: &Told| {
        let record = told.stores().debug().record(session(1)).unwrap().unwrap();
        record.uncounted_templates()
    };
    assert_eq!(pending(&told), None);
    told.fix(1, 1, Some(of.clone()));
    let fix = pending(&told).unwrap();
    assert_eq!((fix.attempt, fix.template), (1, Some(of.clone())));
    told.verify(1, 1, Verification::Passed);
    assert_eq!(pending(&told), None);
    assert_eq!(uncounted(&told)[0].verification, Some(Verification::Passed));
    told.try_template(1, 1, &of, true);
    assert_eq!(uncounted(&told), []);
}

#[test]
fn every_question_is_answered_along_an_index() {
    let mut told = twelve();
    told.analyse(3, 1, DebugAuthor::Caller, "it is read before it is checked");
    told.learn(4, DebugAuthor::Caller, "null access", None);
    let stores = told.stores();
    let debug = stores.debug();
    let all = DebugFilter::default;
    let error_type = Some(ErrorType::TypeError);
    let category = Some(RootCause::NullUndefinedAccess);
    let (pattern, status) = (Some("null access".to_owned()), Some(DebugStatus::InProgress));
    for filter in [
        all(),
        DebugFilter { status, ..all() },
        DebugFilter { status, error_type, ..all() },
        DebugFilter { category, error_type, ..all() },
        DebugFilter { pattern, category, error_type, ..all() },
        DebugFilter { since_ms: Some(0), ..all() },
    ] {
        debug.list(&filter).unwrap();
    }
    debug.find_similar_failures(ErrorType::TypeError, "%").unwrap();
    debug.get_fix_templates("null_undefined_access", 5).unwrap();
    debug.recent_escalations(0, 5).unwrap();
    let asked = SimilarAsked::from(&failure(ErrorType::TypeError, "Cannot", "src/part1/a.ts"));
    debug.similar(&[asked], None, 5).unwrap();
    debug.resolve(&session(4).to_string()).unwrap();
    debug.newest_open("src/part1/a.ts").unwrap();
    debug.sessions_with(&[0; 16]).unwrap();
    let rules = RetentionRules { days: 1, escalated_days: 1, learned_days: 1 };
    debug.due(u64::MAX >> 1, &rules).unwrap();
    let plans = stores.index.plans().unwrap();
    assert!(plans.len() > 18, "{} statements", plans.len());
    for (sql, plan) in plans {
        for line in &plan {
            let in_order = line == "SCAN s USING INDEX debug_sessions_updated";
            assert!(!line.starts_with("SCAN") || in_order, "{line}\nof {sql}");
            assert!(!line.contains("TEMP B-TREE"), "{line}\nof {sql}");
        }
    }
}
