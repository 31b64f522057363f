//! `codegraph.db`: the graph that magellan and sqlitegraph keep of the code, with what executions did
//! to it (spec 000 §2).
//!
//! The file is somebody else's. Only entities of the kinds `execution`, `diagnostic` and
//! `annals_stub`, their edges, and the two tables `annals_…` are ours; nothing else is changed, and
//! the file is never replaced.

mod clear;
mod create;
mod digest;
mod edge;
mod foreign;
mod kept;
mod node;
mod read;
mod relink;
mod resolve;
mod roots;
mod row_sum;
mod schema;
mod seen;
mod shared;
mod write;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::store::connection::Whose;
use crate::store::{Rows, StoreError, connection};
use resolve::Resolved;
use seen::Seen;
use shared::Shared;

pub use create::publish;
pub use edge::{ChangeType, EDGE_TYPES, Link, Operation, QueryType, Severity};
pub use foreign::{Changed, Foreign};
pub use kept::keep;
pub use node::{DiagnosticNode, ExecutionNode, KINDS};
pub use read::CodeGraphReader;
pub use resolve::last_part;
pub use roots::{FileKey, Roots};

/// Where the cursor is kept.
const CURSOR_TABLE: &str = "annals_cursor";
/// How long anyone waits for another program that writes the graph.
/// Short: it lags and is asked again, and nobody's tool waits.
const WAIT_MAX: Duration = Duration::from_millis(500);
const SHARED: Whose = Whose::Shared(WAIT_MAX);

/// `codegraph.db`, open for writing.
#[derive(Debug)]
pub struct CodeGraph {
    conn: Shared,
    path: PathBuf,
    roots: Roots,
    /// Tools declared besides the contract's, as they were declared.
    declared: Vec<String>,
    /// The project's folder when its journal was made; empty where that is not known.
    told_from: String,
    rows: Rows,
    next_entity: i64,
    next_edge: i64,
    /// Edges from this id on were made in this transaction.
    first_edge: i64,
    /// What was looked up in this transaction, in which nobody else changes anything.
    resolved: Resolved,
    seen: Seen,
}

impl CodeGraph {
    /// Opens a graph whose paths are told from `root`. Its journal mode stays as it is.
    ///
    /// # Errors
    /// Where it is not there, is no graph, or is one of a newer sqlitegraph.
    pub fn open(path: &Path, root: &Path) -> Result<Self, StoreError> {
        let conn = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        match schema::check(&conn, path) {
            Err(StoreError::Empty { .. }) => create::make_in(&conn, path)?,
            checked => checked?,
        }
        Self::of(conn, path, root)
    }

    /// A graph whose paths are told from `root`.
    fn of(conn: Connection, path: &Path, root: &Path) -> Result<Self, StoreError> {
        let failed = |source| StoreError::of_graph(path, "opening the graph", source);
        let pragmas = "PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY";
        conn.execute_batch(pragmas).map_err(failed)?;
        let conn = Shared::of(conn).map_err(failed)?;
        shared::copy_wal(&conn, path).map_err(failed)?;
        let index_root = schema::index_root(&conn).map_err(failed)?;
        Ok(Self {
            conn,
            path: path.to_owned(),
            roots: Roots::new(root, index_root.as_deref()),
            declared: Vec::new(),
            told_from: String::new(),
            rows: Rows::default(),
            next_entity: 1,
            next_edge: 1,
            first_edge: 1,
            resolved: Resolved::default(),
            seen: Seen::default(),
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What paths are told from.
    pub fn roots(&self) -> &Roots {
        &self.roots
    }

    /// Tool names declared besides the contract's, as of the cursor.
    pub fn declared(&self) -> &[String] {
        &self.declared
    }

    fn run(&self, sql: &str, doing: &'static str) -> Result<(), StoreError> {
        self.conn.execute_batch(sql).map_err(|source| self.failed(doing, source))
    }

    fn failed(&self, doing: &'static str, source: rusqlite::Error) -> StoreError {
        StoreError::of_graph(&self.path, doing, source)
    }
}

fn open(path: &Path, access: OpenFlags) -> Result<Connection, StoreError> {
    connection::open_of(path, access, SHARED).map_err(not_ours)
}

/// An error of opening a file that is not ours to replace.
fn not_ours(error: StoreError) -> StoreError {
    match error {
        StoreError::Unreadable { path, doing, source } => {
            StoreError::GraphDamaged { path, doing, source }
        }
        other => other,
    }
}

/// The project's root: the graph lies in it.
fn root_of(path: &Path) -> &Path {
    match path.parent() {
        Some(root) if !root.as_os_str().is_empty() => root,
        _ => Path::new("."),
    }
}

/// The last execution's and the last diagnostic's entity.
fn found_rows(conn: &Connection) -> rusqlite::Result<Rows> {
    let sql = "SELECT (SELECT coalesce(max(id), 0) FROM graph_entities WHERE kind = 'execution'), \
               (SELECT coalesce(max(id), 0) FROM graph_entities WHERE kind = 'diagnostic')";
    conn.prepare_cached(sql)?
        .query_row([], |row| Ok(Rows { executions: row.get(0)?, others: row.get(1)? }))
}

#[cfg(test)]
mod tests;
