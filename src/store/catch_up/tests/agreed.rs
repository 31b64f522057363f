//! The gate's fold of a session and the index tell one and the same timeline.
//!
//! Within what a journal holds: a session's time does not run back (ruling 5), and a correction is of
//! what did not run to its end (ruling 2). The fold keeps the newest 16 executions and 64 pending
//! failures; of loops both tell the newest 16.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::history::{NOW_MS, any_history, closing, declared, event, session_id, started};
use super::{caught_up, places};
use crate::event::{
    Body, Closing, Event, ExecutionFinished, ExecutionId, ExecutionStarted, Json, Outcome,
};
use crate::execution::query::Stores;
use crate::grounding::fold::{Grounding, GroundingRules};
use crate::grounding::timeline::{TimelineBlock, TimelineEntry, TimelineScope};
use crate::store::feed::memory::MemoryFeed;

/// Executions that a fold keeps.
const RECENT: usize = 16;

/// The block that the index gives.
fn indexed(stores: &Stores, scope: TimelineScope) -> TimelineBlock {
    TimelineBlock {
        position: stores.get_timeline_position(scope).unwrap(),
        recent: stores.get_recent_timeline(scope, RECENT).unwrap(),
        pending: stores.get_pending_failures(scope).unwrap(),
        loops: stores.failure_loops(scope).unwrap(),
    }
}

/// The fold keeps every text as one line.
fn one_line(block: &mut TimelineBlock) {
    let one_line = |entry: &mut TimelineEntry| {
        for text in [&mut entry.affected_path, &mut entry.error_summary].into_iter().flatten() {
            *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        }
    };
    block.position.last_execution.iter_mut().for_each(one_line);
    block.recent.iter_mut().for_each(one_line);
    block.pending.iter_mut().for_each(|it| one_line(&mut it.execution));
    block.loops.iter_mut().for_each(|it| one_line(&mut it.execution));
}

/// Asserts that both tell the same of every session.
fn assert_agreed(history: &MemoryFeed, name: &str) {
    let folder = tempfile::tempdir().unwrap();
    let places = places(folder.path());
    caught_up(&places, history);
    let stores = Stores::open(&places).unwrap();
    for number in 0..3 {
        let mut folded = Grounding::new(session_id(number));
        let rules = GroundingRules::default();
        history.events.iter().for_each(|recorded| folded.apply(recorded, &rules));
        let mut told = TimelineBlock::of(&folded);
        let mut kept = indexed(&stores, TimelineScope::Session(session_id(number)));
        one_line(&mut told);
        one_line(&mut kept);
        let (told, kept) = (format!("{told:#?}"), format!("{kept:#?}"));
        let lines = told.lines().zip(kept.lines());
        let other: Vec<_> = lines.filter(|(told, kept)| told != kept).collect();
        assert!(told == kept, "{name}, session {number}, fold and index: {other:?}");
    }
}

/// The same events at times that do not run back, without corrections that no journal holds.
fn as_journals_are(history: &MemoryFeed) -> MemoryFeed {
    let mut events: Vec<Event> = history.events.iter().map(|it| it.event.clone()).collect();
    let mut outcomes: BTreeMap<ExecutionId, Outcome> = BTreeMap::new();
    let mut begun: BTreeSet<ExecutionId> = BTreeSet::new();
    let mut aliased: BTreeSet<ExecutionId> = BTreeSet::new();
    let mut calls = BTreeSet::new();
    events.retain(|event| match &event.body {
        Body::ExecutionStarted(started) => {
            let new = started.call.as_ref().is_none_or(|call| calls.insert(call.to_text()));
            let new = new && !begun.contains(&started.execution);
            if begun.insert(started.execution) && !new {
                aliased.insert(started.execution);
            }
            true
        }
        Body::ExecutionFinished(finished) => {
            outcomes.entry(finished.execution).or_insert(finished.closing.outcome);
            true
        }
        Body::ExecutionInterrupted(interrupted) => {
            outcomes.entry(interrupted.execution).or_insert(Outcome::Interrupted);
            true
        }
        Body::ExecutionCorrected(corrected) => {
            let of = outcomes.get(&corrected.corrects).copied();
            let new = !outcomes.contains_key(&corrected.execution)
                && !begun.contains(&corrected.execution)
                && !aliased.contains(&corrected.corrects);
            let is = new && matches!(of, Some(Outcome::Interrupted | Outcome::Refused));
            if is {
                outcomes.insert(corrected.execution, corrected.closing.outcome);
                // It is corrected once.
                outcomes.insert(corrected.corrects, Outcome::Ok);
            }
            is
        }
        _ => true,
    });
    let mut feed = MemoryFeed::new(1);
    let tools = ["bash_exec", "file_edit", "not_declared"];
    feed.commit(vec![event(NOW_MS, None, declared(&tools))]);
    for (at_ms, mut event) in (NOW_MS..).zip(events) {
        event.envelope.at_ms = at_ms;
        feed.commit(vec![event]);
    }
    feed
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(24),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_sessions_fold_and_the_index_tell_the_same_block(history in any_history()) {
        assert_agreed(&as_journals_are(&history), "generated");
    }
}

/// Calls of one session, a commit each.
fn calls(calls: &[(&str, &str, Outcome, &str)]) -> MemoryFeed {
    let mut feed = MemoryFeed::new(1);
    feed.commit(vec![event(NOW_MS, None, declared(&["bash_exec", "file_edit"]))]);
    for (number, (tool, path, outcome, said)) in (1_u8..).zip(calls) {
        let start = ExecutionStarted {
            arguments: Json("{}".to_owned()),
            paths: vec![(*path).to_owned()],
            ..started(number, tool, Some(number))
        };
        let error = (*outcome != Outcome::Ok).then(|| (*said).to_owned());
        let closing = Closing { error, stdout: None, ..closing(*outcome) };
        let (execution, tool) = (start.execution, (*tool).to_owned());
        let end = Body::ExecutionFinished(ExecutionFinished { execution, tool, closing });
        let at_ms = NOW_MS + u64::from(number);
        feed.commit(vec![
            event(at_ms, Some(1), Body::ExecutionStarted(start)),
            event(at_ms, Some(1), end),
        ]);
    }
    feed
}

#[test]
fn what_is_the_same_try_and_the_same_diagnostic_is_the_same_for_both() {
    use crate::event::Outcome::{Failed, Ok, Refused};
    let long = "e".repeat(350);
    let (one, two) = (format!("{long} one"), format!("{long} two"));
    type Case<'a> = (&'a str, Vec<(&'a str, &'a str, Outcome, &'a str)>);
    let cases: [Case<'_>; 7] = [
        (
            "a write that made its file resolves a write",
            vec![("file_write", "a", Failed, "no"), ("file_create", "a", Ok, "")],
        ),
        (
            "writes of both names are one loop",
            vec![
                ("file_write", "a", Failed, "no"),
                ("file_create", "a", Failed, "no"),
                ("file_write", "a", Failed, "no"),
            ],
        ),
        (
            "only the line moved",
            vec![
                ("lsp_check", "a", Failed, "a.rs:1:2: x"),
                ("lsp_check", "a", Failed, "a.rs:9:2: x"),
                ("lsp_check", "a", Failed, "a.rs:10:1: x"),
            ],
        ),
        ("two are no loop", vec![("lsp_check", "a", Failed, "x"), ("lsp_check", "a", Failed, "x")]),
        (
            "an undeclared tool has no ordinal and is told",
            vec![("file_read", "a", Ok, ""), ("mystery", "a", Failed, "no")],
        ),
        (
            "a refusal resolves nothing and is no failure",
            vec![("file_edit", "a", Failed, "no"), ("file_edit", "a", Refused, "no")],
        ),
        (
            "a shell is no change of the contract's tools",
            vec![("bash_exec", "a", Ok, ""), ("file_write", "a", Ok, "")],
        ),
    ];
    for (name, tried) in cases {
        assert_agreed(&calls(&tried), name);
    }
    // What differs behind all that is shown differs.
    let text = |said: &str| ("lsp_check".to_owned(), said.to_owned());
    let said = [text(&one), text(&two), text(&one)];
    let tried: Vec<_> =
        said.iter().map(|(tool, said)| (tool.as_str(), "a", Failed, said.as_str())).collect();
    let feed = calls(&tried);
    let mut folded = Grounding::new(session_id(1));
    let rules = GroundingRules::default();
    feed.events.iter().for_each(|recorded| folded.apply(recorded, &rules));
    assert_eq!(TimelineBlock::of(&folded).loops, []);
}

#[test]
fn a_history_of_any_length_agrees_within_what_a_fold_keeps() {
    let names: Vec<String> = (0..120).map(|number| format!("src/file{}.rs", number % 40)).collect();
    let outcome = |at: usize| if at % 7 == 3 { Outcome::Ok } else { Outcome::Failed };
    let tried: Vec<_> = (0..120)
        .map(|at| ("file_edit", names[at].as_str(), outcome(at), "it does not match"))
        .collect();
    assert_agreed(&calls(&tried), "120 tries of 40 files");
}
