//! Our memory as a file of the reference's.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::{fs, io};

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use serde::Serialize;

use super::{ForeignError, Result};
use crate::memory::store::MemoryView;
use crate::store::digest::statements;

const TABLES: &str = include_str!("../tables.sql");
/// The indexes that the reference makes, under its names.
const INDEXES: &str = "CREATE INDEX idx_events_branch ON events(branch_id);
CREATE INDEX idx_archival_branch ON archival(branch_id);
CREATE INDEX idx_inherited_exclusions_branch ON inherited_exclusions(branch_id);
CREATE INDEX idx_inherited_summaries_branch ON inherited_summaries(branch_id);";
const STEP: usize = 1_000;

/// The tables that are copied, and their columns. A deleted key has no row there: it cannot hide there what is
/// inherited.
const COPIES: [(&str, &str); 8] = [
    ("branches", "id, parent_id, node_uid, created_at"),
    ("core_kv", "branch_id, key, value, updated_at"),
    ("core_meta", "branch_id, key, importance, ttl, updated_at"),
    ("events", "id, branch_id, kind, text, tags, created_at, task_hint, memory_size"),
    ("archival", "id, branch_id, text, tags, created_at"),
    ("archival_fts", "rowid, text, tags, branch_id"),
    ("inherited_exclusions", "branch_id, excluded_event_id, excluded_at"),
    ("inherited_summaries", "id, branch_id, summary_text, summarized_event_ids, kind, created_at"),
];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Written {
    pub branches: u64,
    pub core: u64,
    pub events: u64,
    pub records: u64,
    pub exclusions: u64,
    pub summaries: u64,
}

/// Writes a memory as a new file that the reference implementation opens. Nobody sees it before it
/// is whole.
pub fn write(view: &MemoryView<'_>, path: &Path) -> Result<Written> {
    if fs::symlink_metadata(path).is_ok() {
        return Err(ForeignError::Exists { path: path.to_owned() });
    }
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let building = Path::new(&name);
    let made = make(view, building).and_then(|written| {
        // Unlike a rename it never takes another's place.
        fs::hard_link(building, path).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => ForeignError::Exists { path: path.to_owned() },
            _ => io_failed(path, "giving it its name", source),
        })?;
        Ok(written)
    });
    let removed = fs::remove_file(building);
    let written = made?;
    removed.map_err(|source| io_failed(building, "removing its first name", source))?;
    Ok(written)
}

fn make(view: &MemoryView<'_>, path: &Path) -> Result<Written> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .map_err(|source| io_failed(path, "making it", source))?;
    let failed =
        |doing| move |source| ForeignError::Unwritable { path: path.to_owned(), doing, source };
    let mut conn = Connection::open(path).map_err(failed("making it"))?;
    let transaction = conn.transaction().map_err(failed("making it"))?;
    for sql in statements(TABLES).into_iter().chain(statements(INDEXES)) {
        transaction.execute_batch(sql).map_err(failed("making its tables"))?;
    }
    let mut counts = [0; COPIES.len()];
    for (count, of) in counts.iter_mut().zip(COPIES) {
        *count = copy(view, &transaction, of, failed("writing rows"))?;
    }
    let last = view.last_ids()?;
    for (table, id) in [
        ("events", last.events),
        ("archival", last.archival),
        ("inherited_summaries", last.inherited_summaries),
    ] {
        // A number that was given is not given again there either.
        let forget = "DELETE FROM sqlite_sequence WHERE name = ?1";
        transaction.execute(forget, [table]).map_err(failed("writing its last numbers"))?;
        if id > 0 {
            let note = "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)";
            transaction.execute(note, (table, id)).map_err(failed("writing its last numbers"))?;
        }
    }
    transaction.commit().map_err(failed("ending it"))?;
    conn.close().map_err(|(_, source)| failed("closing it")(source))?;
    let [branches, core, _, events, records, _, exclusions, summaries] = counts;
    Ok(Written { branches, core, events, records, exclusions, summaries })
}

/// Copies the rows of a table, some at a time; answers how many.
fn copy(
    view: &MemoryView<'_>,
    to: &Connection,
    (table, columns): (&str, &str),
    failed: impl Fn(rusqlite::Error) -> ForeignError + Copy,
) -> Result<u64> {
    // Of what FTS5 indexes nothing is read out of its index.
    let from = table.trim_end_matches("_fts");
    let width = columns.split(", ").count();
    let places: Vec<String> = (1..=width).map(|at| format!("?{at}")).collect();
    let insert = format!("INSERT INTO {table} ({columns}) VALUES ({})", places.join(", "));
    let mut insert = to.prepare(&insert).map_err(failed)?;
    let live = if table == "core_kv" { "value IS NOT NULL AND" } else { "" };
    let select = format!(
        "SELECT rowid AS row, {columns} FROM {from} NOT INDEXED WHERE {live} rowid > ?1 \
         ORDER BY rowid LIMIT {STEP}"
    );
    let (mut count, mut last) = (0, i64::MIN);
    loop {
        let rows = view.rows(&select, [last], |row| {
            let values: rusqlite::Result<Vec<Value>> = (1..=width).map(|at| row.get(at)).collect();
            Ok((row.get(0)?, values?))
        })?;
        count += rows.len() as u64;
        let is_all = rows.len() < STEP;
        for (row, values) in rows {
            last = row;
            insert.execute(params_from_iter(values)).map_err(failed)?;
        }
        if is_all {
            return Ok(count);
        }
    }
}

fn io_failed(path: &Path, doing: &'static str, source: io::Error) -> ForeignError {
    ForeignError::Io { path: path.to_owned(), doing, source }
}
