//! Call logs, line by line: as spec 003 shows them and as the reference writes them.

mod document;
mod samples;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

use self::samples::{appended, applied, every_operation, forked, read, set, written};
use super::MemoryLog;
use crate::event::*;
use crate::store::folder::Folder;
use crate::store::projector::FilesProjector;
use crate::store::{Position, Projector};

/// The lines that these events make, in one log.
fn lines(bodies: &[Body], log: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory");
    let mut projector = FilesProjector::<MemoryLog>::new(Folder::create(&path).unwrap());
    projector.begin().unwrap();
    for (sequence, body) in (1..).zip(bodies) {
        let at_ms = 1_706_123_456_000 + sequence * 789;
        let event =
            Event { envelope: Envelope::new(None, Source::Live, at_ms), body: body.clone() };
        let recorded = Recorded { sequence: Sequence(sequence), recorded_ms: at_ms, event };
        projector.apply(&recorded, None).unwrap();
    }
    projector.commit(Position { journal: [1; 16], sequence: 1, chain: [0; 32] }).unwrap();
    assert!(projector.take_anomalies().is_empty());
    let text = fs::read_to_string(path.join(log)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_line_is_the_documents_to_the_letter() {
    let core = r#"[{"key":"phase0_summary","timestamp":1706123456.1,"type":"core_set","value":"v"},{"keys":["a","b"],"type":"core_get"},{"tags":["LLM_INSIGHT"],"text":"t","type":"archival_write"}]"#;
    let cases = [
        (
            set(MemoryDoor::Model, "v"),
            r#"{"ts":1706123456.789,"op":"llm_memory_update","layer":"primitive","memory_type":"core","branch_id":"b","node_id":"n1","phase":null,"run_id":"run-1","details":{"key":"phase0_summary","value_preview":"v","value_chars":1,"importance":4,"ttl":null}}"#,
        ),
        (
            appended(MemoryDoor::Api),
            r#"{"ts":1706123456.789,"op":"mem_recall_append","layer":"public_api","memory_type":"recall","branch_id":"b","node_id":"n1","phase":null,"run_id":"run-1","details":{"kind":"memory_injected","summary_preview":"in\nit","tags":["RECALL_EVENT"]}}"#,
        ),
        (
            written(MemoryDoor::Model),
            r#"{"ts":1706123456.789,"op":"mem_archival_write","layer":"public_api","memory_type":"archival","branch_id":"b","node_id":"n1","phase":null,"run_id":"run-1","details":{"record_id":1,"tags":["LLM_INSIGHT"],"text_preview":"an insight","text_chars":10}}"#,
        ),
        (
            forked("b", None, false, MemoryDoor::Api),
            r#"{"ts":1706123456.789,"op":"mem_node_fork","layer":"public_api","memory_type":"node","branch_id":"b","node_id":"b","phase":null,"run_id":"run-1","details":{"parent_node_id":null,"parent_branch_id":null,"child_branch_id":"b","parent_auto_created":false}}"#,
        ),
        (
            applied(core, &["core", "core_get", "archival"]),
            r#"{"ts":1706123456.789,"op":"apply_llm_memory_updates","layer":"system","memory_type":"llm_update","branch_id":"b","node_id":"n1","phase":null,"run_id":"run-1","details":{"core_keys":["phase0_summary"],"core_delete_keys":[],"core_get_keys":["a","b"],"archival_count":1,"archival_update_count":0,"has_archival_search":false,"has_recall":false,"has_recall_search":false,"has_recall_evict":false,"has_recall_summarize":false,"has_consolidate":false,"start_timestamp":1706123456.0,"end_timestamp":1706123456.789,"duration_seconds":0.789,"operations_log":[{"type":"core_set","timestamp":1706123456.1,"key":"phase0_summary","value":"v"},{"type":"core_get","keys":["a","b"]},{"type":"archival_write","text":"t","tags":["LLM_INSIGHT"]}]}}"#,
        ),
    ];
    for (body, line) in cases {
        assert_eq!(lines(&[body], "memory_calls.jsonl"), [line]);
    }
}

#[test]
fn every_line_lies_in_the_main_log_and_in_its_layers() {
    let bodies = every_operation();
    let main = lines(&bodies, "memory_calls.jsonl");
    // All but the branch that was made by itself.
    assert_eq!(main.len(), bodies.len() - 1);
    let mut of_layers = 0;
    for layer in ["primitive", "public_api", "system", "internal"] {
        let its = lines(&bodies, &format!("memory_{layer}.jsonl"));
        let of_main = main.iter().filter(|line| line.contains(&format!("\"layer\":\"{layer}\"")));
        assert_eq!(its, of_main.cloned().collect::<Vec<_>>(), "{layer}");
        of_layers += its.len();
    }
    assert_eq!(of_layers, main.len());
    let fork = main.iter().find(|line| line.contains("mem_node_fork")).unwrap();
    assert!(fork.contains("\"parent_auto_created\":true"), "{fork}");
}

#[test]
fn what_the_document_gives_no_operation_has_no_line() {
    let silent = [
        read(MemoryQuery::Core { keys: Vec::new() }),
        read(MemoryQuery::Recall { query: "q".to_owned(), k: 3 }),
        read(MemoryQuery::Record { id: 1 }),
        read(MemoryQuery::Node { scope: "all".to_owned() }),
        forked("x", None, true, MemoryDoor::Api),
        forked("x", None, false, MemoryDoor::Primitive),
        Body::SessionEnded(SessionEnded { reason: "r".to_owned() }),
    ];
    assert_eq!(lines(&silent, "memory_calls.jsonl"), [""; 0]);
}

#[test]
fn a_preview_ends_after_four_hundred_characters() {
    for (length, shown) in [(0, 0), (400, 400), (401, 400), (9_000, 400)] {
        let line = &lines(&[set(MemoryDoor::Api, &"ü".repeat(length))], "memory_calls.jsonl")[0];
        let line: Value = serde_json::from_str(line).unwrap();
        let details = &line["details"];
        assert_eq!(details["value_preview"].as_str().unwrap().chars().count(), shown);
        assert_eq!(details["value_chars"], length);
    }
}

#[test]
fn operations_that_are_none_are_an_anomaly_and_the_line_stands() {
    for json in ["", "{", "[1]", "{}", "\"x\""] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory");
        let mut projector = FilesProjector::<MemoryLog>::new(Folder::create(&path).unwrap());
        projector.begin().unwrap();
        let envelope = Envelope::new(None, Source::Live, 1);
        let event = Event { envelope, body: applied(json, &[]) };
        let recorded = Recorded { sequence: Sequence(1), recorded_ms: 1, event };
        projector.apply(&recorded, None).unwrap();
        assert_eq!(projector.take_anomalies().len(), 1, "{json}");
        projector.commit(Position { journal: [1; 16], sequence: 1, chain: [0; 32] }).unwrap();
        let text = fs::read_to_string(path.join("memory_system.jsonl")).unwrap();
        assert!(text.contains("\"operations_log\":[]"), "{text}");
    }
}

/// What the reference logs and we do not: `(op, detail)`, or the whole of an operation.
const DELIBERATE: &[(&str, &str)] = &[
    // The tables of the document: "(none)".
    ("mem_recall_search", ""),
    // What a prompt showed is the event's own text, and the prompt log's.
    ("render_for_prompt", "resource_items"),
    ("render_for_prompt", "core_items"),
    ("render_for_prompt", "recall_items"),
    ("render_for_prompt", "archival_items"),
    ("render_for_prompt", "archival_query"),
    ("render_for_prompt", "archival_k"),
];

#[test]
fn operations_have_the_references_layers_types_and_details_in_its_order() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/data/branch-memory/reference_memory_calls.jsonl");
    let Ok(text) = fs::read_to_string(&data) else {
        crate::skipped::skipped(&format!("{} is not here", data.display()));
        return;
    };
    let parsed = |line: &str| serde_json::from_str::<Map<String, Value>>(line).unwrap();
    let ours = lines(&every_operation(), "memory_calls.jsonl");
    let mut met = BTreeSet::new();
    for line in text.lines() {
        let theirs = parsed(line);
        let op = theirs["op"].as_str().unwrap();
        // Its layer `llm` repeats what `operations_log` and the other layers say.
        if theirs["layer"] == "llm" || DELIBERATE.contains(&(op, "")) {
            continue;
        }
        let like = |line: &&String| parsed(line)["op"] == op;
        let written = ours.iter().find(like).unwrap_or_else(|| panic!("no line is {op}"));
        let own = parsed(written);
        assert_eq!(
            (&own["layer"], &own["memory_type"]),
            (&theirs["layer"], &theirs["memory_type"])
        );
        assert_eq!(own.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>(), "{op}");
        // In the order they are written in, which a parsed object does not keep.
        let place = |text: &str, name: &str| text.find(&format!("\"{name}\":"));
        let details = written.split_once("\"details\":").unwrap().1;
        let its_details = line.split_once("\"details\":").unwrap().1;
        let mut names: Vec<_> = theirs["details"].as_object().unwrap().keys().collect();
        names.retain(|name| !DELIBERATE.contains(&(op, name.as_str())));
        names.sort_by_key(|name| place(its_details, name));
        let places: Vec<_> = names.iter().map(|name| place(details, name)).collect();
        // The reference gives a prompt's counts after its hint, and so do we.
        assert!(places.iter().all(Option::is_some), "{op}: {names:?} in {details}");
        assert!(places.is_sorted(), "{op}: {names:?} in {details}");
        met.insert(op.to_owned());
    }
    assert!(met.len() >= 14, "{met:?}");
}
