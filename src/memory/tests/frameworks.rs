//! What frameworks keep: values under keys and threads of messages, nothing of which is ever lost.

use super::{SMALL, Scene, scene, scene_of};
use crate::event::Body;
use crate::memory::state::{KvKey, KvSearch};
use crate::memory::{Asked, Asker, Operation};
use crate::memory::{MemoryError, Result};

const SECRET: &str = concat!("ghp", "_07kQ2mZx9Wc4Vb1Nt8Lr5Hd3Gf6Js0PqYuTe");

fn key<'a>(branch: &'a str, key: &'a str) -> KvKey<'a> {
    KvKey { branch, namespace: &[], key }
}

fn put(scene: &Scene, branch: &str, name: &str, value: &str) -> u64 {
    scene.done(|op| op.kv_put(&key(branch, name), value, None)).version
}

/// What a branch sees under a key.
fn got(scene: &Scene, branch: &str, name: &str) -> Option<String> {
    let found = scene.done(|op| op.kv_get(&key(branch, name), None))?;
    Some(found.value.unwrap().0)
}

/// The messages that a branch sees, as `number role content`.
fn said(scene: &Scene, branch: &str) -> Vec<String> {
    let all = scene.done(|op| op.thread_read(branch, "t", usize::MAX));
    all.into_iter().map(|it| format!("{} {} {}", it.number, it.role, it.content.0)).collect()
}

#[test]
fn sixty_values_and_fifty_messages_are_all_kept_whatever_the_sizes_of_memory_are() {
    let scene = scene_of(SMALL);
    scene.branches(&[("b", None)]);
    let mut memory = scene.memory();
    let value = |at: usize| format!("\"{at} {}\"", "x".repeat(40));
    // Equal ones among them.
    let message = |at: usize| format!("\"hello {}\"", at % 5);
    let all = (0..110).map(|at| Asked {
        asker: Asker::default(),
        operation: Box::new(move |op: &mut Operation<'_>| match at {
            ..60 => {
                let name = format!("key {at}");
                op.kv_put(&key("b", &name), &value(at), None).map(|it| it.version)
            }
            at => op.thread_append("b", "t", "user", &message(at)),
        }) as Box<dyn FnOnce(&mut Operation<'_>) -> Result<u64, MemoryError>>,
    });
    let done: Vec<u64> =
        memory.operate_many(all.collect()).unwrap().into_iter().map(Result::unwrap).collect();
    drop(memory);
    assert!(done[..60].iter().all(|version| *version == 1));
    assert_eq!(done[60..], (1..=50).collect::<Vec<u64>>());

    let found = scene.done(|op| op.kv_list("b", &[]));
    assert_eq!(found.len(), 60);
    for at in 0..60 {
        assert_eq!(got(&scene, "b", &format!("key {at}")), Some(value(at)));
    }
    let expected: Vec<String> =
        (60..110).map(|at| format!("{} user {}", at - 59, message(at))).collect();
    assert_eq!(said(&scene, "b"), expected);
}

#[test]
fn a_value_comes_back_as_it_was_written() {
    let scene = scene();
    scene.branches(&[("b", None)]);
    let long = format!("\"{}\"", "é".repeat(100_000));
    let cases: [(&str, &str); 8] = [
        ("1.50", "1.50"),
        ("12345678901234567890123", "12345678901234567890123"),
        (" { \"z\" : 1.0,\n \"a\" : [ ] } ", "{\"z\":1.0,\"a\":[]}"),
        ("\"a \\\" b\\\\\"", "\"a \\\" b\\\\\""),
        // A word that a rule of redaction begins with changes nothing.
        ("{\"token\":1.0,\"b\":2}", "{\"token\":1.0,\"b\":2}"),
        ("\"\\ud800\"", "\"\\ud800\""),
        ("null", "null"),
        (&long, &long),
    ];
    for (at, (given, kept)) in cases.into_iter().enumerate() {
        assert_eq!(put(&scene, "b", "key", given), at as u64 + 1);
        assert_eq!(got(&scene, "b", "key").as_deref(), Some(kept));
    }
    let third = scene.done(|op| op.kv_get(&key("b", "key"), Some(3))).unwrap();
    assert_eq!(third.value.unwrap().0, cases[2].1);
    let history = scene.done(|op| op.kv_history(&key("b", "key"), 2));
    assert_eq!(history.iter().map(|it| it.version).collect::<Vec<_>>(), [8, 7]);
}

#[test]
fn what_is_no_value_and_no_name_is_refused_and_leaves_nothing() {
    let scene = scene();
    scene.branches(&[("b", None)]);
    let large = format!("\"{}\"", "x".repeat(5 << 20));
    let deep = "[".repeat(200) + &"]".repeat(200);
    let many: Vec<String> = (0..33).map(|at| at.to_string()).collect();
    let secret = SECRET.to_owned();
    let put = |key: KvKey<'_>, value: &str| scene.refused(|op| op.kv_put(&key, value, None));
    for value in ["{", "no json", "", &large, &deep] {
        put(key("b", "key"), value);
    }
    assert!(put(key("b", ""), "1").contains("name of a key"));
    assert!(put(key("b", &secret), "1").contains("secret"));
    assert!(put(key("none", "key"), "1").contains("no branch"));
    let of = |labels: &[String]| put(KvKey { branch: "b", namespace: labels, key: "key" }, "1");
    assert!(of(&many).contains("33 are too many"));
    assert!(of(&[String::new()]).contains("label"));
    assert!(of(std::slice::from_ref(&secret)).contains("secret"));
    scene.refused(|op| op.thread_append("b", "", "user", "1"));
    scene.refused(|op| op.thread_append("b", "t", "", "1"));
    scene.refused(|op| op.thread_append("b", "t", "user", "{"));
    scene.refused(|op| op.thread_append("b", &secret, "user", "1"));
}

#[test]
fn secrets_go_and_a_key_s_name_tells_that_its_value_is_one() {
    let scene = scene();
    scene.branches(&[("b", None)]);
    let secret = SECRET.to_owned();
    put(&scene, "b", "note", &format!("[\"it is {secret}\",1.0]"));
    put(&scene, "b", "password", "\"hunter2-and-more\"");
    scene.done(|op| op.thread_append("b", "t", "user", &format!("{{\"content\":\"{secret}\"}}")));
    assert!(got(&scene, "b", "note").unwrap().starts_with("[\"it is [REDACTED:"));
    assert_eq!(got(&scene, "b", "password").unwrap(), "\"[REDACTED:json-member]\"");
    assert!(said(&scene, "b")[0].starts_with("1 user {\"content\":\"[REDACTED:"));
    assert!(!format!("{:?}", scene.events()).contains(&secret));
}

#[test]
fn a_fork_goes_on_with_what_its_parent_had_and_neither_changes_the_other() {
    let scene = scene();
    scene.branches(&[("b", None)]);
    put(&scene, "b", "key", "1");
    put(&scene, "b", "gone", "1");
    for content in ["1", "2"] {
        scene.done(|op| op.thread_append("b", "t", "user", content));
    }
    scene.branches(&[("c", Some("b"))]);
    // Of the parent nothing that comes later is seen, of the child nothing at all.
    assert_eq!(put(&scene, "b", "key", "2"), 2);
    assert_eq!(put(&scene, "c", "key", "3"), 2);
    scene.done(|op| op.kv_delete(&key("c", "gone")));
    scene.done(|op| op.thread_append("b", "t", "user", "3"));
    let popped = scene.done(|op| op.thread_pop("c", "t")).unwrap();
    assert_eq!((popped.number, popped.content.0.as_str()), (2, "2"));
    scene.done(|op| op.thread_append("c", "t", "tool", "4"));
    assert_eq!(
        [got(&scene, "b", "key"), got(&scene, "c", "key")],
        [Some("2".into()), Some("3".into())]
    );
    assert_eq!([got(&scene, "b", "gone"), got(&scene, "c", "gone")], [Some("1".into()), None]);
    assert_eq!(said(&scene, "b"), ["1 user 1", "2 user 2", "3 user 3"]);
    assert_eq!(said(&scene, "c"), ["1 user 1", "3 tool 4"]);
    assert_eq!(scene.done(|op| op.thread_clear("b", "t")), 3);
    assert_eq!(scene.done(|op| op.thread_clear("b", "t")), 0);
    assert_eq!(scene.done(|op| op.thread_pop("b", "t")), None);
    assert_eq!(said(&scene, "c").len(), 2);
    // A number is given once, and so is a version.
    assert_eq!(scene.done(|op| op.thread_append("b", "t", "user", "5")), 4);
    assert_eq!(put(&scene, "c", "gone", "2"), 2);
}

#[test]
fn of_what_is_asked_together_each_sees_what_was_done_before_and_nothing_of_what_was_refused() {
    let scene = scene();
    scene.branches(&[("b", None)]);
    let before = scene.events().len();
    let step = |at: usize| -> Box<dyn FnOnce(&mut Operation<'_>) -> Result<u64, MemoryError>> {
        Box::new(move |op| {
            let done = op.kv_put(&key("b", "key"), "1", None)?.version;
            match at {
                2 => op.kv_put(&key("b", "key"), "{", None).map(|it| it.version),
                _ => Ok(done),
            }
        })
    };
    let all = (0..4).map(|at| Asked { asker: Asker::default(), operation: step(at) });
    let mut memory = scene.memory();
    let done = memory.operate_many(all.collect()).unwrap();
    drop(memory);
    let done: Vec<Option<u64>> = done.into_iter().map(Result::ok).collect();
    assert_eq!(done, [Some(1), Some(2), None, Some(3)]);
    let events = scene.events();
    let puts = events[before..].iter().filter(|it| matches!(it.body, Body::KvPut(_)));
    assert_eq!(puts.count(), 3);
}

#[test]
fn a_branch_begun_in_the_same_commit_is_known() {
    let scene = scene();
    scene.branches(&[("b", None)]);
    put(&scene, "b", "key", "1");
    let seen = scene.done(|op| {
        op.mem_node_fork(Some("b"), "c", &[], None)?;
        op.kv_put(&key("c", "own"), "2", None)?;
        op.kv_list("c", &[])
    });
    let seen: Vec<(String, u64)> = seen.into_iter().map(|it| (it.key, it.version)).collect();
    assert_eq!(seen, [("key".into(), 1), ("own".into(), 1)]);
}

#[test]
fn values_are_found_by_their_words_their_namespace_and_their_members() {
    let scene = scene();
    scene.branches(&[("b", None)]);
    let of = |labels: &[&str]| labels.iter().map(|it| (*it).to_owned()).collect::<Vec<String>>();
    let values = [
        (&["users", "anna"][..], "home", r#"{"text":"she lives in Oslo","age":30}"#),
        (&["users", "anna"], "work", r#"{"text":"gardening, and gardens","age":30.5}"#),
        (&["users", "ben"], "home", r#"{"text":"a garden in Rome","age":41}"#),
        (&["user"], "home", r#"{"text":"garden garden garden"}"#),
    ];
    for (namespace, name, value) in values {
        let at = KvKey { branch: "b", namespace: &of(namespace), key: name };
        scene.done(|op| op.kv_put(&at, value, None));
    }
    let found = |below: &[&str], query: &str, filter: &str| -> Vec<String> {
        let below = of(below);
        let filter = crate::memory::state::Filter::of(serde_json::from_str(filter).unwrap());
        let search = KvSearch {
            branch: "b",
            below: &below,
            query,
            filter: filter.unwrap(),
            skip: 0,
            most: 10,
        };
        let found = scene.done(|op| op.kv_search(&search));
        assert!(found.iter().all(|it| it.score.is_some_and(|it| it > 0.0) != query.is_empty()));
        assert!(found.is_sorted_by(|one, other| one.score >= other.score));
        found.iter().map(|it| format!("{}/{}", it.namespace.join("/"), it.key)).collect()
    };
    assert_eq!(found(&["users"], "garden", "{}"), ["users/anna/work", "users/ben/home"]);
    assert_eq!(found(&["users", "anna"], "the Osloer or oslo", "{}"), ["users/anna/home"]);
    assert_eq!(found(&["users"], "zebra", "{}"), [""; 0]);
    let newest = ["users/ben/home", "users/anna/work", "users/anna/home"];
    assert_eq!(found(&["users"], "", "{}"), newest);
    assert_eq!(found(&[], "", r#"{"age":{"$gt":30}}"#), newest[..2]);
    assert_eq!(found(&[], "", r#"{"age":30.0}"#), ["users/anna/home"]);
    let namespaces = scene.done(|op| op.kv_namespaces("b"));
    assert_eq!(namespaces, [of(&["user"]), of(&["users", "anna"]), of(&["users", "ben"])]);
}

#[test]
fn a_fork_from_the_past_sees_what_was_seen_then() {
    let scene = scene();
    scene.branches(&[("b", None)]);
    put(&scene, "b", "key", "1");
    scene.done(|op| op.thread_append("b", "t", "user", "1"));
    let through = crate::event::Sequence(2 + scene.events().len() as u64);
    put(&scene, "b", "key", "2");
    scene.done(|op| op.thread_append("b", "t", "user", "2"));
    let reader = scene.reader();
    scene.done(|op| op.fork_at("then", None, "b", &reader.view(), through));
    drop(reader);
    assert_eq!(got(&scene, "then", "key").as_deref(), Some("1"));
    assert_eq!(said(&scene, "then"), ["1 user 1"]);
    let threads = scene.done(|op| op.thread_list("b"));
    assert_eq!((threads[0].thread.as_str(), threads[0].messages), ("t", 2));
}

#[test]
fn a_store_that_cannot_be_believed_is_built_anew_before_anything_is_decided() {
    let scene = scene();
    scene.branches(&[("b", None)]);
    let path = scene.project.annals_dir().join("state.db");
    let beside = ["state.db-wal", "state.db-shm"].map(|name| scene.project.annals_dir().join(name));
    for (version, wound) in [(1, ""), (2, "missing"), (3, "garbage"), (4, "empty")] {
        if !wound.is_empty() {
            std::fs::remove_file(&path).unwrap();
            beside.iter().for_each(|path| drop(std::fs::remove_file(path))); // not always there
        }
        match wound {
            "garbage" => std::fs::write(&path, "no database at all").unwrap(),
            "empty" => drop(rusqlite::Connection::open(&path).unwrap()),
            _ => {}
        }
        assert_eq!(put(&scene, "b", "key", "1"), version, "{wound}");
    }
    assert_eq!(got(&scene, "b", "key").as_deref(), Some("1"));
}
