//! What holds after whatever is done: nothing is lost, the budget holds, ancestors see what they saw,
//! and what is refused leaves nothing.

mod step;

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{Scene, scene_of};
use crate::event::Body;
use crate::memory::{Asked, Asker, Memory, Operation, query as memory};
use step::{Written, carry_out, step, touched};

const SIZES: &str =
    "[memory]\ncore_max_chars = 80\nrecall_max_events = 3\narchival_max_chars = 300\n";
const BRANCHES: [&str; 5] = ["b0", "b1", "b2", "b3", "b4"];

/// What every branch but one sees of recall, by number: whoever is not touched sees what it saw, but
/// for what an ancestor of it did.
fn others_see(scene: &Scene, but: &str) -> Vec<(String, Vec<u64>, Vec<String>)> {
    let reader = scene.reader();
    let view = reader.view();
    let mut seen = Vec::new();
    for branch in memory::branches(&view).unwrap() {
        let chain = memory::chain(&view, &branch.branch).unwrap();
        if chain.iter().all(|link| link.branch != but) {
            let recall = memory::recall(&view, &branch.branch, usize::MAX).unwrap();
            let ids = recall.events.iter().map(|event| event.id).collect();
            seen.push((branch.branch.clone(), ids, scene.core(&branch.branch)));
        }
    }
    seen
}

/// Every text that memory holds.
fn held(scene: &Scene) -> String {
    let reader = scene.reader();
    let view = reader.view();
    let mut held = String::new();
    for branch in memory::branches(&view).unwrap() {
        let recall = memory::recall(&view, &branch.branch, usize::MAX).unwrap();
        let events = recall.events.iter().map(|event| &event.text);
        for text in events.chain(recall.summaries.iter().map(|summary| &summary.text)) {
            held.push_str(text);
        }
    }
    for branch in BRANCHES {
        // Texts that go on in further records do so behind a heading: without it they are one again.
        for record in scene.archive(branch).iter().rev() {
            let is_summary = record.tags.iter().any(|tag| tag == "RECALL_CONSOLIDATED");
            let body = match is_summary && record.tags.iter().any(|tag| tag.starts_with("part:")) {
                true => record.text.split_once(":\n").map_or("", |(_, body)| body),
                false => &record.text,
            };
            held.push_str(body);
        }
    }
    held
}

fn holds(scene: &Scene, written: &Written) {
    let held = held(scene);
    for (branch, text) in written.events.iter().chain(&written.records) {
        assert!(held.contains(text.as_str()), "{branch} lost {text}");
    }
    let reader = scene.reader();
    let view = reader.view();
    let now_ms = crate::journal::clock::now_ms();
    for branch in BRANCHES {
        let own = memory::own_core(&view, branch, now_ms).unwrap();
        let lines: Vec<String> =
            own.values().map(|value| format!("{}: {}", value.key, value.value)).collect();
        assert!(lines.join("\n").chars().count() <= 80, "{branch}: {lines:?}");
    }
    let numbers: Vec<u64> = scene
        .events()
        .iter()
        .filter_map(|event| match &event.body {
            Body::ArchivalWritten(written) => Some(written.id),
            _ => None,
        })
        .collect();
    assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), numbers.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 60, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_done_nothing_is_lost_and_nobody_else_is_touched(
        steps in proptest::collection::vec(step(), 1..60),
    ) {
        let scene = scene_of(SIZES);
        let mut written = Written::default();
        let mut memory = Memory::open(&scene.project).unwrap();
        memory.operate(&Asker::default(), |op| op.mem_node_fork(None, BRANCHES[0], &[], None)).unwrap();
        for (number, step) in steps.iter().enumerate() {
            let (before, count) = (scene.digest(), scene.events().len());
            let others = others_see(&scene, BRANCHES[touched(step)]);
            let done =
                memory.operate(&Asker::default(), |op| carry_out(op, number, step, &mut written));
            match done {
                Ok(()) => {
                    // A fork may have made a parent.
                    let now = others_see(&scene, BRANCHES[touched(step)]);
                    prop_assert!(others.iter().all(|one| now.contains(one)), "{:?} {:?}", others, now);
                }
                Err(error) => {
                    prop_assert!(error.is_refusal(), "{:?}", error);
                    prop_assert_eq!((scene.digest(), scene.events().len()), (before, count));
                }
            }
        }
        drop(memory);
        holds(&scene, &written);
    }

    #[test]
    fn several_operations_in_one_commit_are_what_they_would_be_one_by_one(
        steps in proptest::collection::vec(step(), 1..40),
    ) {
        let (one, many) = (scene_of(SIZES), scene_of(SIZES));
        for scene in [&one, &many] {
            scene.branches(&[(BRANCHES[0], None)]);
        }
        let mut outcomes = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            let mut written = Written::default();
            let done = Memory::open(&one.project)
                .unwrap()
                .operate(&Asker::default(), |op| carry_out(op, number, step, &mut written));
            outcomes.push(done.is_ok());
        }
        let asked = steps
            .iter()
            .enumerate()
            .map(|(number, step)| Asked {
                asker: Asker::default(),
                operation: Box::new(move |op: &mut Operation<'_>| {
                    carry_out(op, number, step, &mut Written::default())
                }),
            })
            .collect();
        let mut memory = Memory::open(&many.project).unwrap();
        let done = memory.operate_many(asked).unwrap();
        prop_assert_eq!(done.iter().map(Result::is_ok).collect::<Vec<_>>(), outcomes);
        for branch in BRANCHES {
            prop_assert_eq!(one.core(branch), many.core(branch));
            prop_assert_eq!(one.recall_texts(branch), many.recall_texts(branch));
            let numbers = |scene: &Scene| -> Vec<u64> {
                scene.archive(branch).iter().map(|record| record.id).collect()
            };
            prop_assert_eq!(numbers(&one), numbers(&many));
        }
        let kinds = |scene: &Scene| -> Vec<&str> {
            scene.events().iter().map(|event| event.body.name()).collect()
        };
        prop_assert_eq!(kinds(&one), kinds(&many));
    }
}
