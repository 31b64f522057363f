//! What is found does not depend on how far the index is.

use super::{Scene, scene, tags};
use crate::execution::index::IndexReader;
use crate::memory::query::{ArchivalSearch, Matching, search};
use crate::memory::{MemoryError, Operation};
use crate::parse::reply::ArchivalChange;
use crate::store::JournalFeed;
use crate::store::catch_up::catch_up;

const QUERIES: [&str; 4] = ["failing tests", "defaultAgent", "a note on 日本語", "revised"];

fn caught_up(scene: &Scene) {
    let places = crate::stores::places(scene.project.root());
    let report = catch_up(&places, &JournalFeed::of(&scene.project).unwrap());
    assert!(report.stores.iter().all(|it| it.outcome.is_ok()), "{report:?}");
}

/// As an operation finds it, which is how it is found in the records themselves.
fn found(op: &mut Operation<'_>) -> Result<Vec<Vec<u64>>, MemoryError> {
    let mut all = Vec::new();
    for query in QUERIES {
        let found = op.search_archival("b", (query, Matching::Any), Some(5), true, &[])?;
        let view = op.view()?;
        let asked = ArchivalSearch {
            branch: "b",
            query,
            matching: Matching::Any,
            k: 5,
            tags: &[],
            include_ancestors: true,
            use_fts: false,
        };
        assert_eq!(found, search(&view, &asked).unwrap(), "{query}");
        all.push(found.into_iter().map(|it| it.id).collect());
    }
    Ok(all)
}

#[test]
fn what_is_found_does_not_depend_on_how_far_the_index_is() {
    let scene = scene();
    scene.branches(&[("root", None), ("b", Some("root")), ("c", Some("root"))]);
    let change = |id: u64, text: Option<&str>, of: Option<&[&str]>| {
        let (text, tags) = (text.map(str::to_owned), of.map(tags));
        ArchivalChange { id, text, tags, meta: vec![] }
    };
    let mut memory = scene.memory();
    let mut operate = |act: &mut dyn FnMut(&mut Operation<'_>) -> Result<(), MemoryError>| {
        memory.operate(&Default::default(), |op| act(op).and_then(|()| found(op))).unwrap()
    };
    let all = operate(&mut |op| {
        op.insert_archival("root", "The tests fail on Monday", &[])?;
        op.insert_archival("b", "the defaultAgent is set", &tags(&["NOTE"]))?;
        op.insert_archival("c", "tests of another branch fail", &[]).map(drop)
    });
    assert_eq!(all, [&[1][..], &[2], &[2], &[]]);
    caught_up(&scene);
    assert_eq!(operate(&mut |_| Ok(())), all);
    // Behind by others' records, by changes, and by what is decided now.
    operate(&mut |op| op.insert_archival("b", "one test failed", &[]).map(drop));
    operate(&mut |op| op.mem_archival_update(None, &change(2, None, Some(&["REVISED"]))));
    let all = operate(&mut |op| op.mem_archival_update(None, &change(1, Some("日本語"), None)));
    assert_eq!(all, [&[4][..], &[2], &[1], &[2]]);
    caught_up(&scene);
    assert_eq!(operate(&mut |_| Ok(())), all);
    // Who only looks reads the same, beside an index that knows all, and one that does not.
    let index = IndexReader::open(crate::stores::places(scene.project.root()).index()).unwrap();
    let looked = |query, is_kept| {
        let reader = scene.reader();
        let view = reader.view_beside(&index).unwrap();
        assert_eq!(view.has_kept_words(), is_kept);
        let newest = ArchivalSearch::newest("b", 5);
        let asked = ArchivalSearch { query, matching: Matching::Any, ..newest };
        search(&view, &asked).unwrap().into_iter().map(|it| it.id).collect::<Vec<_>>()
    };
    caught_up(&scene);
    for (query, ids) in QUERIES.iter().zip(&all) {
        assert_eq!(&looked(query, true), ids, "{query}");
    }
    operate(&mut |op| op.mem_archival_update(None, &change(4, Some("all is revised"), None)));
    assert_eq!(looked("revised", false), [4, 2]);
    drop(memory);
}

#[test]
fn many_records_of_a_branch_are_kept_in_several_rows() {
    let scene = scene();
    scene.branches(&[("b", None)]);
    let text = |id: u64| format!("number{id} {}", "some words that all of them have ".repeat(5));
    scene.done(|op| (1..=60).try_for_each(|id| op.insert_archival("b", &text(id), &[]).map(drop)));
    caught_up(&scene);
    let change = |id, text: &str| ArchivalChange {
        id,
        text: Some(text.to_owned()),
        tags: None,
        meta: vec![],
    };
    for id in [1, 30, 60] {
        scene.done(|op| op.mem_archival_update(None, &change(id, &format!("changed{id}"))));
    }
    caught_up(&scene);
    let index = IndexReader::open(crate::stores::places(scene.project.root()).index()).unwrap();
    let rows: u64 = index.cell("SELECT count(*) FROM memory_words", []).unwrap().unwrap();
    assert!((3..=10).contains(&rows), "{rows}");
    for (query, ids) in [
        ("changed1", &[1][..]),
        ("changed30", &[30]),
        ("changed60", &[60]),
        ("number30", &[]),
        ("number31", &[31]),
    ] {
        let any = (query, Matching::Any);
        let found = scene.done(|op| op.search_archival("b", any, None, true, &[]));
        assert_eq!(found.into_iter().map(|it| it.id).collect::<Vec<_>>(), ids, "{query}");
    }
}
