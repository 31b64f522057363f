//! What a graph must be to be written: sqlitegraph's, of a version that is known; and a connection to one that
//! another program may have open as well.

use std::ops::Deref;
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OptionalExtension};

use crate::journal::enclosure;
use crate::store::StoreError;
use crate::store::lock::beside;

/// The schema of sqlitegraph 3.9, the newest that is known.
pub(super) const KNOWN_VERSION: i64 = 10;
/// What a file that we make is declared as; sqlitegraph brings it up to date itself.
pub(super) const MADE_VERSION: i64 = 2;

/// The `application_id` of a file that we made: nobody else's is taken for one.
pub(super) const MADE_BY_US: i64 = 0x616e_6c73;

/// What each version must have: a table, and a column of it.
const BROUGHT: [(i64, &str, &str); 5] = [
    (1, "graph_entities", "data"),
    (1, "graph_edges", "data"),
    (3, "hnsw_indexes", "id"),
    (8, "graph_entities", "snapshot_id"),
    (10, "graph_meta", "authoritative_version"),
];

/// Refuses what is no graph, and what is newer than is known or than its own tables.
pub(super) fn check(conn: &Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |source| StoreError::of_graph(path, "reading the graph's schema", source);
    let refused = |why| StoreError::NoGraph { path: path.to_owned(), why };
    if is_empty(conn).map_err(failed)? {
        return Err(StoreError::Empty { path: path.to_owned() });
    }
    if !has(conn, "graph_meta", "schema_version").map_err(failed)? {
        return Err(refused("it has no table graph_meta, so it is not sqlitegraph's"));
    }
    let version: Option<i64> = conn
        .query_row("SELECT schema_version FROM graph_meta WHERE id = 1", [], |row| row.get(0))
        .optional()
        .map_err(failed)?;
    let Some(version) = version else {
        return Err(refused("its graph_meta is empty, so its version is unknown"));
    };
    if version > KNOWN_VERSION {
        return Err(refused("it was made by a newer sqlitegraph than this annals knows"));
    }
    for (since, table, column) in BROUGHT {
        if version >= since && !has(conn, table, column).map_err(failed)? {
            return Err(refused("it is declared newer than its tables are"));
        }
    }
    Ok(())
}

/// Whether the file has no page at all: to SQLite a database in which nothing was ever made.
pub(super) fn is_empty(conn: &Connection) -> rusqlite::Result<bool> {
    conn.query_row("PRAGMA page_count", [], |row| row.get::<_, i64>(0)).map(|pages| pages == 0)
}

pub(super) fn has(conn: &Connection, table: &str, column: &str) -> rusqlite::Result<bool> {
    conn.prepare_cached("SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2")?
        .exists([table, column])
}

pub(super) fn has_table(conn: &Connection, table: &str) -> rusqlite::Result<bool> {
    conn.prepare_cached("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1")?
        .exists([table])
}

/// Whether no other program has opened a graph that we made: sqlitegraph would have brought it up to
/// date.
pub(super) fn is_only_ours(conn: &Connection) -> rusqlite::Result<bool> {
    if has_table(conn, "magellan_meta")? {
        return Ok(false);
    }
    let made_by: i64 = conn.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if made_by != MADE_BY_US {
        return Ok(false);
    }
    let sql = "SELECT schema_version = ?1 FROM graph_meta WHERE id = 1";
    conn.prepare_cached(sql)?.query_row([MADE_VERSION], |row| row.get(0))
}

pub(super) fn counts_writes(conn: &Connection) -> rusqlite::Result<bool> {
    has(conn, "graph_meta", "authoritative_version")
}

/// The folder that magellan indexed, where it says so.
pub(super) fn index_root(conn: &Connection) -> rusqlite::Result<Option<String>> {
    if !has(conn, "magellan_meta", "index_root")? {
        return Ok(None);
    }
    let root = conn
        .query_row("SELECT index_root FROM magellan_meta WHERE id = 1", [], |row| row.get(0))
        .optional()?;
    Ok(root.flatten())
}

/// Of a `-wal` that nobody else has put away: beyond this we copy it into the graph.
const WAL_BYTES_MAX: i64 = 32 << 20;

/// A connection that leaves another program's `-wal` where it is.
///
/// SQLite's last connection copies the `-wal` into the file and deletes it, and knows by a POSIX
/// lock that it is the last. A program that opens the file once more and closes that loses the lock
/// (magellan does): its `-wal` would be deleted under it. Copying beside it is safe, for that is
/// agreed upon by locks on `-shm`; it is left to the others until the `-wal` is large.
#[derive(Debug)]
pub(super) struct Shared(Connection);

impl Shared {
    pub fn of(conn: Connection) -> rusqlite::Result<Self> {
        leave_wal(&conn, true)?;
        let page_bytes: i64 = conn.query_row("PRAGMA page_size", [], |row| row.get(0))?;
        let pages = WAL_BYTES_MAX / page_bytes.max(1);
        conn.query_row(&format!("PRAGMA wal_autocheckpoint = {pages}"), [], |_| Ok(()))?;
        Ok(Self(conn))
    }
}

/// Copies a `-wal` that has grown beyond the bound into the graph, before something is written: what is
/// written then begins it again. SQLite does so by itself behind a commit, but whoever opens the graph alone
/// next has forgotten that, and would go on at its end.
pub(super) fn copy_wal(conn: &Connection, path: &Path) -> rusqlite::Result<()> {
    let wal = enclosure::look(&beside(path, "-wal"));
    match wal.is_ok_and(|wal| wal.bytes >= WAL_BYTES_MAX as u64) {
        // As far as readers allow; the next one goes on.
        true => conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())),
        false => Ok(()),
    }
}

fn leave_wal(conn: &Connection, leaves: bool) -> rusqlite::Result<()> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, leaves).map(drop)
}

impl Deref for Shared {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.0
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // One that nobody but us ever opened is one file again.
        if is_only_ours(&self.0).unwrap_or_default() {
            let _ = leave_wal(&self.0, false); // where that fails, its `-wal` stays beside it
        }
    }
}
