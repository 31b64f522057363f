//! Cursors as text, schema files as statements, digests of content, what a lock keeps out.

use rusqlite::Connection;

use super::digest::{created, statements};
use super::lock::StoreLock;
use super::{Cursor, Digest, Position, Rows, StoreError, Swap, digest};

#[test]
fn a_cursors_name_reads_back_and_nothing_else_does() {
    let position = Position { journal: [0xab; 16], sequence: 77, chain: [0x0c; 32] };
    let cursor = Cursor { position, rows: Rows { executions: 12, others: 3 } };
    let name = cursor.name();
    assert_eq!(Cursor::parse(&name, 77), Some(cursor));
    for broken in [
        "annals:",
        "execution_artifacts",
        &name[1..],
        &name[..name.len() - 2],
        &format!("{name}:more"),
        &name.replace("ab", "zz"),
        &name.replace("12.3", "12.-3"),
    ] {
        assert_eq!(Cursor::parse(broken, 77), None, "{broken}");
    }
}

#[test]
fn two_cursor_rows_count_as_none() {
    let conn = Connection::open_in_memory().unwrap();
    conn.execute_batch("CREATE TABLE cursor (name TEXT, seq INTEGER)").unwrap();
    let position = Position { journal: [1; 16], sequence: 1, chain: [2; 32] };
    let cursor = Cursor { position, rows: Rows::default() };
    cursor.write(&conn, "cursor").unwrap();
    assert_eq!(Cursor::read(&conn, "cursor").unwrap(), Some(cursor));
    conn.execute("INSERT INTO cursor VALUES ('annals:other', 5)", []).unwrap();
    assert_eq!(Cursor::read(&conn, "cursor").unwrap(), None);
    cursor.write(&conn, "cursor").unwrap();
    assert_eq!(Cursor::read(&conn, "cursor").unwrap(), Some(cursor), "writing leaves one");
}

#[test]
fn a_schema_file_splits_into_the_statements_that_sqlite_keeps() {
    let sql = "-- why;\nCREATE TABLE a (\n    -- a; comment);\n    x TEXT\n);\n\nCREATE UNIQUE INDEX b \
               ON a(x);\n-- so\nCREATE TRIGGER c BEFORE INSERT ON a\nBEGIN\n    SELECT 1;\nEND;\n";
    let found = statements(sql);
    assert_eq!(found.iter().map(|sql| created(sql)).collect::<Vec<_>>(), ["a", "b", "c"]);
    let conn = Connection::open_in_memory().unwrap();
    for statement in found {
        conn.execute_batch(statement).unwrap();
        let kept: String = conn
            .query_row("SELECT sql FROM sqlite_master WHERE name = ?1", [created(statement)], |r| {
                r.get(0)
            })
            .unwrap();
        assert_eq!(kept, statement);
    }
}

fn digest_of(sql: &str) -> Digest {
    let conn = Connection::open_in_memory().unwrap();
    conn.execute_batch(sql).unwrap();
    digest::content(&conn).unwrap()
}

#[test]
fn a_digest_is_of_content_not_of_how_it_came_to_be() {
    let table = "CREATE TABLE t (a TEXT, b);";
    let one = digest_of(&format!("{table} INSERT INTO t VALUES ('x', 1), ('y', 2);"));
    let again = digest_of(&format!(
        "{table} INSERT INTO t(rowid, a, b) VALUES (3, 'z', 3), (2, 'y', 2), (1, 'x', 1); \
         DELETE FROM t WHERE rowid = 3; VACUUM;"
    ));
    assert_eq!(one, again);
    for other in [
        "INSERT INTO t VALUES ('x', 1)",
        "INSERT INTO t VALUES ('x', 1), ('y', '2')",
        "INSERT INTO t VALUES ('x', 1), ('y', 2.0)",
        "INSERT INTO t VALUES ('x', 1), ('y', NULL)",
        "INSERT INTO t VALUES ('x', 1), (x'79', 2)",
        "INSERT INTO t VALUES ('y', 2), ('x', 1)",
        "INSERT INTO t VALUES ('x1', NULL), ('y', 2)",
        "INSERT INTO t VALUES ('x', 1), ('y', 2); CREATE INDEX i ON t(a)",
    ] {
        assert_ne!(one, digest_of(&format!("{table} {other};")), "{other}");
    }
}

#[test]
fn a_swap_waits_for_connections_and_then_says_locked() {
    let folder = tempfile::tempdir().unwrap();
    let (store, quarantine) = (folder.path().join("s.db"), folder.path().join("q"));
    let never = StoreLock::shared(&store);
    assert!(matches!(never, Err(StoreError::Missing { .. })), "{never:?}");
    assert!(!folder.path().join("s.db.lock").exists());
    std::fs::write(&store, "").unwrap();
    let held = StoreLock::shared(&store).unwrap();
    let another = StoreLock::reading(&store).unwrap();
    assert!(another.is_some());
    let refused = Swap::begin(&store, &quarantine);
    assert!(matches!(refused, Err(StoreError::Locked { .. })), "{refused:?}");
    drop((held, another));
    Swap::begin(&store, &quarantine).unwrap();
}

#[test]
fn a_lock_removed_under_its_holder_is_not_taken_for_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("s.db");
    let held = StoreLock::exclusive(&store).unwrap();
    std::fs::remove_file(folder.path().join("s.db.lock")).unwrap();
    // Another makes its own, and holds what now has the name.
    let fresh = StoreLock::exclusive(&store).unwrap();
    drop(held);
    let refused = StoreLock::shared(&store);
    assert!(matches!(refused, Err(StoreError::Locked { .. })));
    drop(fresh);
}
