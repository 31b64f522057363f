//! A graph where there is none yet, in the form that sqlitegraph and magellan open.

use std::io;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::ToSqlOutput;

use super::{CodeGraph, CodeGraphReader, schema};
use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;
use crate::store::digest::{created, statements};
use crate::store::{StoreError, connection};

const TABLES: &str = include_str!("tables.sql");
pub(super) const OWN: &str = include_str!("own.sql");

impl CodeGraph {
    /// Makes a new file for a bulk load, whose paths are told from `root`. Its indexes come last:
    /// nothing is looked up where nothing is.
    pub fn create(path: &Path, root: &Path) -> Result<Self, StoreError> {
        let conn = connection::create_bulk(path)?;
        make(&conn, "TABLE")
            .map_err(|source| StoreError::of_graph(path, "making the graph", source))?;
        Ok(Self::of(conn, path, root)?.anew())
    }

    /// As [`Self::create`], with what an existing graph says of the code: to be compared with it.
    pub fn create_beside(path: &Path, graph: &Path, root: &Path) -> Result<Self, StoreError> {
        let code = CodeGraphReader::open_to_look(graph)?.into_connection();
        let failed = |source| StoreError::of_graph(graph, "copying the code's graph", source);
        let conn = connection::create_bulk(path)?;
        make(&conn, "TABLE").and_then(|()| copy(&code, &conn)).map_err(failed)?;
        let has_code = conn.prepare("SELECT 1 FROM graph_entities LIMIT 1");
        let has_code = has_code.and_then(|mut it| it.exists([])).map_err(failed)?;
        let graph = Self { is_passing: true, ..Self::of(conn, path, root)? };
        // Nothing is looked up where nothing is known of the code.
        if has_code {
            graph.index().map_err(failed)?;
        }
        Ok(graph.anew())
    }

    /// Makes the indexes that are not there yet: nothing is found without them.
    pub(super) fn index(&self) -> rusqlite::Result<()> {
        let mut find = self.conn.prepare("SELECT 1 FROM sqlite_master WHERE name = ?1")?;
        for sql in statements(TABLES) {
            if sql.starts_with("CREATE INDEX") && !find.exists([created(sql)])? {
                self.conn.execute_batch(sql)?;
            }
        }
        self.conn.execute_batch(OWN)
    }
}

/// Puts a file that was made in its place, unless somebody else has made one meanwhile.
pub fn publish(made: &Path, path: &Path) -> Result<bool, StoreError> {
    let failed = |source| StoreError::io(path, "putting the new graph", source);
    enclosure::open(made, OpenHow::Read).and_then(|file| file.sync_all()).map_err(failed)?;
    match enclosure::rename_new(made, path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            enclosure::remove(made).map(|()| false).map_err(failed)
        }
        Err(error) => Err(failed(error)),
    }
}

/// Makes the tables in an empty file, unless another program has begun to, which may have made it to that
/// end.
pub(super) fn make_in(conn: &Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |source| StoreError::of_graph(path, "making the graph", source);
    conn.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
    let is_taken = conn.prepare("SELECT 1 FROM sqlite_master").and_then(|mut it| it.exists([]));
    let made = match is_taken {
        Ok(true) => Ok(()),
        Ok(false) => make(conn, ""),
        Err(error) => Err(error),
    };
    match made {
        Ok(()) => conn.execute_batch("COMMIT").map_err(failed),
        Err(source) => {
            // It ends with the connection at the latest.
            drop(conn.execute_batch("ROLLBACK"));
            Err(failed(source))
        }
    }?;
    schema::check(conn, path)?;
    // Last, so that who dies here leaves no page without a table.
    conn.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).map_err(failed)
}

/// What is declared of the kind, or all of it, and which version that is.
fn make(conn: &Connection, kind: &str) -> rusqlite::Result<()> {
    let beginning = format!("CREATE {kind}");
    for sql in statements(TABLES).into_iter().filter(|sql| sql.starts_with(&beginning)) {
        conn.execute_batch(sql)?;
    }
    conn.execute_batch(&format!("PRAGMA application_id = {}", schema::MADE_BY_US))?;
    let version = schema::MADE_VERSION;
    conn.execute("INSERT INTO graph_meta (id, schema_version) VALUES (1, ?1)", [version])?;
    conn.execute("INSERT INTO graph_meta_history (version) VALUES (?1)", [version])?;
    for sql in statements(OWN).into_iter().filter(|sql| sql.starts_with("CREATE TABLE")) {
        conn.execute_batch(sql)?;
    }
    Ok(())
}

/// Files, symbols and which file defines which, under their ids.
fn copy(code: &Connection, conn: &Connection) -> rusqlite::Result<()> {
    // One moment of the graph, whoever writes it meanwhile.
    let moment = code.unchecked_transaction()?;
    let transaction = conn.unchecked_transaction()?;
    copy_rows(
        code,
        "SELECT id, kind, name, file_path, data FROM graph_entities \
         WHERE kind IN ('File', 'Symbol')",
        conn,
        "INSERT INTO graph_entities (id, kind, name, file_path, data) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    copy_rows(
        code,
        "SELECT id, from_id, to_id, edge_type, data FROM graph_edges WHERE edge_type = 'DEFINES'",
        conn,
        "INSERT INTO graph_edges (id, from_id, to_id, edge_type, data) \
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    if let Some(root) = schema::index_root(code)? {
        conn.execute_batch("CREATE TABLE magellan_meta (id INTEGER, index_root TEXT)")?;
        conn.execute("INSERT INTO magellan_meta (id, index_root) VALUES (1, ?1)", [root])?;
    }
    transaction.commit()?;
    moment.finish()
}

fn copy_rows(from: &Connection, sql: &str, to: &Connection, into: &str) -> rusqlite::Result<()> {
    let (mut read, mut write) = (from.prepare(sql)?, to.prepare(into)?);
    let columns = read.column_count();
    let mut rows = read.query([])?;
    while let Some(row) = rows.next()? {
        for column in 0..columns {
            write.raw_bind_parameter(column + 1, ToSqlOutput::Borrowed(row.get_ref(column)?))?;
        }
        write.raw_execute()?;
    }
    Ok(())
}
