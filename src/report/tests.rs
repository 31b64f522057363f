//! However much there is, a report is bounded, and what it leaves out is counted.

use super::failure::{CallRef, ChangeRef, Failures};
use super::limits::{REPORT_STEPS_MAX, TURN_ITEMS_MAX};
use super::stand::Standing;
use super::text::{Bounded, Text, line};
use super::turn::{Item, Turn};
use super::{CoreChange, files};
use crate::event::{Body, CoreSet, ExecutionId, MemoryDoor, MemoryOrigin};
use crate::execution::query::diff::{Diff, FileDiff, Section};
use crate::execution::tally::TallyCounts;

#[test]
fn however_many_steps_there_are_the_last_of_each_place_stands_for_them() {
    for steps in [0, 1, 999, 1_000, 1_001, 4_003, 100_000] {
        let mut standing = Standing::default();
        standing.begin(TallyCounts::default());
        for at in 1..=steps {
            if at % 500 == 0 {
                let origin = MemoryOrigin::by(MemoryDoor::Api);
                let (branch, key, value) = ("b".to_owned(), "k".to_owned(), at.to_string());
                let set = CoreSet { branch, key, value, importance: 3, ttl: None, origin };
                standing.take(&Body::CoreSet(set), true);
            }
            let calls = TallyCounts { calls: at, ..TallyCounts::default() };
            standing.step(at, at, String::new(), calls);
        }
        let stands = standing.end();
        assert_eq!(stands.steps, steps);
        assert!(stands.shown.len() <= REPORT_STEPS_MAX);
        assert!(stands.shown.len() as u64 >= steps.min(REPORT_STEPS_MAX as u64 / 2));
        assert!(stands.shown.windows(2).all(|pair| pair[0].step < pair[1].step));
        assert!(stands.shown.iter().all(|it| it.stores.calls == it.step));
        let Some(last) = stands.shown.last() else { continue };
        assert_eq!(last.step, steps);
        let changes = stands.shown.iter().flat_map(|it| it.core.iter());
        let values: Vec<&CoreChange> = changes.collect();
        assert_eq!(values.len() as u64, steps / 500, "no change is lost between the places");
        let ordered: Vec<u64> =
            values.iter().filter_map(|it| it.value.as_ref()?.parse().ok()).collect();
        assert!(ordered.is_sorted());
    }
}

#[test]
fn failures_alike_that_ended_together_are_one_with_what_was_changed_last() {
    let id = |no: u8| ExecutionId([no; 16]);
    let call = |sequence: u64, target: &str| CallRef {
        call: sequence.to_string(),
        sequence,
        at_ms: sequence,
        tool: "bash_exec".to_owned(),
        target: Some(target.to_owned()),
    };
    let mut failures = Failures::default();
    failures.failed(id(1), None, call(1, "cargo test 2>&1 | tail -5"));
    failures.changed(
        None,
        ChangeRef { call: "2".to_owned(), sequence: 2, files: vec!["a".to_owned()] },
    );
    failures.failed(id(3), None, call(3, "cd x && cargo test"));
    for sequence in 4..10 {
        let files = vec!["b".to_owned()];
        failures.changed(None, ChangeRef { call: sequence.to_string(), sequence, files });
    }
    failures.failed(id(11), None, call(11, "ls none"));
    failures.told(id(1), Some("it broke\nand more"), true);
    failures.mended(&[id(1), id(3)], &call(10, "cargo test"));
    failures.mended(&[id(9)], &call(12, "of another"));
    assert_eq!(failures.pending().into_iter().collect::<Vec<_>>(), [11]);
    let ended = failures.end();
    assert_eq!((ended.mended, ended.pending), (1, 1));
    let [check, other] = &ended.failures.items[..] else { panic!("two") };
    assert_eq!((check.times, check.first.sequence, check.last.sequence), (2, 1, 3));
    assert_eq!((check.is_check, check.why.as_deref()), (true, Some("it broke")));
    let mended = check.mended.as_ref().expect("mended");
    let changes: Vec<u64> = mended.changes.iter().map(|it| it.sequence).collect();
    assert_eq!((changes, mended.changes_left_out), (vec![7, 8, 9], 3));
    assert!(other.mended.is_none() && !other.is_check);
}

#[test]
fn what_is_cut_is_counted() {
    let cut = Text::of("äöüß", 3);
    assert_eq!((cut.text.as_str(), cut.chars_left_out), ("äöü", 1));
    assert_eq!(line("  one\ntwo", 9), "one");
    assert_eq!(line("longer", 3), "lon…");
    let mut list = Bounded::default();
    (0..5).for_each(|it| list.push(it, 3));
    assert_eq!((list.items.len(), list.left_out, list.count()), (3, 2, 5));
    let (mut turn, mut room) = (Turn::default(), TURN_ITEMS_MAX + 10);
    for sequence in 0..2_000 {
        turn.add(Item::Noted { sequence, text: String::new() }, &mut room);
    }
    assert_eq!((turn.items.items.len(), turn.items.left_out, room), (TURN_ITEMS_MAX, 1_400, 10));
    let text: String = (0..4_000).map(|at| format!("+line {at} ä\n")).collect();
    let section = Section { diff: text, unplaced: vec!["-x".to_owned()], ..Section::default() };
    let file = FileDiff { sections: vec![section], ..FileDiff::default() };
    let mut diff = Diff { files: vec![file; 300], ..Diff::default() };
    files::bound(&mut diff);
    let bytes: usize = diff.files.iter().map(|it| it.sections[0].diff.len()).sum();
    assert!(diff.files.len() == 150 && diff.left_out == 150 && bytes <= 1 << 20, "{bytes}");
    let kept = diff.files[0].sections[0].diff.lines().count();
    assert_eq!(
        diff.files[0].notes,
        [format!("{} more lines of it are left out here", 4_001 - kept)]
    );
    assert!(diff.files[149].sections[0].diff.is_empty(), "there was no room any more");
}
