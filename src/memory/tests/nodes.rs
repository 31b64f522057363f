//! Branches and nodes: forks, ancestors, reads and writes of a node, forks from the past.

use super::{SMALL, scene, scene_of, tags};
use crate::event::Sequence;
use crate::memory::query::NodeScope;
use crate::memory::{NodeWrite, RecallGiven};
use crate::parse::reply::ArchivalWrite;

#[test]
fn missing_ancestors_are_made_each_under_the_one_before() {
    let scene = scene();
    let chain = tags(&["g", "p"]);
    let forked = scene.done(|op| op.mem_node_fork(Some("p"), "c", &chain, Some("tree")));
    assert_eq!(forked.auto_created, ["g", "p"]);
    assert_eq!((forked.parent.as_deref(), forked.created), (Some("p"), true));
    let view = scene.reader();
    let links = crate::memory::query::chain(&view.view(), "c").unwrap();
    assert_eq!(links.iter().map(|it| it.branch.as_str()).collect::<Vec<_>>(), ["c", "p", "g"]);
    drop(view);
    // Who is there already need not be made, and without a chain the parent is a root.
    let forked = scene.done(|op| op.mem_node_fork(Some("x"), "y", &tags(&["g", "x"]), None));
    assert_eq!(forked.auto_created, ["x"]);
    let forked = scene.done(|op| op.mem_node_fork(Some("lone"), "z", &[], None));
    assert_eq!(forked.auto_created, ["lone"]);
}

#[test]
fn a_chain_that_says_otherwise_than_what_is_there_is_refused() {
    let scene = scene();
    scene.branches(&[("root", None), ("p1", Some("root")), ("p3", Some("p1")), ("r1", None)]);
    for chain in [
        &["r1", "root", "p3"][..],
        &["root", "p3"],
        &["new", "p1", "p3"],
        &["root", "p1"],
        &["p3", "x"],
    ] {
        let said = scene.refused(|op| op.mem_node_fork(Some("p3"), "z", &tags(chain), None));
        assert!(said.contains(r#"whose chain is "root" > "p1" > "p3""#), "{said}");
        assert!(said.contains(&format!("{:?}", chain[0])), "{said}");
    }
    let chains = [&["root", "p1", "p3"][..], &["p1", "p3"], &["p3"], &[]];
    for (number, chain) in chains.into_iter().enumerate() {
        let child = format!("c{number}");
        let forked = scene.done(|op| op.mem_node_fork(Some("p3"), &child, &tags(chain), None));
        assert_eq!((forked.created, forked.auto_created.len()), (true, 0));
    }
    let chain = tags(&["root", "n1", "n2"]);
    let forked = scene.done(|op| op.mem_node_fork(Some("n2"), "n3", &chain, None));
    assert_eq!(forked.auto_created, ["n1", "n2"]);
}

#[test]
fn the_same_fork_again_changes_nothing_and_another_parent_is_refused() {
    let scene = scene();
    scene.branches(&[("root", None), ("a", Some("root"))]);
    let before = scene.events().len();
    assert!(!scene.done(|op| op.mem_node_fork(Some("root"), "a", &[], None)).created);
    assert_eq!(scene.events().len(), before);
    for (parent, child, says) in [
        (None, "a", "its parent is \"root\", not none"),
        (Some("a"), "a", "its parent is \"root\", not \"a\""),
        (Some("b"), "b", "cannot be its own ancestor"),
        (Some("root"), "a\u{7}", "cannot be the name of a branch"),
        (Some(""), "c", "cannot be the name of a branch"),
        (None, concat!("ghp", "_07kQ2mZx9Wc4Vb1Nt8Lr5Hd3Gf6Js0PqYuTe"), "looks like a secret"),
    ] {
        let said = scene.refused(|op| op.mem_node_fork(parent, child, &[], None));
        assert!(said.contains(says), "{said}");
    }
    let said = scene.refused(|op| op.create_branch(Some("nobody"), None, "c"));
    assert!(said.contains("there is no branch or node"), "{said}");
    let long = "n".repeat(257);
    scene.refused(|op| op.mem_node_fork(None, &long, &[], None));
    let chain = tags(&["c", "p"]);
    scene.refused(|op| op.mem_node_fork(Some("p"), "c", &chain, None));
}

#[test]
fn a_node_is_written_and_read_whole() {
    let scene = scene();
    let write = NodeWrite {
        core_updates: vec![("k".to_owned(), "v".to_owned())],
        recall_event: Some(RecallGiven { summary: "s".to_owned(), ..RecallGiven::default() }),
        archival_records: vec![ArchivalWrite {
            text: "t".to_owned(),
            tags: tags(&["x"]),
            meta: vec![],
        }],
    };
    let written = scene.done(|op| op.mem_node_write("n", &write));
    assert_eq!((written.branch.as_str(), written.core.len(), written.archival.len()), ("n", 1, 1));
    let read = scene.done(|op| op.mem_node_read("n", NodeScope::All));
    assert_eq!(read.core.unwrap()["k"].value, "v");
    assert_eq!(read.recall.unwrap().events[0].tags, ["RECALL_EVENT", "node_id:n", "kind:event"]);
    assert_eq!(read.archival.unwrap()[0].tags, ["x", "node_id:n"]);
    let read = scene.done(|op| op.mem_node_read("n", NodeScope::Core));
    assert!(read.core.is_some() && read.recall.is_none() && read.archival.is_none());
    scene.refused(|op| op.mem_node_read("nobody", NodeScope::All));
}

#[test]
fn a_fork_from_the_past_holds_what_was_seen_then() {
    let scene = scene_of(SMALL);
    scene.branches(&[("root", None), ("a", Some("root"))]);
    scene.done(|op| op.set_core("root", "k", "then", Some("90"), Some(2)));
    for i in 0..9 {
        scene.done(|op| op.write_event("root", "note", &format!("event {i}"), &tags(&["t"])));
    }
    scene.done(|op| op.insert_archival("a", "record", &tags(&["x"])));
    let then = scene.folder.path().join("then.db");
    std::fs::copy(scene.project.annals_dir().join("memory.db"), &then).unwrap();
    let through = Sequence(2 + scene.events().len() as u64);
    let seen = (scene.core("a"), scene.recall_texts("a"), scene.summaries("a"));
    let archived = scene.archive("a");
    scene.done(|op| op.set_core("a", "k", "now", None, None));
    scene.done(|op| op.insert_archival("root", "later", &[]));
    let past = crate::memory::store::MemoryReader::open(&then).unwrap();
    let forked = scene.done(|op| op.fork_at("f", Some("node-f"), "a", &past.view(), through));
    assert_eq!(forked.copied, (seen.0.len() + seen.1.len() + seen.2.len() + archived.len()) as u64);
    assert_eq!((scene.core("f"), scene.recall_texts("f"), scene.summaries("f")), seen);
    let told = |records: Vec<crate::memory::query::ArchivalRecord>| {
        records.into_iter().map(|it| (it.text, it.tags, it.at_ms)).collect::<Vec<_>>()
    };
    assert_eq!(told(scene.archive("f")), told(archived));
    let before = scene.events().len();
    let again = scene.done(|op| op.fork_at("f", Some("node-f"), "a", &past.view(), through));
    assert_eq!((again.created, again.copied, scene.events().len()), (false, 0, before));
    scene.refused(|op| op.fork_at("f", None, "root", &past.view(), through));
    let through = Sequence(through.0 - 1);
    let said = scene.refused(|op| op.fork_at("f", None, "a", &past.view(), through));
    assert!(said.contains("is there already"), "{said}");
    scene.refused(|op| op.fork_at("g", None, "nobody", &past.view(), through));
    // It stands alone: what its model writes later is not seen here.
    scene.done(|op| op.write_event("a", "note", "after", &[]));
    assert!(!scene.recall_texts("f").contains(&"after".to_owned()));
}
