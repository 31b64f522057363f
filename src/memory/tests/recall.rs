//! Recall memory: window, consolidation, eviction.

use super::{SMALL, scene, scene_of, tags};
use crate::memory::RecallGiven;
use crate::memory::results::NotEvicted;
use crate::parse::reply::RecallEvict;

fn note(scene: &super::Scene, branch: &str, text: &str) {
    scene.done(|op| op.write_event(branch, "note", text, &[]));
}

#[test]
fn the_same_event_is_remembered_once() {
    let scene = scene();
    scene.branches(&[("root", None), ("a", Some("root"))]);
    let first = scene.done(|op| op.write_event("root", "note", "x", &tags(&["t"])));
    let again = scene.done(|op| op.write_event("root", "note", "x", &tags(&["t"])));
    assert_eq!((first.written, again.written, again.id), (true, false, first.id));
    for (branch, kind, text, tag) in [
        ("a", "note", "x", "t"),
        ("root", "step", "x", "t"),
        ("root", "note", "y", "t"),
        ("root", "note", "x", "u"),
    ] {
        assert!(scene.done(|op| op.write_event(branch, kind, text, &tags(&[tag]))).written);
    }
}

#[test]
fn an_event_is_tagged_as_spec_003_has_it_and_goes_to_the_branch_it_names() {
    let scene = scene();
    scene.branches(&[("root", None), ("n1", Some("root"))]);
    let given = RecallGiven {
        run_id: Some("run-1".to_owned()),
        node_id: Some("n1".to_owned()),
        phase: Some("draft".to_owned()),
        kind: Some("coding_complete".to_owned()),
        summary: "done".to_owned(),
        refs: tags(&["r"]),
        ..RecallGiven::default()
    };
    let done = scene.done(|op| op.mem_recall_append("root", &given));
    assert_eq!(done.branch, "n1");
    let event = &scene.recall("n1")[0];
    assert_eq!(
        event.tags,
        [
            "RECALL_EVENT",
            "run_id:run-1",
            "node_id:n1",
            "phase:draft",
            "kind:coding_complete",
            "ref:r"
        ]
    );
    // Without a kind it is an `event`; of a node that is unknown it is the asked branch's.
    let given = RecallGiven { node_id: Some("?".to_owned()), ..RecallGiven::default() };
    let done = scene.done(|op| op.mem_recall_append("root", &given));
    assert_eq!((done.branch.as_str(), scene.recall("root")[0].kind.as_str()), ("root", "event"));
}

#[test]
fn beyond_the_window_older_events_become_summaries_and_keep_their_texts() {
    let scene = scene_of(SMALL);
    scene.branches(&[("root", None)]);
    for i in 0..6 {
        note(&scene, "root", &format!("own {i}"));
    }
    assert_eq!(scene.recall("root").len(), 6);
    let done = scene.done(|op| op.write_event("root", "step", "own 6", &[]));
    let own = done.own.unwrap();
    assert_eq!((own.total, own.kept, own.events, own.groups), (7, 4, 3, 1));
    assert_eq!(done.inherited, None);
    assert_eq!(scene.recall_texts("root"), ["own 6", "own 5", "own 4", "own 3"]);
    let record = &scene.archive("root")[0];
    assert_eq!(own.records, [record.id]);
    assert!(record.text.ends_with(":\n- own 2\n- own 1\n- own 0"), "{}", record.text);
    assert!(record.text.starts_with("3 earlier events [note], from "), "{}", record.text);
    assert_eq!(
        record.tags,
        ["RECALL_CONSOLIDATED", "AUTO_CONSOLIDATE", "kind:note", "event_count:3"]
    );
    assert_eq!(scene.done(|op| op.consolidate_recall_events("root")), None);
}

#[test]
fn summaries_of_long_texts_go_on_in_further_records_and_lose_nothing() {
    let scene = scene_of(SMALL);
    scene.branches(&[("root", None)]);
    let text = |i: u32| format!("{i}:{}", format!("w{i}x").repeat(60 * i as usize));
    for i in 1..8 {
        note(&scene, "root", &text(i));
    }
    let mut archive = scene.archive("root");
    archive.reverse();
    assert!(archive.len() > 1);
    assert!(archive.iter().all(|record| record.text.chars().count() <= 300));
    let bodies: Vec<&str> =
        archive.iter().map(|record| record.text.split_once(":\n").unwrap().1).collect();
    let told = bodies.join("");
    for i in 1..4 {
        assert!(told.contains(&text(i)), "{i}: {told}");
    }
    let parts = archive.len();
    assert!(archive[0].tags.contains(&format!("part:1/{parts}")));
}

#[test]
fn parts_of_the_same_words_are_all_there() {
    let scene = scene_of(SMALL);
    scene.branches(&[("root", None)]);
    // The second and third part of each are the same words in the same second.
    let text = |i: u32| format!("{i}{}", "w".repeat(700));
    for i in 1..20 {
        note(&scene, "root", &text(i));
    }
    let mut told = String::new();
    for record in scene.archive("root").iter().rev() {
        told.push_str(record.text.split_once(":\n").unwrap().1);
    }
    for i in 1..12 {
        assert!(told.contains(&text(i)), "{i}: {told}");
    }
}

#[test]
fn whatever_it_is_made_of_what_is_seen_beyond_the_factor_goes_down_to_the_window() {
    let scene = scene_of(SMALL);
    scene.branches(&[("root", None)]);
    for i in 0..5 {
        note(&scene, "root", &format!("root {i}"));
    }
    scene.branches(&[("a", Some("root"))]);
    note(&scene, "a", "a 0");
    // Six are no more than the factor allows.
    assert_eq!(scene.recall("a").len(), 6);
    let done = scene.done(|op| op.write_event("a", "note", "a 1", &[]));
    let inherited = done.inherited.unwrap();
    assert_eq!((inherited.total, inherited.kept, inherited.events), (5, 2, 3));
    assert_eq!(done.own, None);
    assert_eq!(scene.recall_texts("a"), ["a 1", "a 0", "root 4", "root 3"]);
    assert!(scene.summaries("a")[0].ends_with(":\n- root 2\n- root 1\n- root 0"));
    assert_eq!(scene.recall("root").len(), 5, "its ancestor keeps them");
    // Both, where both are older.
    note(&scene, "root", "root 5");
    note(&scene, "a", "a 2");
    let done = scene.done(|op| op.write_event("a", "note", "a 3", &[]));
    let events = |done: Option<crate::memory::Consolidated>| done.map(|it| it.events);
    assert_eq!((events(done.inherited), events(done.own)), (Some(2), Some(1)));
    assert_eq!(scene.recall_texts("a"), ["a 3", "a 2", "root 5", "a 1"]);
}

#[test]
fn whoever_asks_for_it_gets_everything_beyond_the_window_put_together() {
    let settings = format!("{SMALL}auto_consolidate = false\n");
    for by in ["own", "inherited", "all"] {
        let scene = scene_of(&settings);
        scene.branches(&[("root", None), ("a", Some("root"))]);
        let (of, seen) = if by == "inherited" { ("root", "a") } else { ("a", "a") };
        for i in 0..5 {
            note(&scene, of, &format!("event {i}"));
        }
        let done = scene.done(|op| match by {
            "own" => Ok(op.consolidate_recall_events("a")?.unwrap().events),
            "inherited" => Ok(op.consolidate_inherited_memory("a")?.unwrap().events),
            _ => Ok(op.consolidate_memory("a", None)?.recall_events_consolidated),
        });
        assert_eq!((done, scene.recall(seen).len()), (1, 4), "{by}");
    }
}

#[test]
fn a_branch_hides_and_tells_what_it_summed_up_and_later_forks_inherit_that() {
    let scene = scene_of(&format!("{SMALL}auto_consolidate = false\n"));
    scene.branches(&[("root", None), ("a", Some("root")), ("early", Some("a"))]);
    for i in 0..7 {
        note(&scene, "root", &format!("root {i}"));
    }
    let done = scene.done(|op| op.consolidate_inherited_memory("a")).unwrap();
    assert_eq!((done.total, done.kept, done.events), (7, 4, 3));
    assert_eq!(scene.recall_texts("a"), ["root 6", "root 5", "root 4", "root 3"]);
    assert!(scene.summaries("a")[0].ends_with(":\n- root 2\n- root 1\n- root 0"));
    assert_eq!(scene.recall("root").len(), 7);
    scene.branches(&[("late", Some("a"))]);
    assert_eq!(scene.recall("late"), scene.recall("a"));
    assert_eq!(scene.summaries("late"), scene.summaries("a"));
    // Who was there before sees what it saw.
    assert_eq!(scene.recall("early").len(), 7);
    assert_eq!(scene.summaries("early").len(), 0);
    assert_eq!(scene.done(|op| op.consolidate_inherited_memory("root")), None);
}

#[test]
fn only_a_branchs_own_events_go_to_the_archive_when_somebody_wants_them_gone() {
    let scene = scene();
    scene.branches(&[("root", None), ("a", Some("root"))]);
    note(&scene, "root", "root 0");
    for (kind, text) in [("note", "a 0"), ("step", "a 1"), ("note", "a 2"), ("idea", "a 3")] {
        scene.done(|op| op.write_event("a", kind, text, &tags(&["RECALL_EVENT", "phase:p"])));
    }
    let ids: Vec<u64> = scene.recall("a").iter().map(|event| event.id).collect();
    let root = scene.recall("root")[0].id;
    let which = RecallEvict { ids: vec![root, 999, ids[0]], kind: Some("step".into()), oldest: 1 };
    let done = scene.done(|op| op.evict("a", &which));
    let refused = |id, owner: Option<&str>| NotEvicted { id, owner: owner.map(str::to_owned) };
    assert_eq!(done.refused, [refused(root, Some("root")), refused(999, None)]);
    assert_eq!(scene.recall_texts("a"), ["a 2", "root 0"]);
    assert_eq!(scene.recall_texts("root"), ["root 0"]);
    let archive = scene.archive("a");
    let texts: Vec<&str> =
        archive.iter().rev().map(|record| record.text.split_once(":\n").unwrap().1).collect();
    assert_eq!(texts, ["a 0", "a 1", "a 3"]);
    assert_eq!(archive[0].tags, ["EVICTED_RECALL", "RECALL_IDEA", "phase:p"]);
    assert_eq!(done.records.len(), 3);
    let nothing = scene.done(|op| op.evict("a", &RecallEvict { ids: vec![root], ..which.clone() }));
    assert_eq!(nothing.ids.len(), 1, "the oldest of what is left");
}

#[test]
fn a_text_that_no_row_takes_is_in_the_archive_in_full() {
    let scene = scene();
    scene.branches(&[("root", None)]);
    let text = "é".repeat(40_000);
    let done = scene.done(|op| op.write_event("root", "note", &text, &[]));
    let record = done.archived_as.unwrap();
    assert!(scene.recall_texts("root")[0].ends_with(&format!("… (archived as {record})")));
    let mut archive = scene.archive("root");
    archive.reverse();
    let pieces: String = archive.into_iter().map(|record| record.text).collect();
    assert_eq!(pieces, format!("Recall event [note]:\n{text}"));
}

#[test]
fn events_of_branches_are_fetched_as_a_branch_sees_them_or_as_they_are() {
    let scene = scene();
    scene.branches(&[("root", None), ("a", Some("root")), ("s", Some("root"))]);
    for (branch, text) in [("root", "1"), ("a", "2"), ("s", "3"), ("a", "4")] {
        note(&scene, branch, text);
    }
    for (branches, limit, current, texts) in [
        (["a", "s"], 9, None, &["4", "3", "2"][..]),
        (["a", "s"], 2, None, &["4", "3"]),
        (["a", "root"], 9, Some("a"), &["4", "2", "1"]),
        (["root", "s"], 1, Some("a"), &["1"]),
    ] {
        let found = scene.done(|op| op.fetch_events(&tags(&branches), limit, current));
        let found: Vec<String> = found.into_iter().map(|event| event.text).collect();
        assert_eq!(found, texts);
    }
}
