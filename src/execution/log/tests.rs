//! The locked schema against the contract's own document; rows, tools, the clock trigger.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rusqlite::Connection;

use super::{ArtifactRow, ArtifactType, ExecutionLog, ExecutionRow, schema};
use crate::event::tool;
use crate::store::{Position, Projector, StoreError};

const CONTRACT: &str = include_str!("../../../tests/fixtures/spec/000-execution-memory.md");
const POSITION: Position = Position { journal: [1; 16], sequence: 9, chain: [2; 32] };

fn row(id: &str) -> ExecutionRow<'_> {
    ExecutionRow {
        id,
        tool_name: "file_read",
        arguments_json: "{}",
        timestamp: 1_766_534_400_000,
        success: true,
        exit_code: None,
        duration_ms: None,
        error_message: None,
    }
}

fn made(path: &Path, tools: &[String]) -> ExecutionLog {
    let mut load = ExecutionLog::create(path).unwrap();
    load.begin().unwrap();
    load.declare(tools).unwrap();
    load.commit(POSITION).unwrap();
    Box::new(load).finish().unwrap();
    ExecutionLog::open(path).unwrap()
}

fn master(conn: &Connection) -> Vec<(String, String, String, Option<String>)> {
    let sql = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name";
    let mut rows = conn.prepare(sql).unwrap();
    let columns =
        |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
    rows.query_map([], columns).unwrap().collect::<Result<_, _>>().unwrap()
}

/// The SQL of the document's locked section, with ruling 1 applied.
fn contract_sql() -> String {
    let (_, section) = CONTRACT.split_once("## 1. FINAL SQLITE SCHEMA (LOCKED)").unwrap();
    let (section, _) = section.split_once("## 2. FINAL SQLITEGRAPH MAPPING").unwrap();
    let blocks = section.split("```sql\n").skip(1);
    let sql: String = blocks.map(|block| block.split_once("```").unwrap().0).collect();
    let broken =
        "SELECT json_valid(NEW.content_json) = 1 OR RAISE(ABORT, 'Invalid JSON in content_json');";
    assert!(sql.contains(broken));
    let ruled = "SELECT CASE WHEN json_valid(NEW.content_json) <> 1 THEN RAISE(ABORT, 'Invalid JSON in content_json') END;";
    sql.replace(broken, ruled)
}

#[test]
fn a_made_file_has_the_contracts_schema_to_the_letter() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("execution_log.db");
    drop(made(&path, &[]));
    let expected = Connection::open_in_memory().unwrap();
    expected.execute_batch(&contract_sql()).unwrap();
    assert_eq!(master(&Connection::open(&path).unwrap()), master(&expected));
}

#[test]
fn the_copy_of_the_contract_is_the_shared_one() {
    // Only where the document itself lies beside the repository; the copy is everywhere.
    let shared = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/spec/000-execution-memory.md");
    if let Ok(shared) = std::fs::read_to_string(shared) {
        assert_eq!(CONTRACT, shared);
    }
}

#[test]
fn the_contracts_own_validate_json_refuses_every_row() {
    // Ruling 1: why the text is not kept here.
    let conn = Connection::open_in_memory().unwrap();
    conn.execute_batch(
        "CREATE TABLE t (content_json TEXT); CREATE TRIGGER v BEFORE INSERT ON t BEGIN \
         SELECT json_valid(NEW.content_json) = 1 OR RAISE(ABORT, 'Invalid JSON'); END;",
    )
    .unwrap();
    assert!(conn.execute("INSERT INTO t VALUES ('{}')", []).is_err());
}

#[test]
fn the_tool_list_in_the_trigger_reads_back() {
    for declared in [vec![], vec!["file_edit"], vec!["bash_exec", "it's", "a'', b)", "c"]] {
        let mut tools = tool::CONTRACT.map(str::to_owned).to_vec();
        tools.extend(declared.into_iter().map(str::to_owned));
        let trigger = schema::tool_trigger(&tools);
        assert_eq!(schema::tools_in(&trigger).as_ref(), Some(&tools), "{trigger}");
    }
}

#[test]
fn triggers_hold_what_the_contract_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("execution_log.db");
    let mut log = made(&path, &["file_edit".to_owned()]);
    log.begin().unwrap();
    let tool_of =
        |tool_name| ExecutionRow { tool_name, ..row("00000000-0000-4000-8000-000000000001") };
    assert!(matches!(log.insert(&tool_of("bash_exec"), &[]), Err(StoreError::Sql { .. })));
    assert_eq!(log.insert(&tool_of("file_edit"), &[]).unwrap(), Some(1));
    assert_eq!(log.insert(&tool_of("file_edit"), &[]).unwrap(), None, "the same id again");
    log.declare(&["bash_exec".to_owned()]).unwrap();
    let other = ExecutionRow { id: "00000000-0000-4000-8000-000000000002", ..tool_of("bash_exec") };
    let broken =
        ArtifactRow { artifact_type: ArtifactType::Stdout, content_json: "{\"text\":".into() };
    assert!(log.insert(&other, &[broken]).is_err());
    log.rollback().unwrap();
    assert_eq!(log.tools().len(), tool::CONTRACT.len() + 1, "the declaration went with it");
}

#[test]
fn an_accepted_time_passes_the_clock_trigger_which_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("execution_log.db");
    let mut log = made(&path, &[]);
    for (number, timestamp) in [(1, 0), (2, 1_577_836_799_999), (3, 4_102_444_800_000)] {
        log.begin().unwrap();
        let id = format!("00000000-0000-4000-8000-00000000000{number}");
        let row = ExecutionRow { timestamp, ..row(&id) };
        assert_eq!(log.insert(&row, &[]).unwrap(), Some(number));
        log.commit(Position { sequence: 9 + number, ..POSITION }).unwrap();
    }
    drop(log);
    // Other programs still meet the contract's trigger, and ours still knows its schema.
    let conn = Connection::open(&path).unwrap();
    let foreign = "INSERT INTO executions (id, tool_name, arguments_json, timestamp, success) \
                   VALUES ('x', 'file_read', '{}', 0, 1)";
    let error = conn.execute(foreign, []).unwrap_err().to_string();
    assert!(error.contains("Timestamp too old"), "{error}");
    ExecutionLog::open(&path).unwrap();
}

#[test]
fn the_cursor_is_a_row_of_sqlite_sequence_and_survives_a_dump() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("execution_log.db");
    let mut log = made(&path, &[]);
    log.begin().unwrap();
    let content_json = "{\"text\":\"\"}".into();
    let out = ArtifactRow { artifact_type: ArtifactType::Stdout, content_json };
    log.insert(&row("00000000-0000-4000-8000-000000000001"), &[out]).unwrap();
    log.commit(Position { sequence: 12, ..POSITION }).unwrap();
    drop(log);
    let conn = Connection::open(&path).unwrap();
    conn.execute_batch("VACUUM").unwrap();
    let sql = "SELECT name, seq FROM sqlite_sequence WHERE name LIKE 'annals:%'";
    let (name, seq): (String, i64) =
        conn.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let (journal, chain) = ("01".repeat(16), "02".repeat(32));
    assert_eq!((name, seq), (format!("annals:{journal}:{chain}:1.1"), 12));
}

#[test]
fn only_the_owner_can_read_a_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("execution_log.db");
    let mut log = made(&path, &[]);
    log.begin().unwrap();
    for name in ["execution_log.db", "execution_log.db.lock", "execution_log.db-wal"] {
        let mode = folder.path().join(name).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    log.rollback().unwrap();
}
