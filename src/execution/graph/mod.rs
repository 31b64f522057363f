//! `codegraph.db`: the graph that magellan and sqlitegraph keep of the code, with what executions did
//! to it (spec 000 §2).
//!
//! The file is somebody else's. Only entities of the kinds `execution`, `diagnostic` and
//! `annals_stub`, their edges, and the two tables `annals_…` are ours; nothing else is changed, and
//! the file is never replaced.

mod create;
mod digest;
pub(crate) mod fold;
mod foreign;
mod nodes;
mod read;
mod relink;
mod resolve;
mod roots;
mod schema;
mod store;
mod write;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::journal::enclosure;
use crate::journal::enclosure::{DatabaseUse, OpenHow};
use crate::parse::check::CheckRules;
use crate::store::connection::Whose;
use crate::store::quarantine::quarantine;
use crate::store::{Foreseen, Keep, Rows, StoreError, StoreName, connection};
use resolve::Resolved;
use schema::Shared;

pub use foreign::{Changed, Foreign};
pub use nodes::{
    ChangeType, DiagnosticNode, EdgeType, ExecutionNode, KINDS, Link, Operation, QueryType,
};
pub use read::CodeGraphReader;
pub use resolve::last_part;
pub use roots::{FileKey, Roots};

const CURSOR_TABLE: &str = "annals_cursor";
/// How long anyone waits for another program that writes the graph.
/// Short: it lags and is asked again, and nobody's tool waits.
const WAIT_MAX: Duration = Duration::from_millis(500);
const SHARED: Whose = Whose::Shared(WAIT_MAX);
const OPENING: &str = "opening the graph";

/// `codegraph.db`, open for writing.
#[derive(Debug)]
pub struct CodeGraph {
    conn: Shared,
    path: PathBuf,
    roots: Roots,
    /// Tools declared besides the contract's, as they were declared.
    declared: Vec<String>,
    /// The project's own checks in force.
    own_checks: CheckRules,
    /// What was made ahead of an event.
    foreseen: Option<Foreseen>,
    /// The project's folder when its journal was made; empty where that is not known.
    told_from: String,
    rows: Rows,
    next_entity: i64,
    next_edge: i64,
    /// Edges from this id on were made in this transaction.
    first_edge: i64,
    /// What was looked up in this transaction, in which nobody else changes anything.
    resolved: Resolved,
    /// Whether a transaction takes out what was there, and makes every edge; it is fed each execution's end once.
    anew: bool,
    /// Whether it is only held against another: nobody asks it anything.
    is_passing: bool,
}

impl CodeGraph {
    /// Opens a graph whose paths are told from `root`. Its journal mode stays as it is.
    pub fn open(path: &Path, root: &Path) -> Result<Self, StoreError> {
        let conn = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        conn.execute_batch("PRAGMA temp_store = MEMORY; PRAGMA synchronous = NORMAL")
            .map_err(|source| StoreError::of_graph(path, OPENING, source))?;
        match schema::check(&conn, path) {
            Err(StoreError::Empty { .. }) => create::make_in(&conn, path)?,
            checked => checked?,
        }
        Self::of(conn, path, root)
    }

    fn of(conn: Connection, path: &Path, root: &Path) -> Result<Self, StoreError> {
        let failed = |source| StoreError::of_graph(path, OPENING, source);
        let conn = Shared::of(conn).map_err(failed)?;
        schema::copy_wal(&conn, path).map_err(failed)?;
        let index_root = schema::index_root(&conn).map_err(failed)?;
        Ok(Self {
            conn,
            path: path.to_owned(),
            roots: Roots::new(root, index_root.as_deref()),
            declared: Vec::new(),
            own_checks: CheckRules::default(),
            foreseen: None,
            told_from: String::new(),
            rows: Rows::default(),
            next_entity: 1,
            next_edge: 1,
            first_edge: 1,
            resolved: Resolved::default(),
            anew: false,
            is_passing: false,
        })
    }

    /// The same, folded from nothing: what is there of ours goes with the first event.
    pub fn anew(self) -> Self {
        Self { anew: true, ..self }
    }

    pub fn roots(&self) -> &Roots {
        &self.roots
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

/// Writes a graph's pages anew, so that none holds what was deleted, and empties its `-wal`. Its rows, their ids and
/// its journal mode stay: to magellan it is as if somebody had tidied up.
fn scrub(graph: &Path) -> Result<(), StoreError> {
    let conn = open(graph, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    schema::check(&conn, graph)?;
    let conn = Shared::of(conn).map_err(|it| StoreError::of_graph(graph, SCRUBBING, it))?;
    let scrubbed = conn.execute_batch("PRAGMA secure_delete = ON; VACUUM").and_then(|()| {
        conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0))
    });
    match scrubbed {
        Ok(0) => Ok(()),
        Ok(_) => Err(StoreError::Locked { path: graph.to_owned(), doing: SCRUBBING }),
        Err(source) => Err(StoreError::of_graph(graph, SCRUBBING, source)),
    }
}

const SCRUBBING: &str = "writing its pages anew";

/// Copies a graph as it stands at one moment, whoever writes it, into `building`, where the caller alone
/// builds a graph now, and moves the copy into the quarantine. Answers where it is.
fn keep(graph: &Path, building: &Path, aside: &Path) -> Result<Option<PathBuf>, StoreError> {
    let copy = building.join(StoreName::CODE_GRAPH.as_str());
    let failed = |source| StoreError::io(&copy, "keeping a copy of the graph", source);
    match enclosure::remove(&copy) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
        _ => {}
    }
    // SQLite fills an empty file, and would make one that is whoever's this process is.
    enclosure::open(&copy, OpenHow::CreateNew).map_err(failed)?;
    let real = enclosure::database(&copy, DatabaseUse::Write).map_err(failed)?;
    let real = real.to_str().ok_or_else(|| failed(io::ErrorKind::InvalidFilename.into()))?;
    let conn = CodeGraphReader::open(graph)?.into_connection();
    let copied = conn
        .execute_batch("PRAGMA query_only = OFF")
        .and_then(|()| conn.execute("VACUUM INTO ?1", [real]));
    copied.map_err(|source| StoreError::of_graph(graph, "keeping a copy of it", source))?;
    // Its rows are replaced next.
    enclosure::open(&copy, OpenHow::ReadWrite).and_then(|it| it.sync_all()).map_err(failed)?;
    quarantine(&copy, aside, Keep::Evidence)
}

/// Edges of ours, also those that somebody's deletions left hanging; of the others none, even where
/// one leads to a row of ours.
const OURS: &str = "
    DELETE FROM graph_edges
        WHERE edge_type IN ('EXECUTED_ON', 'AFFECTED', 'REFERENCED', 'PRODUCED');
    DELETE FROM graph_entities WHERE kind IN ('execution', 'diagnostic', 'annals_stub');
    DELETE FROM annals_targets;
    DELETE FROM annals_cursor;
";

impl CodeGraph {
    /// Takes every row of ours out, inside a transaction; what follows is a load.
    fn clear(&mut self) -> Result<(), StoreError> {
        self.run(OURS, "taking out the old rows")?;
        self.declared.clear();
        self.own_checks = CheckRules::default();
        self.tell_from("");
        self.rows = Rows::default();
        self.forget(true);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
