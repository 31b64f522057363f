//! Free SQL over real files: what it answers, and what it refuses.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rusqlite::Connection;

use crate::event::{ArchivalWritten, MemoryDoor, MemoryOrigin};
use crate::memory::store::Memory;
use crate::store::{Position, Projector};

use super::{FreeSql, Limits, SqlError, SqlSource, SqlStore, TakeRows, Value};

/// A result as text, a row a line.
#[derive(Default)]
struct Taken {
    names: Vec<String>,
    rows: Vec<String>,
    rows_max: Option<usize>,
}

impl TakeRows for Taken {
    type Error = std::io::Error;

    fn begin(&mut self, names: &[String]) -> Result<(), Self::Error> {
        self.names = names.to_vec();
        Ok(())
    }

    fn row(&mut self, values: &[Value<'_>]) -> Result<bool, Self::Error> {
        let text = |value: &Value<'_>| match value {
            Value::Text(text) if text.len() > 100 => format!("{} bytes", text.len()),
            Value::Text(text) => String::from_utf8_lossy(text).into_owned(),
            other => format!("{other:?}"),
        };
        self.rows.push(values.iter().map(text).collect::<Vec<_>>().join("|"));
        Ok(self.rows_max.is_none_or(|max| self.rows.len() < max))
    }
}

/// A journal's stores: `log` with two executions, `idx` with a session.
fn stores(folder: &Path, name: &str) -> SqlSource {
    let make = |schema: &'static str, sql: &str| {
        let path = folder.join(format!("{name} {schema}?#%.db"));
        let conn = Connection::open(&path).unwrap();
        conn.execute_batch("PRAGMA journal_mode = WAL").unwrap();
        conn.execute_batch(sql).unwrap();
        SqlStore { schema, path, is_needed: true, is_shared: false }
    };
    let text = name.replace('\'', "''");
    let log = format!(
        "CREATE TABLE executions (id TEXT, tool_name TEXT); \
         INSERT INTO executions VALUES ('{text}-1', 'file_read'), ('{text}-2', 'lsp_check')"
    );
    let idx = format!(
        "CREATE TABLE executions (seq INTEGER, ordinal INTEGER); \
         INSERT INTO executions VALUES (7, 1); \
         CREATE TABLE sessions (id TEXT); INSERT INTO sessions VALUES ('{text}')"
    );
    SqlSource { name: name.to_owned(), stores: vec![make("log", &log), make("idx", &idx)] }
}

fn asked(sources: &[SqlSource], sql: &str) -> Result<Taken, SqlError<std::io::Error>> {
    let mut taken = Taken::default();
    FreeSql::open(sources, Limits::default()).unwrap().ask(sql, &mut taken)?;
    Ok(taken)
}

#[test]
fn one_journal_is_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let one = [stores(folder.path(), "a")];
    for (sql, expect) in [
        ("SELECT id FROM executions", vec!["a-1", "a-2"]),
        ("SELECT id FROM log.executions WHERE rowid = 2", vec!["a-2"]),
        (
            "SELECT seq, id FROM idx.executions e JOIN log.executions l ON l.rowid = e.ordinal",
            vec!["Integer(7)|a-1"],
        ),
        ("SELECT id FROM sessions; -- done", vec!["a"]),
        ("SELECT rowid, id FROM log_executions WHERE rowid > 1", vec!["Integer(2)|a-2"]),
        ("SELECT * FROM idx_executions", vec!["Integer(7)|Integer(1)"]),
        ("VALUES (1, x'00ff', NULL, 'x')", vec!["Integer(1)|Blob([0, 255])|Null|x"]),
        ("SELECT json_extract('{\"a\":[1]}', '$.a[0]')", vec!["Integer(1)"]),
        ("SELECT count(*) FROM pragma_table_info('executions')", vec!["Integer(2)"]),
        (
            "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 5000) SELECT max(x) FROM c",
            vec!["Integer(5000)"],
        ),
        ("SELECT hex(zeroblob(100))", vec!["200 bytes"]),
        ("SELECT printf('%.*c', 5000000, 'x')", vec!["5000000 bytes"]),
    ] {
        assert_eq!(asked(&one, sql).unwrap().rows, expect, "{sql}");
    }
}

#[test]
fn several_journals_are_asked_as_one() {
    let folder = tempfile::tempdir().unwrap();
    // Two are attached, seven are copied.
    for count in [2, 7] {
        let names: Vec<String> = (0..count).map(|at| format!("j'{count}\"{at}")).collect();
        let sources: Vec<_> = names.iter().map(|name| stores(folder.path(), name)).collect();
        let taken = asked(&sources, "SELECT * FROM executions ORDER BY journal, rowid").unwrap();
        assert_eq!(taken.names, ["journal", "rowid", "id", "tool_name"]);
        assert_eq!(taken.rows.len(), 2 * count);
        assert_eq!(taken.rows[1], format!("{0}|Integer(2)|{0}-2|lsp_check", names[0]));
        for (sql, expect) in [
            ("SELECT count(DISTINCT journal) FROM log_executions", count),
            (
                "SELECT count(*) FROM idx_executions e JOIN log_executions l ON l.journal = e.journal AND l.rowid = e.ordinal",
                count,
            ),
            ("SELECT count(*) FROM sessions WHERE id = journal", count),
        ] {
            assert_eq!(asked(&sources, sql).unwrap().rows, [format!("Integer({expect})")], "{sql}");
        }
        assert!(matches!(
            asked(&sources, "DELETE FROM executions"),
            Err(SqlError::Refused { .. } | SqlError::Wrong { .. })
        ));
    }
}

#[test]
fn nothing_can_be_changed_or_reached() {
    let folder = tempfile::tempdir().unwrap();
    let source = stores(folder.path(), "a");
    let elsewhere = folder.path().join("elsewhere.db");
    let before: Vec<_> = source.stores.iter().map(|it| std::fs::read(&it.path).unwrap()).collect();
    let one = [source.clone()];
    let elsewhere_sql = elsewhere.display();
    let refused = [
        "DELETE FROM executions".to_owned(),
        "UPDATE log.executions SET id = ''".to_owned(),
        "INSERT INTO log.executions SELECT * FROM log.executions".to_owned(),
        "DROP TABLE log.executions".to_owned(),
        "CREATE TABLE t (a)".to_owned(),
        "CREATE TEMP TABLE t (a)".to_owned(),
        "CREATE VIRTUAL TABLE t USING fts5(a)".to_owned(),
        "ALTER TABLE log.executions ADD COLUMN x".to_owned(),
        "REINDEX".to_owned(),
        "ANALYZE".to_owned(),
        "VACUUM".to_owned(),
        format!("VACUUM log INTO '{elsewhere_sql}'"),
        format!("ATTACH '{elsewhere_sql}' AS e"),
        "DETACH log".to_owned(),
        "BEGIN IMMEDIATE".to_owned(),
        "SAVEPOINT s".to_owned(),
        "PRAGMA journal_mode = DELETE".to_owned(),
        "PRAGMA log.journal_mode = DELETE".to_owned(),
        "PRAGMA query_only = OFF".to_owned(),
        "PRAGMA writable_schema = ON".to_owned(),
        "PRAGMA log.user_version = 9".to_owned(),
        "PRAGMA temp_store_directory = '/tmp'".to_owned(),
        "PRAGMA log.wal_checkpoint(TRUNCATE)".to_owned(),
        "SELECT * FROM pragma_query_only(0)".to_owned(),
        "SELECT load_extension('/tmp/x.so')".to_owned(),
        "SELECT fts3_tokenizer('simple')".to_owned(),
        "EXPLAIN DELETE FROM executions".to_owned(),
    ];
    for sql in refused {
        match asked(&one, &sql) {
            // One that has nothing to do answers nothing.
            Err(SqlError::Refused { .. } | SqlError::Wrong { .. } | SqlError::Nothing) => {}
            other => panic!("{sql}: {:?}", other.map(|taken| taken.rows)),
        }
    }
    assert!(!elsewhere.exists());
    for (SqlStore { path, .. }, before) in source.stores.iter().zip(before) {
        assert_eq!(std::fs::read(path).unwrap(), before);
    }
}

#[test]
fn what_is_no_question_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let one = [stores(folder.path(), "a")];
    let said = |sql: &str| match asked(&one, sql) {
        Ok(taken) => panic!("{sql}: {:?}", taken.rows),
        Err(SqlError::Wrong { message, at }) => format!("{message} at {at:?}"),
        Err(error) => error.to_string(),
    };
    for (sql, expect) in [
        ("SELCT 1", "near \"SELCT\": syntax error at Some(0)"),
        ("SELECT nope FROM executions", "no such column: nope at Some(7)"),
        ("SELECT 1; SELECT 2", "one statement at a time"),
        ("", "gives no rows"),
        ("-- nothing", "gives no rows"),
        ("SELECT ?1, :name", "parameters (?1, :name) have no value here at None"),
        ("SELECT zeroblob(1000000000)", "string or blob too big at None"),
    ] {
        assert!(said(sql).contains(expect), "{sql}: {}", said(sql));
    }
    let deep = format!("SELECT {}1{}", "abs(".repeat(5_000), ")".repeat(5_000));
    said(&deep);
    let long = format!("SELECT 1 -- {}", "x".repeat(2 << 20));
    said(&long);
    let many = format!("SELECT 1{}", " UNION SELECT 1".repeat(5_000));
    said(&many);
}

#[test]
fn a_question_of_our_own_takes_what_a_store_holds() {
    let folder = tempfile::tempdir().unwrap();
    let sql = FreeSql::open(&[stores(folder.path(), "a")], Limits::default()).unwrap();
    let large = "SELECT zeroblob(9000000)";
    for _ in 0..2 {
        assert!(matches!(sql.ask(large, &mut Taken::default()), Err(SqlError::Wrong { .. })));
        sql.ask_with(large, &[], &mut Taken::default()).unwrap();
    }
}

#[test]
fn it_stops_when_its_time_is_up_or_somebody_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let one = [stores(folder.path(), "a")];
    let endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) \
                   SELECT count(*) FROM c";
    let limits = Limits { time_max: Some(Duration::from_millis(300)), ..Limits::default() };
    let timed = FreeSql::open(&one, limits).unwrap().ask(endless, &mut Taken::default());
    assert!(matches!(timed, Err(SqlError::TimeIsUp { .. })));
    let limits = Limits::default();
    let stop = std::sync::Arc::clone(&limits.stop);
    let sql = FreeSql::open(&one, limits).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            stop.store(true, Ordering::Relaxed);
        });
        assert!(matches!(sql.ask(endless, &mut Taken::default()), Err(SqlError::Stopped)));
    });
    // Rows come as they are found: who takes three waits for no more.
    let unending =
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c";
    let mut three = Taken { rows_max: Some(3), ..Taken::default() };
    FreeSql::open(&one, Limits::default()).unwrap().ask(unending, &mut three).unwrap();
    assert_eq!(three.rows.len(), 3);
}

#[test]
fn memory_is_asked_like_the_others_and_one_that_is_damaged_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let with_memory = |name: &str| {
        let path = folder.path().join(format!("{name}.memory.db"));
        let mut memory = Memory::create(&path).unwrap();
        memory.begin().unwrap();
        let record = ArchivalWritten {
            id: 1,
            branch: "b".to_owned(),
            text: format!("{name} has two words"),
            tags: vec!["T".to_owned()],
            whole: None,
            origin: MemoryOrigin::by(MemoryDoor::Primitive),
        };
        memory.insert_archival(&record, 1.5).unwrap();
        memory.commit(Position { journal: [1; 16], sequence: 1, chain: [1; 32] }).unwrap();
        Box::new(memory).finish().unwrap();
        let mut source = stores(folder.path(), name);
        let (schema, is_needed, is_shared) = ("memory", false, false);
        source.stores.push(SqlStore { schema, path, is_needed, is_shared });
        source
    };
    let (one, two) = (with_memory("one"), with_memory("two"));
    for (sql, expected) in [
        ("SELECT text FROM archival", "one has two words"),
        ("SELECT text FROM memory_archival", "one has two words"),
        (
            "SELECT text FROM memory.archival_fts WHERE archival_fts MATCH 'words'",
            "one has two words",
        ),
        ("SELECT created_at FROM memory.archival", "Real(1.5)"),
    ] {
        assert_eq!(asked(std::slice::from_ref(&one), sql).unwrap().rows, [expected], "{sql}");
    }
    let sql = "SELECT journal, text FROM archival ORDER BY journal";
    let both = asked(&[one.clone(), two], sql).unwrap().rows;
    assert_eq!(both, ["one|one has two words", "two|two has two words"]);
    let sql = "SELECT name FROM sqlite_temp_master WHERE name LIKE 'memory_archival_fts_%'";
    assert_eq!(
        asked(std::slice::from_ref(&one), sql).unwrap().rows,
        [""; 0],
        "what FTS5 keeps for itself"
    );

    std::fs::write(&one.stores[2].path, "no database".repeat(99)).unwrap();
    let sql = FreeSql::open(std::slice::from_ref(&one), Limits::default()).unwrap();
    assert_eq!(sql.left_out.len(), 1);
    drop(sql);
    assert!(asked(std::slice::from_ref(&one), "SELECT text FROM archival").is_err());
    assert_eq!(asked(&[one], "SELECT count(*) FROM log.executions").unwrap().rows, ["Integer(2)"]);
}
