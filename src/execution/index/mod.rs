//! `.annals/index.db`: what the contract's tables cannot hold, and the indexes of every question.

mod debug;
mod executions;
mod facts;
mod grounding;
mod labels;
mod links;
mod open_row;
mod operations;
mod pending;
mod read;
mod repo;
mod tallies;
mod write;

use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};

use crate::store::held::Held;
use crate::store::statements::statements;
use crate::store::{Rows, StoreError, connection};
use open_row::OpenRows;
use tallies::Tallies;

pub use debug::{DebugFailureRow, DebugPatternRow, DebugSessionRow, DebugStored};
pub use grounding::Event as GroundingEvent;
pub use links::At;
pub use operations::{OperationRow, Operations};
pub use pending::{LOOP_MIN, tried_as};
pub use read::IndexReader;
pub use repo::{ConventionRow, DecisionRow, IdentityRow, NoteRow, RepoIndexRow, SummaryRow};
pub use tallies::PROJECT;

const TABLES: &str = include_str!("tables.sql");
const INDEXES: &str = include_str!("indexes.sql");
const CURSOR_TABLE: &str = "cursor";

/// `index.db`, open for writing: *live*, or a *load* of a new file.
#[derive(Debug)]
pub struct Index {
    conn: Held,
    path: PathBuf,
    /// Declared tools, as they were declared.
    declared: Vec<String>,
    /// Whether any start does not count: spares a look-up an event.
    void_starts: bool,
    open: OpenRows,
    tallies: Tallies,
    rows: Rows,
}

impl Index {
    /// Opens an existing store for catching up, and holds its lock shared.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let conn = Held::writing(path)?;
        check(&conn, path)?;
        Ok(Self::of(conn, path))
    }

    /// Makes a new file to be loaded from nothing.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        let index = Self::of(Held::alone(connection::create_bulk(path)?, path), path);
        for sql in statements(TABLES) {
            index.run(sql, "making the tables")?;
        }
        Ok(index)
    }

    /// What it holds in memory is read by [`Self::begin`].
    fn of(conn: Held, path: &Path) -> Self {
        let (path, declared, rows) = (path.to_owned(), Vec::new(), Rows::default());
        let (open, tallies) = (OpenRows::default(), Tallies::default());
        Self { conn, path, declared, void_starts: false, open, tallies, rows }
    }

    /// Makes the indexes after the rows, puts the file into WAL mode and closes it.
    pub fn finish(mut self) -> Result<PathBuf, StoreError> {
        for sql in statements(INDEXES) {
            self.run(sql, "making the indexes")?;
        }
        self.run("BEGIN", "counting what was loaded")?;
        self.settle_tallies()?;
        self.load_pending()?;
        self.run("COMMIT", "counting what was loaded")?;
        let path = self.path.clone();
        drop(self);
        connection::finish_bulk(&path)?;
        Ok(path)
    }

    /// Tool names declared besides the contract's, in order.
    pub fn declared(&self) -> &[String] {
        &self.declared
    }

    fn run(&self, sql: &str, doing: &'static str) -> Result<(), StoreError> {
        self.conn.execute_batch(sql).map_err(|source| self.failed(doing, source))
    }

    fn failed(&self, doing: &'static str, source: rusqlite::Error) -> StoreError {
        StoreError::sql(&self.path, doing, source)
    }
}

/// The schema is our own: what an older build made is not migrated but rebuilt.
fn check(conn: &Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |source| StoreError::sql(path, "reading the schema", source);
    let mut find = conn.prepare("SELECT 1 FROM sqlite_master WHERE sql = ?1").map_err(failed)?;
    for sql in statements(TABLES).into_iter().chain(statements(INDEXES)) {
        if !find.exists([sql]).map_err(failed)? {
            let object = crate::store::statements::created(sql).to_owned();
            return Err(StoreError::SchemaDiffers { path: path.to_owned(), object });
        }
    }
    Ok(())
}

fn found_rows(conn: &Connection) -> rusqlite::Result<Rows> {
    let sql = "SELECT (SELECT coalesce(max(seq), 0) FROM executions), \
               (SELECT coalesce(max(ordinal), 0) FROM executions WHERE ordinal IS NOT NULL)";
    conn.prepare_cached(sql)?
        .query_row([], |row| Ok(Rows { executions: row.get(0)?, others: row.get(1)? }))
}

/// What is known of an execution when its row is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExecutionRow<'a> {
    /// The event that makes the row.
    pub seq: u64,
    pub id: &'a str,
    pub call_key: Option<&'a str>,
    pub session: Option<u64>,
    pub source: &'a str,
    pub tool: &'a str,
    pub native_tool: Option<&'a str>,
    pub actor: Option<&'a str>,
    pub parent: Option<&'a str>,
    pub cwd: Option<&'a str>,
    pub branch: Option<&'a str>,
    pub target: Option<&'a str>,
    /// `None` where the start was lost.
    pub target_key: Option<[u8; 16]>,
    pub arguments_digest: Option<[u8; 16]>,
    /// `None` where the start was lost.
    pub started_seq: Option<u64>,
    pub started_ms: Option<i64>,
    pub at_ms: i64,
}

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosingRow<'a> {
    /// `None` where `execution_log.db` could not take it.
    pub ordinal: Option<u64>,
    /// What the closing event calls it: a write may turn out to have made its file.
    pub tool: &'a str,
    pub outcome: &'a str,
    pub exit_code: Option<i32>,
    pub duration_ms: Option<i64>,
    pub error: Option<&'a str>,
    pub diagnostic: Option<&'a str>,
    /// The digest of what a failure said.
    pub said: Option<[u8; 16]>,
    pub closed_seq: u64,
    pub closed_ms: i64,
    pub corrects: Option<&'a str>,
}

/// What a fold asks of an execution that has a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownRow {
    pub seq: u64,
    pub id: String,
    pub ordinal: Option<u64>,
    pub tool: String,
    pub outcome: Option<String>,
    pub started_seq: Option<u64>,
    pub native_tool: Option<String>,
    pub session: Option<u64>,
    pub target_key: Option<[u8; 16]>,
    /// Of its end; of its start while it is open.
    pub at_ms: i64,
    pub at_seq: u64,
    /// A correction counts instead.
    pub corrected: bool,
}

/// What a content is looked up by.
pub fn content_key(hash: &[u8; 32]) -> i64 {
    let mut key = [0; 8];
    key.copy_from_slice(&hash[..8]);
    i64::from_le_bytes(key)
}

impl Index {
    /// Notes a content, unless one of this key is known.
    pub fn add_content(&mut self, hash: &[u8; 32], seq: u64) -> Result<(), StoreError> {
        self.conn
            .prepare_cached("INSERT OR IGNORE INTO contents (key, seq) VALUES (?1, ?2)")
            .and_then(|mut insert| insert.execute(params![content_key(hash), seq]))
            .map_err(|source| self.failed("inserting a content", source))?;
        Ok(())
    }
}

/// How a step ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepRow<'a> {
    /// The event that ended it.
    pub seq: u64,
    pub session: Option<u64>,
    pub at_ms: i64,
    /// The event that began it.
    pub began: Option<u64>,
    pub executions: u64,
    pub failed: u64,
    pub refused: u64,
    pub mutations: u64,
    pub checks_passed: u64,
    /// A JSON array of texts.
    pub changed: &'a str,
    /// A JSON array of texts.
    pub follow_up: &'a str,
    pub summary: &'a str,
}

/// A distinct diagnostic, as the index keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiagnosticRow<'a> {
    /// Of all the rest.
    pub digest: [u8; 16],
    /// The code; where there is none, the level.
    pub label: &'a str,
    pub code: Option<&'a str>,
    pub level: &'a str,
    pub file_name: Option<&'a str>,
    /// From 1.
    pub line: Option<u32>,
    pub message: &'a str,
}

/// A refusal of the gate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerdictRow<'a> {
    pub execution: Option<&'a str>,
    pub call_key: Option<&'a str>,
    pub tool: &'a str,
    pub target: Option<&'a str>,
    pub rule: &'a str,
    pub reason: &'a str,
    pub required_query: &'a str,
    pub mode: &'a str,
}

/// What a SessionStarted tells of a session; it fills what earlier ones left empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionRow<'a> {
    pub agent: &'a str,
    pub native_id: &'a str,
    pub agent_version: Option<&'a str>,
    pub model: Option<&'a str>,
    pub parent: Option<&'a str>,
    pub cwd: Option<&'a str>,
    pub branch: Option<&'a str>,
    pub title: Option<&'a str>,
}
