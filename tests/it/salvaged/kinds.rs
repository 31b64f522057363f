//! Stores of every kind: tables of memory, edges of the graph, files of a folder.

use super::{cut, lines, of, salvage};
use crate::project::{Project, Ran};

fn record(project: &Project, line: &str) {
    Ran::of(project.command().arg("record").write_stdin(format!("{line}\n"))).code(0);
}

#[test]
fn every_kind_of_store_tells_what_only_it_has() {
    let project = Project::new();
    project.annals(["memory", "fork", "root"]).code(0);
    project.annals(["memory", "set", "root", "kept", "one"]).code(0);
    record(&project, r#"{"tool":"file_read","paths":["src/lib.rs"],"success":true}"#);
    let cut = cut(project, |project| {
        project.annals(["memory", "set", "root", "lost", "two"]).code(0);
        project.annals(["memory", "set", "root", "kept", "three"]).code(0);
        record(project, r#"{"tool":"file_read","paths":["src/gone.rs"],"success":true}"#);
        project.annals(["debug", "open", "src/gone.rs"]).code(0);
        project.annals(["status"]).code(0);
    });
    let project = &cut.project;
    salvage(project, ".", "all.jsonl").code(1);
    let all = lines(&project.path("all.jsonl"));
    let keys = of(&all, "memory.db", "core_kv");
    assert_eq!(keys.len(), 2, "{keys:?}");
    let found = |key: &str| keys.iter().find(|line| line["key"]["key"] == key).expect("a key");
    assert_eq!(found("lost")["journal_has"], "nothing");
    assert_eq!(found("lost")["row"]["value"], "two");
    assert_eq!(found("kept")["journal_has"], "another");
    assert_eq!(found("kept")["row"]["value"], "three");
    let edges = of(&all, "codegraph.db", "graph_edges");
    assert_eq!(edges.len(), 1, "{edges:?}");
    assert_eq!(edges[0]["row"]["to_name"], "src/gone.rs");
    assert_eq!(of(&all, "codegraph.db", "graph_entities").len(), 1);
    let calls = of(&all, "memory_calls", "memory_calls.jsonl");
    assert_eq!(calls.len(), 2, "{calls:?}");
    assert!(calls[0]["row"]["text"].as_str().expect("text").contains("lost"));
    assert_eq!(of(&all, "execution_log.db", "executions").len(), cut.lost.len());
    assert_eq!(of(&all, "index.db", "debug_sessions").len(), 1);
    let is_document = |line: &&serde_json::Value| {
        let is_beside = line["table"].as_str().is_some_and(|file| file.starts_with("beside/"));
        line["store"] == "debug-memory" && !is_beside
    };
    let documents: Vec<_> = all.iter().filter(is_document).collect();
    assert_eq!(documents.len(), 1, "{documents:?}");
    assert!(documents[0]["row"]["text"].as_str().expect("text").contains("src/gone.rs"));
}
