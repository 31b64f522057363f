//! The timeline against its definition, over histories in any order of time.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::history::{
    NOW_MS, any_history_without_checks, closing, corrected, declared, event, execution_id,
    finished, session_id, started,
};
use super::naive::{Naive, Row};
use super::{caught_up, places};
use crate::event::{
    Body, Closing, Event, ExecutionFinished, ExecutionStarted, Json, Outcome, ReadBy, StepBegun,
    TimelineQueried, tool,
};
use crate::execution::query::{QueryError, Stores};
use crate::grounding::timeline::{MemoryQuery, TimelineEntry, TimelineScope};
use crate::store::feed::memory::MemoryFeed;

/// The key by which two tries are of the same.
fn group(row: &Row) -> Option<(String, Vec<u8>)> {
    let tool = if row.tool == "file_create" { "file_write" } else { row.tool.as_str() };
    Some((tool.to_owned(), row.target_key.clone()?))
}

/// Ruling 10, read off all rows: the newest failure of each group that no later success resolved,
/// and how many there were since; the newest first.
fn pending(rows: &[&Row]) -> Vec<(String, u64)> {
    let mut open: BTreeMap<_, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        let Some(group) = group(row) else { continue };
        match row.outcome.as_deref() {
            Some("failed") => open.entry(group).or_default().push(row),
            Some("ok") => drop(open.remove(&group)),
            _ => {}
        }
    }
    let mut newest: Vec<_> = open.values().map(|rows| (rows[rows.len() - 1], rows.len())).collect();
    newest.sort_by_key(|(row, _)| std::cmp::Reverse(row.at));
    newest.iter().map(|(row, count)| (row.id.clone(), *count as u64)).collect()
}

fn ids(entries: &[TimelineEntry]) -> Vec<String> {
    entries.iter().map(|entry| entry.id.to_string()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(24),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_timeline_is_what_all_rows_say(history in any_history_without_checks(), n in 0..30_usize) {
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path());
        caught_up(&places, &history);
        let naive = Naive::of(&places);
        let stores = Stores::open(&places).unwrap();
        let numbers = |scope: TimelineScope| match scope {
            TimelineScope::Session(id) => stores.session_numbers(&id.to_string()).unwrap(),
            TimelineScope::Project => Vec::new(),
        };
        let sessions = (0..4).map(|number| TimelineScope::Session(session_id(number)));
        for scope in sessions.chain([TimelineScope::Project]) {
            let of = numbers(scope);
            let mine = |row: &&Row| {
                scope == TimelineScope::Project || row.session.is_some_and(|it| of.contains(&it))
            };
            let rows: Vec<&Row> = naive.0.iter().filter(mine).collect();
            let ended: Vec<&Row> =
                rows.iter().copied().filter(|row| row.outcome.is_some()).collect();
            let position = stores.get_timeline_position(scope).unwrap();
            prop_assert_eq!(position.total_executions, ended.len() as u64);
            let last = position.last_execution.map(|entry| entry.id.to_string());
            prop_assert_eq!(last, ended.last().map(|row| row.id.clone()));
            let recent = stores.get_recent_timeline(scope, n).unwrap();
            let expected: Vec<String> = ended.iter().map(|row| row.id.clone()).collect();
            prop_assert_eq!(ids(&recent), &expected[expected.len().saturating_sub(n)..]);
            let found = stores.get_pending_failures(scope).unwrap();
            let found: Vec<_> =
                found.iter().map(|one| (one.execution.id.to_string(), one.failures)).collect();
            prop_assert_eq!(found, pending(&rows));
            for tool in ["lsp_check", "Native"] {
                let text = format!("tool={tool}, success=false, last={n}");
                let query = MemoryQuery::parse(&text).unwrap();
                let answer = stores.memory_query(&query, scope).unwrap();
                let failed = rows.iter().filter(|row| {
                    let named = row.tool == tool || row.native_tool.as_deref() == Some(tool);
                    named && row.outcome.as_deref() == Some("failed")
                });
                let failed: Vec<String> = failed.map(|row| row.id.clone()).collect();
                let from = failed.len().saturating_sub(n);
                prop_assert_eq!(ids(&answer.executions), &failed[from..]);
                prop_assert_eq!(answer.more, from > 0);
            }
            let changes = ended.iter().filter(|row| {
                tool::is_mutation(&row.tool) && row.outcome.as_deref() == Some("ok")
            });
            if position.current_step != changes.count() as u64 {
                prop_assert!(position.current_step > 0, "steps begun count instead");
            }
        }
    }
}

/// A call of `tool` on a command at a time, in a session.
fn tried(number: u8, session: u8, at: u64, tool: &str, outcome: Outcome, said: &str) -> Vec<Event> {
    let start = ExecutionStarted {
        arguments: Json(r#"{"command":"cargo check"}"#.to_owned()),
        paths: Vec::new(),
        ..started(number, tool, None)
    };
    let closing = Closing { error: Some(said.to_owned()), stdout: None, ..closing(outcome) };
    let (execution, tool) = (execution_id(number), tool.to_owned());
    let end = Body::ExecutionFinished(ExecutionFinished { execution, tool, closing });
    [Body::ExecutionStarted(start), end]
        .map(|body| event(NOW_MS + at, Some(session), body))
        .to_vec()
}

fn stores(events: Vec<Vec<Event>>) -> (tempfile::TempDir, Stores) {
    let folder = tempfile::tempdir().unwrap();
    let places = places(folder.path());
    let mut feed = MemoryFeed::new(1);
    events.into_iter().for_each(|commit| feed.commit(commit));
    caught_up(&places, &feed);
    let stores = Stores::open(&places).unwrap();
    (folder, stores)
}

#[test]
fn a_failure_is_pending_as_ruling_10_says() {
    use crate::event::Outcome::{Failed, Interrupted, Ok, Refused};
    let check =
        |number, session, at, outcome| tried(number, session, at, "lsp_check", outcome, "wrong");
    let correction = |number, old, outcome| {
        vec![event(NOW_MS + 90, Some(1), corrected(number, old, "lsp_check", outcome))]
    };
    type Case = (&'static str, Vec<Vec<Event>>, u64, u64);
    let cases: Vec<Case> = vec![
        ("failed", vec![check(1, 1, 1, Failed)], 1, 1),
        ("refused is not failed", vec![check(1, 1, 1, Refused)], 0, 0),
        ("interrupted is not failed", vec![check(1, 1, 1, Interrupted)], 0, 0),
        ("then succeeded", vec![check(1, 1, 1, Failed), check(2, 1, 2, Ok)], 0, 0),
        ("then refused", vec![check(1, 1, 1, Failed), check(2, 1, 2, Refused)], 1, 1),
        (
            "the same check by another tool",
            vec![check(1, 1, 1, Failed), tried(2, 1, 2, "bash_exec", Ok, "")],
            0,
            0,
        ),
        ("succeeded elsewhere", vec![check(1, 1, 1, Failed), check(2, 2, 2, Ok)], 1, 0),
        ("the success is told first", vec![check(2, 1, 2, Ok), check(1, 1, 1, Failed)], 0, 0),
        ("succeeded before", vec![check(1, 1, 5, Failed), check(2, 1, 2, Ok)], 1, 1),
        (
            "between two failures",
            vec![check(1, 1, 1, Failed), check(3, 1, 9, Failed), check(2, 1, 5, Ok)],
            1,
            1,
        ),
        (
            "three, told backwards",
            vec![check(3, 1, 9, Failed), check(2, 1, 5, Failed), check(1, 1, 1, Failed)],
            3,
            3,
        ),
        ("corrected: it had succeeded", vec![check(1, 1, 1, Failed), correction(2, 1, Ok)], 0, 0),
        (
            "the success is corrected: it had failed",
            vec![check(1, 1, 1, Failed), check(2, 1, 2, Ok), correction(3, 2, Failed)],
            2,
            2,
        ),
    ];
    for (name, events, in_session, in_project) in cases {
        let (_folder, stores) = stores(events);
        for (scope, expected) in [
            (TimelineScope::Session(session_id(1)), in_session),
            (TimelineScope::Project, in_project),
        ] {
            let found = stores.get_pending_failures(scope).unwrap();
            let failures: u64 = found.iter().map(|one| one.failures).sum();
            assert_eq!(failures, expected, "{name}, {scope:?}");
        }
    }
}

#[test]
fn a_loop_is_three_failures_in_a_row_that_say_the_same() {
    let said = |texts: &[&str]| {
        let one = |(at, text): (u8, &&str)| {
            tried(at, 1, u64::from(at), "lsp_check", Outcome::Failed, text)
        };
        (1..).zip(texts).map(one).collect::<Vec<_>>()
    };
    let cases: [(&str, &[&str], &[u64]); 5] = [
        ("two", &["a", "a"], &[]),
        ("three", &["a", "a", "a"], &[1, 2, 3]),
        ("only the line moved", &["a.rs:1:2: x", "a.rs:9:2: x", "a.rs:10:1: x"], &[1, 2, 3]),
        ("another in between", &["a", "a", "b", "a"], &[]),
        ("after another", &["b", "a", "a", "a"], &[2, 3, 4]),
    ];
    for (name, texts, expected) in cases {
        for backwards in [false, true] {
            let mut events = said(texts);
            let mut expected = expected.to_vec();
            if backwards {
                events.reverse();
                let count = texts.len() as u64 + 1;
                expected = expected.iter().map(|no| count - no).collect();
            }
            let (_folder, stores) = stores(events);
            let loops = stores.failure_loops(TimelineScope::Session(session_id(1))).unwrap();
            let named: Vec<u64> = loops.iter().flat_map(|one| one.executions.clone()).collect();
            assert_eq!(named, expected, "{name}, backwards: {backwards}");
            assert!(loops.iter().all(|one| one.failures == expected.len() as u64), "{name}");
        }
    }
}

#[test]
fn a_position_counts_steps_begun_else_changes_and_knows_the_last_read() {
    let edit = |number: u8| {
        vec![
            event(NOW_MS, Some(1), Body::ExecutionStarted(started(number, "file_edit", None))),
            event(NOW_MS, Some(1), finished(number, "file_edit", Outcome::Ok)),
        ]
    };
    let scope = TimelineScope::Session(session_id(1));
    let declares = || vec![event(NOW_MS, None, declared(&["file_edit"]))];
    let (_folder, before) = stores(vec![declares(), edit(1), edit(2)]);
    let position = before.get_timeline_position(scope).unwrap();
    assert_eq!((position.current_step, position.last_query_ms), (2, None));
    assert_eq!((position.last_success, position.last_failure), (Some(2), None));
    let begun = Body::StepBegun(StepBegun { title: None });
    let read = |at| {
        let query = "memory_query(timeline_summary)".to_owned();
        let (through_sequence, returned) = (4, 2);
        let by = ReadBy::Asked;
        let body = TimelineQueried { query, by, through_sequence, returned };
        event(NOW_MS + at, Some(1), Body::TimelineQueried(body))
    };
    let events =
        vec![declares(), edit(1), edit(2), vec![event(NOW_MS, Some(1), begun), read(9), read(5)]];
    let (_folder, after) = stores(events);
    let position = after.get_timeline_position(scope).unwrap();
    assert_eq!((position.current_step, position.last_query_ms), (1, Some(NOW_MS + 9)));
    assert_eq!(position.through_sequence, 8);
    let nobody = TimelineScope::Session(session_id(9));
    let position = after.get_timeline_position(nobody).unwrap();
    assert_eq!((position.total_executions, position.last_execution), (0, None));
    assert_eq!(after.get_recent_timeline(nobody, 5).unwrap(), []);
}

#[test]
fn a_memory_query_asks_in_the_order_of_time_and_refuses_what_is_not_there() {
    use crate::event::Outcome::{Failed, Ok};
    let all = (1..=6_u8).map(|number| {
        let outcome = if number % 2 == 0 { Ok } else { Failed };
        tried(number, 1, u64::from(number), "lsp_check", outcome, "wrong")
    });
    let (_folder, stores) = stores(all.collect());
    let scope = TimelineScope::Session(session_id(1));
    let asked = |text: &str| stores.memory_query(&MemoryQuery::parse(text).unwrap(), scope);
    let cases: [(&str, &[u64]); 9] = [
        ("memory_query(tool=\"lsp_check\", success=true, after_id=3)", &[4, 6]),
        ("memory_query(get_recent_timeline, n=2)", &[5, 6]),
        ("memory_query(get_preceding_context, before_id=3)", &[1, 2]),
        ("after_id=2, before_id=5", &[3, 4]),
        ("success=false, last=1", &[5]),
        ("path=nowhere.rs", &[]),
        ("diagnostic=E0425", &[]),
        ("tool=file_edit", &[]),
        ("project, last=3", &[4, 5, 6]),
    ];
    for (text, expected) in cases {
        let answer = asked(text).unwrap();
        let found: Vec<u64> =
            answer.executions.iter().filter_map(|entry| entry.execution_id).collect();
        assert_eq!(found, expected, "{text}");
        assert!(answer.executions.iter().all(|entry| entry.timestamp >= NOW_MS), "{text}");
    }
    let error = asked("after_id=999").unwrap_err();
    assert!(matches!(&error, QueryError::NotFound { reference } if reference == "999"), "{error}");
    let error = asked("session=nobody").unwrap_err();
    assert!(matches!(&error, QueryError::NoSession { name } if name == "nobody"), "{error}");
    let error = asked("get_preceding_context").unwrap_err().to_string();
    assert!(error.contains("before_id"), "{error}");
}
