//! A model's updates: each key and its alias, in order, as one commit.

use serde_json::Value;

use super::{SMALL, Scene, scene, scene_of};
use crate::event::{Body, MemoryDoor};
use crate::memory::{Applied, Asker};
use crate::parse::reply::Updates;

fn apply(scene: &Scene, branch: &str, updates: &str) -> Applied {
    let updates = Updates::parse(updates).unwrap();
    scene.done(|op| op.apply_llm_memory_updates(branch, &updates, Some("n1"), Some("draft"), None))
}

/// The `operations_log` without its times.
fn operations(applied: &Applied) -> Vec<String> {
    let Ok(Value::Array(entries)) = serde_json::from_str(&applied.operations.0) else { panic!() };
    entries
        .into_iter()
        .map(|mut entry| {
            let entry = entry.as_object_mut().unwrap();
            assert!(entry.remove("timestamp").unwrap().as_f64().unwrap() > 1e9);
            let results = entry.get_mut("results").and_then(Value::as_array_mut);
            for ts in results.into_iter().flatten().filter_map(|found| found.get_mut("ts")) {
                *ts = Value::from(0);
            }
            serde_json::to_string(&entry).unwrap()
        })
        .collect()
}

/// A branch with a parent, an event and a record of each.
fn grown() -> Scene {
    let scene = scene();
    scene.branches(&[("root", None), ("b", Some("root"))]);
    scene.done(|op| op.insert_archival("root", "root record", &[]));
    scene.done(|op| op.write_event("root", "note", "root event", &[]));
    scene.done(|op| op.insert_archival("b", "own record", &[]));
    scene.done(|op| op.write_event("b", "note", "own event", &[]));
    scene.done(|op| op.set_core("root", "k", "v", None, None));
    scene
}

#[test]
fn each_key_and_its_alias_has_its_effect_and_its_entry() {
    // Key, alias, what it asks, the kinds of event it makes, its entry.
    let table: [(&str, &str, &str, &[&str], &str); 11] = [
        (
            "core",
            "mem_core_set",
            r#"{"a":{"value":"1","importance":9,"ttl":60}}"#,
            &["CoreSet"],
            r#"{"importance":5,"key":"a","ttl":"60","type":"core_set","value":"1"}"#,
        ),
        (
            "core_get",
            "mem_core_get",
            r#"["k"]"#,
            &["MemoryRead"],
            r#"{"key":"k","type":"core_get","value":"v"}"#,
        ),
        (
            "core_delete",
            "mem_core_del",
            r#"["k"]"#,
            &["CoreDeleted"],
            r#"{"key":"k","type":"core_delete"}"#,
        ),
        (
            "archival",
            "mem_archival_write",
            r#"[{"text":"insight","tags":["T"]}]"#,
            &["ArchivalWritten"],
            r#"{"tags":["LLM_INSIGHT","T","node_id:n1","phase:draft"],"text":"insight","type":"archival_write"}"#,
        ),
        (
            "archival_update",
            "mem_archival_update",
            r#"[{"id":2,"text":"changed"}]"#,
            &["ArchivalUpdated"],
            r#"{"id":2,"tags":null,"text":"changed","type":"archival_update"}"#,
        ),
        (
            "archival_search",
            "mem_archival_search",
            r#"{"query":"own","k":3}"#,
            &["MemoryRead"],
            r#"{"k":3,"query":"own","results":[{"id":2,"tags":[],"text":"own record"}],"results_count":1,"tags_filter":null,"type":"archival_search"}"#,
        ),
        (
            "recall",
            "mem_recall_append",
            r#"{"content":"seen"}"#,
            &["RecallAppended"],
            r#"{"content":"seen","kind":"llm_insight","type":"recall_append"}"#,
        ),
        (
            "recall_search",
            "mem_recall_search",
            r#"{"query":"own"}"#,
            &["MemoryRead"],
            r#"{"k":20,"query":"own","results":[{"id":2,"kind":"note","summary":"own event","ts":0}],"results_count":1,"type":"recall_search"}"#,
        ),
        (
            "recall_evict",
            "mem_recall_evict",
            r#"{"oldest":1}"#,
            &["ArchivalWritten", "RecallEvicted"],
            r#"{"archived_count":1,"evicted_count":1,"type":"recall_evict"}"#,
        ),
        (
            "recall_summarize",
            "recall_summarize",
            "true",
            &[],
            r#"{"events_consolidated":0,"status":"success","type":"recall_summarize"}"#,
        ),
        (
            "consolidate",
            "consolidate",
            "true",
            &["PressureChecked", "MemoryConsolidated"],
            r#"{"details":{"actions_taken":[],"core_items_evicted":0,"freed_chars":0,"new_pressure_level":"low","recall_events_consolidated":0},"status":"success","type":"consolidate"}"#,
        ),
    ];
    for (key, alias, asks, kinds, entry) in table {
        for name in [key, alias] {
            let scene = grown();
            let before = scene.events().len();
            let applied = apply(&scene, "b", &format!("{{\"{name}\":{asks}}}"));
            assert_eq!(operations(&applied), [entry], "{name}");
            assert_eq!(applied.refused, []);
            let events = scene.events().split_off(before);
            let names: Vec<&str> = events.iter().map(|event| event.body.name()).collect();
            assert_eq!(names, [kinds, &["UpdatesApplied"]].concat(), "{name}");
            let Some(Body::UpdatesApplied(body)) = events.last().map(|event| &event.body) else {
                panic!()
            };
            assert_eq!((body.asked.as_slice(), body.branch.as_str()), (&[key.to_owned()][..], "b"));
            assert_eq!(
                (body.origin.by, body.origin.node.as_deref()),
                (MemoryDoor::Model, Some("n1"))
            );
            assert_eq!(body.operations, applied.operations);
        }
    }
}

#[test]
fn everything_is_applied_in_the_fixed_order_and_is_one_commit() {
    let scene = grown();
    let updates = r#"{
        "consolidate": true, "recall_summarize": true, "recall_evict": {"ids": [2]},
        "recall_search": {"query": "fresh"}, "recall": {"summary": "fresh", "kind": "idea"},
        "archival_search": {"query": "changed"}, "archival_update": [{"id": 2, "text": "changed"}],
        "archival": [{"text": "x"}], "core_delete": ["a"], "core_get": ["a", "zz"], "core": {"a": "1"}
    }"#;
    let mut memory = scene.memory();
    let updates = Updates::parse(updates).unwrap();
    let applied = memory
        .operate(&Asker::default(), |op| {
            op.apply_llm_memory_updates("b", &updates, None, None, None)
        })
        .unwrap();
    let appended = memory.appended().unwrap();
    let types: Vec<String> = operations(&applied)
        .iter()
        .map(|entry| {
            serde_json::from_str::<Value>(entry).unwrap()["type"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(
        types,
        [
            "core_set",
            "core_get",
            "core_get",
            "core_delete",
            "archival_write",
            "archival_update",
            "archival_search",
            "recall_append",
            "recall_search",
            "recall_evict",
            "recall_summarize",
            "consolidate"
        ]
    );
    // What was written before is what the reads of the same update find.
    let reads = &applied.reads;
    let values = reads.core_get.clone().unwrap();
    assert_eq!(values, [("a".to_owned(), Some("1".to_owned())), ("zz".to_owned(), None)]);
    assert_eq!(reads.archival_search.as_ref().unwrap()[0].text, "changed");
    assert_eq!(reads.recall_search.as_ref().unwrap()[0].kind, "idea");
    assert_eq!(applied.recall_evict.as_ref().unwrap().ids, [2]);
    let sequences = appended.last.0 - appended.first.0 + 1;
    assert_eq!(sequences, 2 + scene.events().len() as u64 + 1 - appended.first.0);
    assert_eq!(appended.mark.sequence, appended.last);
    scene.check();
}

#[test]
fn what_a_model_may_not_do_is_left_out_and_told_and_the_rest_is_done() {
    let scene = grown();
    let applied = apply(
        &scene,
        "b",
        r#"{"archival_update": [{"id": 1, "text": "stolen"}, {"id": 2, "text": "mine"}, {"id": 77, "text": "x"}],
            "recall_evict": {"ids": [1, 2, 99]}, "archival": [{"text": "t", "meta": {"branch_id": "root", "node_id": "else", "a": "b"}}]}"#,
    );
    let refused: Vec<&str> = applied.refused.iter().map(|refusal| refusal.at.as_str()).collect();
    assert_eq!(
        refused,
        ["archival_update[0]", "archival_update[2]", "recall_evict.ids: 1", "recall_evict.ids: 99"]
    );
    let whys: Vec<&str> = applied.refused[2..].iter().map(|refusal| refusal.why.as_str()).collect();
    assert_eq!(whys, ["event 1 belongs to branch root: it stays", "event 99 is not there"]);
    assert_eq!(applied.recall_evict.unwrap().ids, [2]);
    assert_eq!(scene.recall_texts("root"), ["root event"]);
    assert_eq!(scene.archive("root")[0].text, "root record");
    let record = scene.archive("b").into_iter().find(|record| record.text == "t").unwrap();
    assert_eq!(record.branch, "b");
    assert_eq!(record.tags, ["LLM_INSIGHT", "a:b", "node_id:n1", "phase:draft"]);
}

#[test]
fn what_a_model_says_of_a_record_becomes_tags_where_the_caller_says_nothing() {
    let scene = grown();
    let updates = r#"{"archival": [{"text": "t", "meta": {"run_id": "r", "node_id": "n", "phase": "p"}}],
        "recall": {"summary": "s", "meta": {"run_id": "r"}}}"#;
    let updates = Updates::parse(updates).unwrap();
    scene.done(|op| op.apply_llm_memory_updates("b", &updates, None, None, None));
    let record = scene.archive("b").into_iter().find(|record| record.text == "t").unwrap();
    assert_eq!(record.tags, ["LLM_INSIGHT", "node_id:n", "phase:p", "run_id:r"]);
    assert!(scene.recall("b")[0].tags.contains(&"run_id:r".to_owned()));
}

#[test]
fn what_a_model_asks_to_be_summed_up_is_though_the_factor_would_allow_it() {
    let scene = scene_of(&format!("{SMALL}auto_consolidate = false\n"));
    scene.branches(&[("b", None)]);
    for asks in [r#"{"recall_summarize": true}"#, r#"{"consolidate": true}"#] {
        for i in 0..6 {
            let text = format!("{asks} {i}");
            scene.done(|op| op.write_event("b", "note", &text, &[]));
        }
        apply(&scene, "b", asks);
        assert_eq!(scene.recall("b").len(), 4, "{asks}");
    }
}

#[test]
fn an_update_that_cannot_be_applied_whole_leaves_nothing() {
    let scene = scene_of(SMALL);
    scene.branches(&[("b", None)]);
    scene.done(|op| op.set_core("b", "k", "v", None, None));
    for updates in [
        r#"{"core": {"a": "1", "b\nc": "2"}}"#,
        r#"{"core": {"a": "1"}, "archival": [{"text": "fine"}], "recall": {"summary": "s", "kind": "a\tb"}}"#,
    ] {
        let updates = Updates::parse(updates).unwrap();
        scene.refused(|op| op.apply_llm_memory_updates("b", &updates, None, None, None));
    }
    let updates = Updates::parse(r#"{"core": {"a": "1"}}"#).unwrap();
    let said =
        scene.refused(|op| op.apply_llm_memory_updates("nobody", &updates, None, None, None));
    assert!(said.contains("there is no branch or node"), "{said}");
}

#[test]
fn a_log_that_would_be_too_large_counts_what_was_found() {
    let scene = scene();
    scene.branches(&[("b", None)]);
    let text = "w ".repeat(4_000);
    scene.done(|op| {
        (0..60).try_for_each(|i| {
            op.insert_archival("b", &format!("{i} {}", &text[..7_900]), &[]).map(drop)
        })
    });
    let search = r#"{"archival_search": {"query": "w", "k": 60}}"#;
    let applied = apply(&scene, "b", search);
    assert_eq!(applied.reads.archival_search.unwrap().len(), 60);
    assert!(applied.operations.0.len() < 2 << 20);
    assert!(applied.operations.0.contains(r#""results_count":60"#));
}

#[test]
fn a_secret_that_only_its_key_betrays_is_in_no_event() {
    let scene = grown();
    let secret = "wJalrXUtnFEMIK7MDENGbPxRfiCYzz";
    let long = format!("{secret}{}", "0a1b2c3d".repeat(400));
    let updates =
        format!(r#"{{"core":{{"aws_secret_access_key":"{secret}","password":"{long}"}}}}"#);
    let applied = apply(&scene, "b", &updates);
    assert!(applied.operations.0.contains("[REDACTED:json-member]"), "{}", applied.operations.0);
    assert!(!format!("{:?}", scene.events()).contains(secret));
}
