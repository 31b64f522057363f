//! Archival memory: numbers, duplicates, cuts, changes.

use super::{SMALL, scene, scene_of, tags};
use crate::memory::query::Matching;
use crate::parse::reply::{ArchivalChange, ArchivalWrite};

fn write(text: &str, of: &[&str], meta: &[(&str, &str)]) -> ArchivalWrite {
    let meta = meta.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    ArchivalWrite { text: text.to_owned(), tags: tags(of), meta }
}

fn change(id: u64, text: Option<&str>, to: Option<&[&str]>) -> ArchivalChange {
    ArchivalChange { id, text: text.map(str::to_owned), tags: to.map(tags), meta: Vec::new() }
}

#[test]
fn what_is_said_of_a_record_becomes_tags() {
    let scene = scene();
    scene.branches(&[("root", None), ("n1", Some("root"))]);
    let meta =
        [("run_id", "run-1"), ("node_id", "n1"), ("branch_id", "?"), ("refs", "r"), ("a", "b")];
    let done = scene.done(|op| op.mem_archival_write("root", &write("text", &["ERROR"], &meta)));
    assert_eq!((done.branch.as_str(), done.written, done.cut), ("n1", true, false));
    let record = scene.done(|op| op.mem_archival_get(done.id)).unwrap();
    assert_eq!(record.tags, ["ERROR", "run_id:run-1", "node_id:n1", "ref:r", "a:b"]);
    assert_eq!(scene.done(|op| op.mem_archival_get(done.id + 1)), None);
    // The very same is found, not written.
    let again = scene.done(|op| op.mem_archival_write("root", &write("text", &["ERROR"], &meta)));
    assert_eq!((again.id, again.written), (done.id, false));
    let said = scene.refused(|op| op.mem_archival_write("root", &write(" \n", &[], &[])));
    assert!(said.contains("is empty"), "{said}");
}

#[test]
fn a_text_too_long_for_a_record_goes_on_in_the_next_and_is_found() {
    let scene = scene_of(SMALL);
    scene.branches(&[("root", None)]);
    let text = format!("{}TAILWORD", "word ".repeat(200));
    let done = scene.done(|op| op.insert_archival("root", &text, &tags(&["t"])));
    assert!(done.cut);
    assert_eq!(done.records, [1, 2, 3, 4]);
    let mut archive = scene.archive("root");
    archive.reverse();
    assert!(archive.iter().all(|record| record.text.chars().count() <= 300));
    let pieces: Vec<&str> = archive.iter().map(|record| record.text.as_str()).collect();
    assert_eq!(pieces.concat(), text);
    assert_eq!(archive[0].tags, ["t", "part:1/4"]);
    let found =
        scene.done(|op| op.search_archival("root", ("TAILWORD", Matching::Any), None, true, &[]));
    assert_eq!(found[0].id, 4);
    // The very same is found, not written.
    let again = scene.done(|op| op.insert_archival("root", &text, &tags(&["t"])));
    assert_eq!((again.id, again.written, again.records), (1, false, vec![1, 2, 3, 4]));
    // What only begins so is another.
    let other = text.replace("TAILWORD", "another");
    assert_eq!(scene.done(|op| op.insert_archival("root", &other, &tags(&["t"]))).id, 5);
}

#[test]
fn long_values_events_and_changes_are_in_the_archive_whole() {
    let scene = scene_of(SMALL);
    scene.branches(&[("root", None)]);
    let text = format!("{}TAILWORD", "x".repeat(900));
    let held = |scene: &super::Scene, tag: &str| {
        let mut archive = scene.archive("root");
        archive.retain(|record| record.tags.iter().any(|known| known == tag));
        archive.reverse();
        archive.into_iter().map(|record| record.text).collect::<String>()
    };
    let set = scene.done(|op| op.set_core("root", "big", &text, None, None));
    assert_eq!(set.archived_as, Some(1));
    assert_eq!(held(&scene, "CORE_WHOLE"), format!("Core value: big\n{text}"));
    let id = scene.done(|op| op.write_event("root", "note", &text, &[])).id;
    let which = crate::parse::reply::RecallEvict { ids: vec![id], ..Default::default() };
    let gone = scene.done(|op| op.evict("root", &which));
    assert!(held(&scene, "EVICTED_RECALL").ends_with(&format!(":\n{text}")));
    assert_eq!(gone.records.len(), 1);
    let id = scene.done(|op| op.insert_archival("root", "short", &tags(&["mine"]))).id;
    for _ in 0..2 {
        scene.done(|op| op.mem_archival_update(None, &change(id, Some(&text), None)));
        assert_eq!(held(&scene, "mine"), text);
    }
    let record = scene.done(|op| op.mem_archival_get(id)).unwrap();
    assert_eq!(record.tags, ["mine", "part:1/4"]);
}

#[test]
fn only_a_branchs_own_record_is_changed_and_what_is_not_named_stays() {
    let scene = scene();
    scene.branches(&[("root", None), ("a", Some("root"))]);
    let id = scene.done(|op| op.insert_archival("root", "old", &tags(&["t"]))).id;
    let said = scene.refused(|op| op.mem_archival_update(Some("a"), &change(id, Some("x"), None)));
    assert!(said.contains("is of branch \"root\": \"a\" sees it, and cannot change it"), "{said}");
    let said = scene.refused(|op| op.mem_archival_update(None, &change(9, Some("x"), None)));
    assert!(said.contains("there is no archival record 9"), "{said}");
    for (change, text, tags) in [
        (change(id, Some("new"), None), "new", &["t"][..]),
        (change(id, None, Some(&["u", "v"])), "new", &["u", "v"]),
        (change(id, None, Some(&[])), "new", &[]),
    ] {
        scene.done(|op| op.mem_archival_update(Some("root"), &change));
        let record = scene.done(|op| op.mem_archival_get(id)).unwrap();
        assert_eq!((record.text.as_str(), record.tags.as_slice()), (text, &super::tags(tags)[..]));
    }
    let before = scene.events().len();
    scene.done(|op| op.mem_archival_update(None, &change(id, None, None)));
    assert_eq!(scene.events().len(), before);
    let found = scene.done(|op| op.search_archival("a", ("new", Matching::Any), None, true, &[]));
    assert_eq!(found.len(), 1, "the index knows the new text");
    assert!(
        scene
            .done(|op| op.search_archival("a", ("old", Matching::Any), None, true, &[]))
            .is_empty()
    );
}

#[test]
fn a_number_is_given_once_whatever_goes() {
    let scene = scene();
    scene.branches(&[("root", None)]);
    let first = scene.done(|op| op.write_event("root", "note", "1", &[])).id;
    let which = crate::parse::reply::RecallEvict { ids: vec![first], ..Default::default() };
    scene.done(|op| op.evict("root", &which));
    assert_eq!(scene.done(|op| op.write_event("root", "note", "2", &[])).id, first + 1);
    // Also where the store was thrown away in between.
    std::fs::remove_file(scene.project.annals_dir().join("memory.db")).unwrap();
    assert_eq!(scene.done(|op| op.write_event("root", "note", "3", &[])).id, first + 2);
}
