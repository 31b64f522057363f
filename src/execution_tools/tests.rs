//! What is refused, and what is told twice; the contract's own tests are in
//! `tests/execution_tools_tests.rs`.

use rusqlite::Connection;
use serde_json::json;

use super::{Duration, Error, Execution, ExecutionDb, ExecutionId, record_execution};

const TIMESTAMP: u64 = 1_735_036_800_000;

fn temp_db() -> (tempfile::TempDir, ExecutionDb) {
    let folder = tempfile::tempdir().unwrap();
    let db = ExecutionDb::initialize(folder.path()).unwrap();
    (folder, db)
}

fn log(db: &ExecutionDb) -> Connection {
    Connection::open(db.execution_log_path()).unwrap()
}

fn ids(log: &Connection) -> Vec<String> {
    let mut ids = log.prepare("SELECT id FROM executions ORDER BY rowid").unwrap();
    let found = ids.query_map([], |row| row.get(0)).unwrap();
    found.collect::<Result<_, _>>().unwrap()
}

#[test]
fn a_duration_is_what_it_says() {
    for (ours, seconds) in [
        (Duration::days(7), 604_800),
        (Duration::hours(2), 7_200),
        (Duration::minutes(3), 180),
        (Duration::seconds(4), 4),
        (Duration::days(u64::MAX), u64::MAX),
    ] {
        assert_eq!(std::time::Duration::from(ours).as_secs(), seconds);
    }
}

#[test]
fn a_refused_record_leaves_no_row_and_says_why() {
    let (_folder, db) = temp_db();
    db.record("file_read", &json!({"path": "a"}), "text", &TIMESTAMP).unwrap();
    let early = TIMESTAMP - 60_001;
    for (tool, args, timestamp, why) in [
        ("nobody_knows", json!({}), TIMESTAMP, "not in the contract's list"),
        ("file_read", json!([1]), TIMESTAMP, "not an object"),
        ("file_read", json!({}), early, "behind the session's last"),
        ("file_read", json!({}), u64::MAX, "ahead"),
    ] {
        let error = db.record(tool, &args, "text", &timestamp).unwrap_err();
        assert!(matches!(error, Error::Record(_)), "{error:?}");
        let mut said = error.to_string();
        let mut cause = std::error::Error::source(&error);
        while let Some(source) = cause {
            said += &source.to_string();
            cause = source.source();
        }
        assert!(said.contains(why), "{said}");
    }
    let log = log(&db);
    assert_eq!(ids(&log).len(), 1);
    // Another session has a time of its own.
    let (folder, db) = (db.root().to_owned(), db);
    drop(db);
    let other = ExecutionDb::initialize(&folder).unwrap().with_session("other");
    other.record("file_read", &json!({}), "text", &early).unwrap();
}

#[test]
fn one_execution_told_twice_is_one() {
    let (folder, db) = temp_db();
    let execution = Execution {
        tool_name: "file_read".to_owned(),
        arguments: "{}".to_owned(),
        timestamp: TIMESTAMP,
        execution_id: ExecutionId::parse("550e8400-e29b-41d4-a716-446655440000"),
        success: true,
        ..Default::default()
    };
    let told = record_execution(&db, execution.clone()).unwrap();
    let again = record_execution(&db, execution).unwrap();
    assert_eq!((told.duplicate, again.duplicate), (false, true));
    drop(db);
    let db = ExecutionDb::initialize(folder.path()).unwrap();
    let log = log(&db);
    assert_eq!(ids(&log), ["550e8400-e29b-41d4-a716-446655440000"]);
}
