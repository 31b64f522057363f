//! What two branches see differently.

use super::super::diff::Pair;
use super::kept::{Kept, append, archive, delete, fork, set, set_as};
use crate::memory::query::{MemorySide, NodeScope, branch_of, diff, node_read};

#[test]
fn two_branches_differ_by_what_each_wrote() {
    let kept = Kept::with([
        fork("root", None),
        set("root", "shared", "1"),
        set("root", "changed", "1"),
        set("root", "deleted", "1"),
        append(1, "root", "note", "shared", &[]),
        archive(1, "root", "shared", &[]),
        fork("a", Some("root")),
        fork("b", Some("root")),
        set("a", "changed", "2"),
        set_as("a", "over", "1", 3, Some("1")),
        delete("b", "deleted"),
        set("b", "new", "1"),
        append(2, "a", "note", "a's", &[]),
        append(3, "b", "note", "b's", &[]),
        archive(2, "b", "b's", &[]),
    ]);
    let side = |branch| MemorySide { view: kept.view(), branch, now_ms: 1_000_000 };
    let found = diff(&side("a"), &side("b")).unwrap();
    let keys = |values: &[crate::memory::query::CoreValue]| {
        values.iter().map(|value| value.key.clone()).collect::<Vec<_>>()
    };
    assert_eq!(keys(&found.core.only_a), ["deleted"]);
    assert_eq!(keys(&found.core.only_b), ["new"]);
    let [Pair { a: ours, b: theirs }] = &found.core.different[..] else { panic!("{found:?}") };
    assert_eq!((ours.value.as_str(), theirs.value.as_str(), found.core.same), ("2", "1", 1));
    assert_eq!((found.recall.only_a[0].id, found.recall.only_b[0].id), (2, 3));
    assert_eq!((found.recall.same, found.archival.same), (1, 1));
    assert_eq!((found.archival.only_a.len(), found.archival.only_b[0].id), (0, 2));
    assert_eq!((found.recall_since_ms, found.archival_since_ms), (None, None));
    let same = diff(&side("a"), &side("a")).unwrap();
    assert_eq!((same.core.same, same.recall.same, same.archival.same), (3, 2, 1));
    assert!(same.core.different.is_empty() && same.recall.only_a.is_empty());
}

#[test]
fn a_copy_counts_as_what_it_was_copied_from() {
    let mut kept = Kept::with([fork("old", None), fork("copy", None)]);
    kept.apply(append(1, "old", "note", "text", &["t"]), 500);
    kept.apply(archive(1, "old", "text", &["t"]), 500);
    kept.apply(archive(3, "old", "twice", &[]), 500);
    kept.apply(append(2, "copy", "note", "text", &["t"]), 500);
    kept.apply(archive(2, "copy", "text", &["t"]), 500);
    kept.apply(archive(4, "copy", "twice", &[]), 500);
    kept.apply(archive(5, "copy", "twice", &[]), 500);
    let side = |branch| MemorySide { view: kept.view(), branch, now_ms: 1_000_000 };
    let found = diff(&side("old"), &side("copy")).unwrap();
    assert_eq!((found.recall.same, found.archival.same), (1, 2));
    assert!(found.recall.only_a.is_empty() && found.archival.only_a.is_empty());
    assert_eq!(found.archival.only_b.len(), 1);
}

#[test]
fn a_node_is_read_layer_by_layer_under_either_name() {
    let kept = Kept::with([
        fork("b", None),
        set("b", "k", "v"),
        append(1, "b", "note", "text", &[]),
        archive(1, "b", "text", &[]),
    ]);
    let view = kept.view();
    assert_eq!(branch_of(&view, "node-b").unwrap().as_deref(), Some("b"));
    assert_eq!(branch_of(&view, "b").unwrap().as_deref(), Some("b"));
    assert_eq!(branch_of(&view, "node").unwrap(), None);
    for (scope, layers) in [
        ("all", [true, true, true]),
        ("core", [true, false, false]),
        ("recall", [false, true, false]),
        ("archival", [false, false, true]),
    ] {
        let parsed = NodeScope::parse(scope).unwrap();
        let read = node_read(&view, "node-b", parsed, (20, 8), 0).unwrap().unwrap();
        let found = [read.core.is_some(), read.recall.is_some(), read.archival.is_some()];
        assert_eq!((found, read.branch.as_str()), (layers, "b"), "{scope}");
    }
    assert_eq!(NodeScope::parse("ALL"), None);
    assert_eq!(node_read(&view, "none", NodeScope::All, (20, 8), 0).unwrap(), None);
}
