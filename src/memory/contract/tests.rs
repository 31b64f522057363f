//! The façade: every function does what its layer's does.

use super::{BranchMemory, Error};
use crate::event::PressureLevel;
use crate::memory::{RecallGiven, StoredImportance};
use crate::parse::reply::ArchivalWrite;

#[test]
fn every_function_of_the_contract_answers_under_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut memory = BranchMemory::initialize(folder.path())
        .unwrap()
        .with_run_id("run-1")
        .with_session("s")
        .with_branch("b");
    assert_eq!(memory.create_branch(None, None, "root").unwrap(), "root");
    assert!(memory.mem_node_fork(Some("root"), "b", None, Some("draft")).unwrap().created);
    assert_eq!(memory.set_core("root", "k", "v", Some("90"), Some(5)).unwrap().evicted, []);
    assert_eq!(memory.get_core("b", "k").unwrap().as_deref(), Some("v"));
    memory.mem_core_set("own", "1", None, None, None).unwrap();
    assert_eq!(memory.mem_core_get(Some(&["own", "no"])).unwrap().len(), 1);
    assert_eq!(memory.mem_core_get(None).unwrap().len(), 2);
    assert!(memory.mem_core_del("k").unwrap());
    assert!(memory.write_event("b", "note", "text", &["t"]).unwrap());
    assert!(!memory.write_event("b", "note", "text", &["t"]).unwrap());
    let event = RecallGiven { summary: "said".to_owned(), ..RecallGiven::default() };
    assert_eq!(memory.mem_recall_append(&event).unwrap().branch, "b");
    assert_eq!(memory.mem_recall_search("said", None).unwrap().len(), 1);
    assert_eq!(memory._fetch_events(&["b", "root"], 9, Some("b")).unwrap().len(), 2);
    assert_eq!(memory._insert_archival("b", "one", &["t"], Some("n")).unwrap(), 1);
    let id = memory.mem_archival_write("two words", &["t"], &[("node_id", "b")]).unwrap();
    assert_eq!(id, "2");
    memory.mem_archival_update(&id, Some("three words"), None, &[]).unwrap();
    let record = memory.mem_archival_get(&id).unwrap().unwrap();
    assert_eq!(
        (record.text.as_str(), record.tags),
        ("three words", vec!["t".to_owned(), "node_id:b".to_owned(), "run_id:run-1".to_owned()])
    );
    assert_eq!(memory.mem_archival_search("words", &["t"], Some(5)).unwrap().len(), 1);
    assert_eq!(memory.retrieve_archival("b", "", None, true, &[]).unwrap().len(), 2);
    let records = [ArchivalWrite { text: "r".to_owned(), tags: vec![], meta: vec![] }];
    memory.mem_node_write("b", &[("x", "y")], Some(event), &records).unwrap();
    assert_eq!(memory.mem_node_read("b", "all").unwrap().archival.unwrap().len(), 3);
    let pressure = memory.check_memory_pressure("b", None).unwrap();
    assert_eq!(pressure.level, PressureLevel::Low);
    assert_eq!(memory.consolidate_recall_events("b").unwrap(), 0);
    assert_eq!(memory.consolidate_inherited_memory("b").unwrap(), 0);
    let mut model = StoredImportance;
    let scores = memory.evaluate_importance_with_llm("b", None, Some(&mut model)).unwrap();
    assert_eq!(scores.len(), 2);
    let done = memory.auto_consolidate_memory("b", PressureLevel::High, None).unwrap();
    assert_eq!(done.actions_taken, ["evaluated_core_importance:2"]);
    let (text, shown) = memory.render_for_prompt_with_log("b", None, 4_000, false).unwrap();
    assert_eq!(text, memory.render_for_prompt("b", None, 4_000, false).unwrap());
    assert_eq!(shown.core.len(), 2);
    let updates = serde_json::json!({ "core_get": ["own"] });
    let applied = memory.apply_llm_memory_updates("b", &updates, None, None).unwrap();
    assert_eq!(applied.reads.core_get.unwrap()[0].1.as_deref(), Some("1"));
    // What is there is there for the next one too.
    drop(memory);
    let mut memory = BranchMemory::open(folder.path()).unwrap();
    assert!(matches!(memory.mem_core_get(None), Err(Error::NoBranch)));
    assert!(matches!(memory.mem_archival_get("x"), Err(Error::RecordId { .. })));
    assert!(matches!(memory.mem_node_read("b", "some"), Err(Error::Scope { .. })));
    assert!(memory.apply_llm_memory_updates("b", &serde_json::json!([]), None, None).is_err());
    assert_eq!(memory.get_core("b", "own").unwrap().as_deref(), Some("1"));
}
