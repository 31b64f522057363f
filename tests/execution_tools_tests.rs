//! Spec 000's tests, under its own names, on the real files, asked with plain SQL.

use std::path::Path;

use annals::execution_tools::{
    ChangedFile, EDGE_AFFECTED, EDGE_EXECUTED_ON, EDGE_PRODUCED, EDGE_REFERENCED, ExecutionDb,
    ExecutionFilter, ToolOutcome, query_executions,
};
use annals::internal::execution::query::KIND_EXECUTION;
use annals::internal::parse::check::diagnostic::Diagnostic;
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

#[path = "execution_tools/timeline.rs"]
mod timeline;

/// 2025-12-24, the contract's own example.
const TIMESTAMP: u64 = 1_735_036_800_000;

fn temp_db() -> (TempDir, ExecutionDb) {
    let folder = tempfile::tempdir().unwrap();
    let db = ExecutionDb::initialize(folder.path()).unwrap();
    (folder, db)
}

fn open(path: &Path) -> Connection {
    Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap()
}

/// Every row of a question, its columns as text.
fn rows(conn: &Connection, sql: &str) -> Vec<Vec<String>> {
    let mut statement = conn.prepare(sql).unwrap();
    let columns = statement.column_count();
    let row = |row: &rusqlite::Row<'_>| {
        (0..columns)
            .map(|at| {
                Ok(match row.get_ref(at)? {
                    rusqlite::types::ValueRef::Null => "NULL".to_owned(),
                    rusqlite::types::ValueRef::Integer(number) => number.to_string(),
                    rusqlite::types::ValueRef::Text(text) => {
                        String::from_utf8(text.to_vec()).unwrap()
                    }
                    other => panic!("{other:?}"),
                })
            })
            .collect()
    };
    statement.query_map([], row).unwrap().collect::<Result<_, _>>().unwrap()
}

fn patch_args() -> Value {
    json!({"file": "src/lib.rs", "symbol": "foo", "kind": "fn", "with": "patches/foo.rs"})
}

fn e0425() -> Diagnostic {
    Diagnostic {
        level: "error".to_owned(),
        message: "cannot find value `net` in this scope".to_owned(),
        file_name: Some("src/lib.rs".to_owned()),
        line_start: Some(11),
        code: Some("E0425".to_owned()),
    }
}

fn failed_check() -> ToolOutcome {
    ToolOutcome {
        exit_code: Some(101),
        diagnostics: vec![e0425()],
        ..ToolOutcome::failed("error[E0425]: cannot find value `net` in this scope")
    }
}

fn patched() -> ToolOutcome {
    ToolOutcome {
        changed_files: vec![ChangedFile { path: "src/lib.rs".to_owned(), created: false }],
        ..ToolOutcome::default()
    }
}

#[test]
fn test_record_execution_success() {
    let (_folder, db) = temp_db();
    let recorded = db.record("splice_patch", &patch_args(), &patched(), &TIMESTAMP).unwrap();
    assert_eq!((recorded.duplicate, recorded.lagging), (false, vec![]));
    let log = open(db.execution_log_path());
    let sql = "SELECT id, tool_name, arguments_json, timestamp, success, exit_code, error_message \
               FROM executions";
    assert_eq!(
        rows(&log, sql),
        [[
            recorded.execution_id.to_string().as_str(),
            "splice_patch",
            r#"{"file":"src/lib.rs","kind":"fn","symbol":"foo","with":"patches/foo.rs"}"#,
            "1735036800000",
            "1",
            "NULL",
            "NULL"
        ]]
    );
    assert!(rows(&log, "SELECT * FROM execution_artifacts").is_empty());
}

#[test]
fn test_record_execution_with_diagnostics() {
    let (_folder, db) = temp_db();
    let recorded =
        db.record("lsp_check", &json!({"path": "."}), &failed_check(), &TIMESTAMP).unwrap();
    let log = open(db.execution_log_path());
    let sql = "SELECT execution_id, content_json FROM execution_artifacts \
               WHERE artifact_type = 'diagnostics'";
    let found = rows(&log, sql);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0][0], recorded.execution_id.to_string());
    let diagnostics: Value = serde_json::from_str(&found[0][1]).unwrap();
    assert_eq!(
        diagnostics,
        json!([{
            "level": "error",
            "message": "cannot find value `net` in this scope",
            "file_name": "src/lib.rs",
            "line_start": 11,
            "code": "E0425",
        }])
    );
    assert_eq!(rows(&log, "SELECT success, exit_code FROM executions"), [["0", "101"]]);
}

#[test]
fn test_query_failed_executions_by_tool() {
    let (_folder, db) = temp_db();
    let results = [ToolOutcome::failed("span moved"), patched(), ToolOutcome::failed("no symbol")];
    for (at, result) in results.iter().enumerate() {
        db.record("splice_patch", &patch_args(), result, &(TIMESTAMP + at as u64)).unwrap();
    }
    db.record("file_read", &json!({"path": "x"}), &ToolOutcome::failed("none"), &(TIMESTAMP + 9))
        .unwrap();
    let filter = ExecutionFilter {
        tool: Some("splice_patch".to_owned()),
        failed: true,
        ..ExecutionFilter::default()
    };
    let found = query_executions(&db, &filter).unwrap();
    let errors: Vec<_> = found.iter().map(|one| one.error.as_deref().unwrap_or_default()).collect();
    assert_eq!(errors, ["span moved", "no symbol"]);
    let log = open(db.execution_log_path());
    let sql = "SELECT error_message FROM executions WHERE tool_name = 'splice_patch' \
               AND success = 0 ORDER BY timestamp";
    assert_eq!(rows(&log, sql), [["span moved"], ["no symbol"]]);
}

#[test]
fn test_graph_execution_nodes_created() {
    let (_folder, db) = temp_db();
    let recorded = db.record("splice_patch", &patch_args(), &patched(), &TIMESTAMP).unwrap();
    let graph = open(db.code_graph_path());
    let id = recorded.execution_id;
    let sql = "SELECT name, file_path, data FROM graph_entities WHERE kind = 'execution'";
    let found = rows(&graph, sql);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0][..2], [format!("splice_patch:{id}"), "NULL".to_owned()]);
    let data: Value = serde_json::from_str(&found[0][2]).unwrap();
    let expected = json!({
        "tool": "splice_patch",
        "timestamp": TIMESTAMP,
        "success": true,
        "execution_id": id.to_string(),
    });
    assert_eq!(data, expected);
    assert_eq!(KIND_EXECUTION, "execution");
}

#[test]
fn test_graph_execution_file_edges() {
    let (_folder, db) = temp_db();
    let recorded = db.record("splice_patch", &patch_args(), &patched(), &TIMESTAMP).unwrap();
    let graph = open(db.code_graph_path());
    let sql = "SELECT g.edge_type, t.name, g.data FROM graph_edges g \
               JOIN graph_entities x ON x.id = g.from_id JOIN graph_entities t ON t.id = g.to_id \
               WHERE x.kind = 'execution' ORDER BY g.edge_type";
    let id = recorded.execution_id.to_string();
    let found: Vec<(String, String, Value)> = rows(&graph, sql)
        .into_iter()
        .map(|row| (row[0].clone(), row[1].clone(), serde_json::from_str(&row[2]).unwrap()))
        .collect();
    let edge = |edge_type: &str, name: &str, key: &str, word: &str| {
        let data = json!({key: word, "execution_id": id});
        (edge_type.to_owned(), name.to_owned(), data)
    };
    assert_eq!(
        found,
        [
            edge(EDGE_AFFECTED, "src/lib.rs", "change_type", "patched"),
            edge(EDGE_EXECUTED_ON, "src/lib.rs", "operation", "patch"),
            edge(EDGE_REFERENCED, "foo", "query_type", "target_symbol"),
        ]
    );
    assert_eq!(
        [EDGE_EXECUTED_ON, EDGE_AFFECTED, EDGE_PRODUCED, EDGE_REFERENCED],
        ["EXECUTED_ON", "AFFECTED", "PRODUCED", "REFERENCED"]
    );
}

#[test]
fn test_full_workflow_logging() {
    let (_folder, db) = temp_db();
    let calls = [
        ("file_read", json!({"path": "src/lib.rs"}), ToolOutcome::default()),
        ("splice_patch", patch_args(), patched()),
        ("lsp_check", json!({"path": "."}), failed_check()),
    ];
    let mut ids = Vec::new();
    for (at, (tool, args, result)) in calls.iter().enumerate() {
        let recorded = db.record(tool, args, result, &(TIMESTAMP + at as u64)).unwrap();
        ids.push(recorded.execution_id);
    }

    // All executions in chronological order: by the library, and in plain SQL.
    let all = query_executions(&db, &ExecutionFilter::default()).unwrap();
    let tools: Vec<&str> = all.iter().map(|one| one.tool.as_str()).collect();
    assert_eq!(tools, ["file_read", "splice_patch", "lsp_check"]);
    let log = open(db.execution_log_path());
    let sql = "SELECT id FROM executions ORDER BY timestamp";
    assert_eq!(rows(&log, sql).concat(), ids.iter().map(ToString::to_string).collect::<Vec<_>>());

    // The chain of lib.rs, complete: every step, what it did, what it found.
    let graph_db = db.graph_db().unwrap();
    let chain = graph_db.execution_chain_of_file("src/lib.rs").fetch().unwrap();
    assert_eq!(chain.next, None);
    let steps: Vec<_> = chain.items.iter().map(|step| step.execution.execution_id).collect();
    assert_eq!(steps, ids);
    let words: Vec<Vec<_>> = chain
        .items
        .iter()
        .map(|step| {
            let word = |link: &annals::internal::execution::query::Link| {
                (link.edge.as_str(), link.word.clone())
            };
            step.links.iter().map(word).collect()
        })
        .collect();
    let edge = |edge: &'static str, word: &str| (edge, Some(word.to_owned()));
    assert_eq!(
        words,
        [
            vec![edge(EDGE_EXECUTED_ON, "read")],
            vec![
                edge(EDGE_EXECUTED_ON, "patch"),
                edge(EDGE_AFFECTED, "patched"),
                edge(EDGE_REFERENCED, "target_symbol")
            ],
            vec![edge(EDGE_EXECUTED_ON, "check"), edge(EDGE_PRODUCED, "error")],
        ]
    );

    // The same in plain SQL.
    let graph = open(db.code_graph_path());
    let sql = "SELECT DISTINCT json_extract(x.data, '$.execution_id') FROM graph_edges g \
               JOIN graph_entities x ON x.id = g.from_id JOIN graph_entities t ON t.id = g.to_id \
               WHERE t.name = 'src/lib.rs' ORDER BY json_extract(x.data, '$.timestamp')";
    assert_eq!(rows(&graph, sql).concat(), ids.iter().map(ToString::to_string).collect::<Vec<_>>());
    let produced = "SELECT json_extract(d.data, '$.code') FROM graph_edges g \
                    JOIN graph_entities d ON d.id = g.to_id WHERE g.edge_type = 'PRODUCED'";
    assert_eq!(rows(&graph, produced), [["E0425"]]);

    // What affected the symbol before the error: the patch, and not the check.
    let before = graph_db.execution_chain_affecting_symbol("foo").before_diagnostic("E0425");
    let operations: Vec<_> =
        before.fetch().unwrap().items.iter().map(|step| step.execution.execution_id).collect();
    assert_eq!(operations, [ids[1]]);
    let touched = graph_db.files_touched_by_execution(ids[1]).unwrap();
    assert_eq!(touched.len(), 1);
    assert_eq!(touched[0].path, "src/lib.rs");
    assert_eq!(touched[0].change_type.as_deref(), Some("patched"));
}

/// A tool of the caller's own: it knows nothing of a log.
fn splice_patch(fails: bool) -> Result<(), String> {
    if fails { Err("span moved".to_owned()) } else { Ok(()) }
}

#[test]
fn tools_work_standalone_and_with_logging() {
    for fails in [false, true] {
        let alone = splice_patch(fails);
        let (_folder, db) = temp_db();
        let logged = splice_patch(fails);
        db.record("splice_patch", &patch_args(), &logged, &TIMESTAMP).unwrap();
        assert_eq!(alone, logged);
        let log = open(db.execution_log_path());
        let expected = if fails { ["0", "span moved"] } else { ["1", "NULL"] };
        assert_eq!(rows(&log, "SELECT success, error_message FROM executions"), [expected]);
    }
}
