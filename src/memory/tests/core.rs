//! Core memory: isolation, deletion, budget.

use super::{SMALL, scene, scene_of};
use crate::event::{Body, EvictionCause};
use crate::memory::query::Matching;

#[test]
fn the_nearest_value_wins_and_a_deletion_hides_what_is_inherited() {
    let scene = scene();
    scene.branches(&[("root", None), ("a", Some("root")), ("b", Some("a")), ("s", Some("root"))]);
    scene.done(|op| op.set_core("root", "k", "root", None, None));
    scene.done(|op| op.set_core("a", "k", "a", None, None));
    assert_eq!(scene.core("b"), ["k=a"]);
    assert_eq!(scene.core("s"), ["k=root"]);
    // A later write above does not overrule the child.
    scene.done(|op| op.set_core("root", "k", "later", None, None));
    assert_eq!(scene.core("b"), ["k=a"]);
    assert_eq!(scene.core("s"), ["k=later"]);
    assert!(scene.done(|op| op.mem_core_del("a", "k")));
    assert_eq!(scene.core("b"), [""; 0]);
    assert_eq!(scene.core("root"), ["k=later"]);
    // Twice is once, and what nobody knew needs no fact.
    let before = scene.events().len();
    assert!(!scene.done(|op| op.mem_core_del("a", "k")));
    assert!(!scene.done(|op| op.mem_core_del("a", "never")));
    assert_eq!(scene.events().len(), before);
    scene.done(|op| op.set_core("b", "k", "again", None, None));
    assert_eq!(scene.core("b"), ["k=again"]);
}

#[test]
fn values_are_given_in_the_order_asked_and_the_read_is_recorded() {
    let scene = scene();
    scene.branches(&[("root", None)]);
    scene.done(|op| op.set_core("root", "a", "1", None, None));
    scene.done(|op| op.set_core("root", "b", "2", Some("0"), None));
    let found = scene.done(|op| op.mem_core_get("root", &super::tags(&["c", "a", "b"])));
    // The time of `b` is over the moment it is written.
    let found: Vec<_> = found.iter().map(|(key, value)| (key.as_str(), value.as_deref())).collect();
    assert_eq!(found, [("c", None), ("a", Some("1")), ("b", None)]);
    assert_eq!(scene.done(|op| op.mem_core_get("root", &[])).len(), 1);
    let events = scene.events();
    let Body::MemoryRead(read) = &events[events.len() - 2].body else { panic!("{events:?}") };
    assert_eq!(read.results, 1);
}

#[test]
fn the_least_important_goes_to_the_archive_and_what_was_just_written_is_no_exception() {
    let scene = scene_of(SMALL);
    scene.branches(&[("root", None)]);
    let value = "x".repeat(20);
    for (key, importance) in [("a", 5), ("b", 1), ("c", 3)] {
        scene.done(|op| op.set_core("root", key, &value, None, Some(importance)));
    }
    // 3 · 23 + 2 characters are more than 60.
    assert_eq!(scene.core("root"), [format!("a={value}"), format!("c={value}")]);
    let done = scene.done(|op| op.set_core("root", "d", &value, None, Some(1)));
    assert_eq!(done.evicted.iter().map(|gone| gone.key.as_str()).collect::<Vec<_>>(), ["d"]);
    let archive = scene.archive("root");
    assert_eq!(archive[0].id, done.evicted[0].record);
    assert_eq!(archive[0].text, format!("Core evicted: d\n{value}"));
    assert_eq!(archive[0].tags, ["CORE_EVICT", "core_key:d"]);
    assert!(archive[1].text.starts_with("Core evicted: b\n"));
    let evicted = scene.events().into_iter().filter_map(|event| match event.body {
        Body::CoreEvicted(evicted) => Some((evicted.key, evicted.importance, evicted.cause)),
        _ => None,
    });
    let cause = EvictionCause::Budget;
    let (b, d) = (("b".to_owned(), 1, cause), ("d".to_owned(), 1, cause));
    assert_eq!(evicted.collect::<Vec<_>>(), [b, d]);
    // Of what is worth the same the newest stays.
    let done = scene.done(|op| op.set_core("root", "e", &value, None, None));
    assert_eq!(done.evicted.iter().map(|gone| gone.key.as_str()).collect::<Vec<_>>(), ["c"]);
}

#[test]
fn a_value_that_fills_the_budget_sends_away_what_is_worth_less_and_nothing_else() {
    // Three lines of 7, 7 and 6 characters leave 174 of 200 for a value of `z`, what is worth 3 and more 181, 5 alone
    // 189; one so long sends away nothing that is worth as much. Importance and length of what is written last, what
    // is seen then, whether it is whole.
    let all = ["goal=5", "low=2", "plan=4"];
    let cases: [(i64, usize, &[&str], bool); 10] = [
        (1, 174, &all, true),
        (1, 190, &all, false),
        (2, 178, &all, false),
        (3, 178, &["goal=5", "plan=4"], true),
        (3, 182, &all, false),
        (4, 180, &["goal=5", "plan=4"], true),
        (4, 185, &all, false),
        (5, 188, &["goal=5"], true),
        (5, 197, &all, false),
        (3, 9_000, &all, false),
    ];
    for (importance, chars, others, seen) in cases {
        let scene = scene_of("[memory]\ncore_max_chars = 200\n");
        scene.branches(&[("root", None)]);
        for (key, worth) in [("goal", 5), ("plan", 4), ("low", 2)] {
            scene.done(|op| op.set_core("root", key, &worth.to_string(), None, Some(worth)));
        }
        let value = "x".repeat(chars);
        let done = scene.done(|op| op.set_core("root", "z", &value, None, Some(importance)));
        let mut all = scene.core("root");
        let last = all.pop_if(|it| it.starts_with("z=x"));
        all.sort();
        assert_eq!(all, others, "{importance} {chars} {done:?}");
        let is_whole = last.map(|it| it == format!("z={value}"));
        assert_eq!(is_whole, Some(seen), "{importance} {chars} {done:?}");
        let archived: String = scene.archive("root").into_iter().map(|it| it.text).collect();
        assert_eq!(archived.contains(&value), !seen && chars < 1_000, "{archived}");
    }
}

#[test]
fn a_value_that_alone_is_over_the_budget_keeps_its_beginning_and_lies_in_the_archive_whole() {
    let scene = scene_of(SMALL);
    scene.branches(&[("root", None)]);
    let value = format!("begin {} end", "é".repeat(400));
    let done = scene.done(|op| op.set_core("root", "k", &value, None, None));
    let record = done.archived_as.unwrap();
    let seen = &scene.core("root")[0];
    assert!(seen.starts_with("k=begin é") && seen.ends_with(&format!("… (archived as {record})")));
    assert_eq!(seen.chars().count(), 60 - 1);
    let mut archive = scene.archive("root");
    archive.reverse();
    assert_eq!((archive[0].id, archive.len()), (record, 2));
    let pieces: String = archive.into_iter().map(|record| record.text).collect();
    assert_eq!(pieces, format!("Core value: k\n{value}"));
}

#[test]
fn a_value_that_has_to_be_cut_anyway_sends_no_other_key_away() {
    let scene = scene_of(SMALL);
    scene.branches(&[("root", None)]);
    scene.done(|op| op.set_core("root", "goal", "fast", None, Some(5)));
    let value = "é".repeat(400);
    let done = scene.done(|op| op.set_core("root", "j", &value, None, Some(1)));
    assert!(done.archived_as.is_some() && done.evicted.is_empty(), "{done:?}");
    let seen = scene.core("root");
    assert_eq!(seen[0], "goal=fast");
    assert!(seen[1].starts_with("j=éé") && seen[1].contains("(archived as"), "{seen:?}");
}

#[test]
fn a_key_that_leaves_no_room_for_any_value_goes_to_the_archive_itself() {
    let scene = scene_of(SMALL);
    scene.branches(&[("root", None)]);
    let key = "k".repeat(70);
    let done = scene.done(|op| op.set_core("root", &key, "value", None, None));
    assert_eq!(done.evicted[0].key, key);
    assert_eq!(scene.core("root"), [""; 0]);
    assert!(scene.archive("root").iter().any(|record| record.text.ends_with("\nvalue")));
}

#[test]
fn what_cannot_be_a_key_or_a_branch_is_refused_and_leaves_nothing() {
    let scene = scene();
    scene.branches(&[("root", None)]);
    for (branch, key, says) in [
        ("root", "", "cannot be the name of a key"),
        ("root", "a\nb", "cannot be the name of a key"),
        ("root", &"k".repeat(1_025), "cannot be the name of a key"),
        ("nobody", "k", "there is no branch or node \"nobody\""),
        ("", "k", "cannot be the name of a branch or node"),
    ] {
        let said = scene.refused(|op| op.set_core(branch, key, "v", None, None));
        assert!(said.contains(says), "{said}");
    }
    let value = "x".repeat((4 << 20) + 1);
    let said = scene.refused(|op| op.set_core("root", "k", &value, None, None));
    assert!(said.contains("at most 4194304 are taken"), "{said}");
}

#[test]
fn secrets_are_taken_out_before_anything_is_decided() {
    let scene = scene_of(SMALL);
    scene.branches(&[("root", None)]);
    let secret = concat!("ghp", "_07kQ2mZx9Wc4Vb1Nt8Lr5Hd3Gf6Js0PqYuTe");
    scene.done(|op| op.set_core("root", "k", &format!("t {secret}"), None, None));
    scene.done(|op| op.insert_archival("root", &format!("{secret} {}", "y".repeat(400)), &[]));
    assert!(!format!("{:?}", scene.events()).contains("07kQ2mZx9Wc4"));
    assert!(scene.core("root")[0].contains("REDACTED"), "{:?}", scene.core("root"));
    let found =
        scene.done(|op| op.search_archival("root", (secret, Matching::All), None, true, &[]));
    assert_eq!(found.len(), 1);
}
