//! Any store made as fast as SQLite makes it: its rows held in memory, its indexes and triggers last.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};

use crate::BenchError;

/// What a finished store holds, in memory.
pub struct Rows {
    page_bytes: u32,
    tables: Vec<Table>,
    /// What comes after the rows.
    last: Vec<String>,
}

struct Table {
    /// `None`: SQLite makes it.
    made: Option<String>,
    insert: String,
    columns: usize,
    values: Vec<Value>,
}

impl Rows {
    pub fn of(store: &Path) -> Result<Self, BenchError> {
        read(store).map_err(BenchError::peer("reading a store's rows"))
    }

    /// Loads them into a new file.
    pub fn load(&self, path: &Path) -> Result<(), BenchError> {
        let load = || -> rusqlite::Result<()> {
            let connection = Connection::open(path)?;
            connection.execute_batch(&format!(
                "PRAGMA page_size={}; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
                 PRAGMA cache_size=-2048; PRAGMA locking_mode=EXCLUSIVE; PRAGMA foreign_keys=OFF;",
                self.page_bytes
            ))?;
            for made in self.tables.iter().filter_map(|table| table.made.as_ref()) {
                connection.execute_batch(made)?;
            }
            connection.execute_batch("BEGIN")?;
            for table in &self.tables {
                let mut insert = connection.prepare(&table.insert)?;
                for row in table.values.chunks(table.columns) {
                    insert.execute(params_from_iter(row))?;
                }
            }
            connection.execute_batch("COMMIT")?;
            self.last.iter().try_for_each(|sql| connection.execute_batch(sql))
        };
        load().map_err(BenchError::peer("bulk loading a store's rows"))
    }
}

fn read(store: &Path) -> rusqlite::Result<Rows> {
    let connection = Connection::open_with_flags(store, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let made = |kinds: &str| -> rusqlite::Result<Vec<String>> {
        let sql = format!(
            "SELECT sql FROM sqlite_master WHERE type IN ({kinds}) AND sql IS NOT NULL \
             ORDER BY rowid"
        );
        connection.prepare(&sql)?.query_map([], |row| row.get(0))?.collect()
    };
    let names: Vec<(String, Option<String>)> = connection
        .prepare(
            "SELECT name, iif(name LIKE 'sqlite\\_%' ESCAPE '\\', NULL, sql) FROM sqlite_master \
             WHERE type = 'table' ORDER BY name = 'sqlite_sequence', rowid",
        )?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let mut tables = Vec::new();
    for (name, made) in names {
        // Its rows come of themselves where ids are given out.
        if made.is_none() {
            continue;
        }
        let (columns, values, names) = rows_of(&connection, &name)?;
        let marks = vec!["?"; columns].join(", ");
        let insert = format!("INSERT INTO \"{name}\" ({}) VALUES ({marks})", names.join(", "));
        tables.push(Table { made, insert, columns, values });
    }
    let page_bytes = connection.query_row("PRAGMA page_size", [], |row| row.get(0))?;
    let last = [made("'index'")?, made("'trigger'")?].concat();
    Ok(Rows { page_bytes, tables, last })
}

/// In the order of their keys, as a table lies; where its key is no column of its own, the key too.
fn rows_of(
    connection: &Connection,
    table: &str,
) -> rusqlite::Result<(usize, Vec<Value>, Vec<String>)> {
    let with_rowid = format!("SELECT rowid, * FROM \"{table}\" ORDER BY rowid");
    let (mut read, has_rowid) = match connection.prepare(&with_rowid) {
        Ok(read) => (read, true),
        // WITHOUT ROWID: it lies in the order it is read in.
        Err(_) => (connection.prepare(&format!("SELECT * FROM \"{table}\""))?, false),
    };
    let mut names: Vec<String> = read.column_names().iter().map(|it| format!("\"{it}\"")).collect();
    // A column that is the key is named twice.
    let is_own_key = has_rowid && names[1..].contains(&names[0]);
    if has_rowid && !is_own_key {
        names[0] = "rowid".to_owned();
    }
    let from = usize::from(is_own_key);
    let names = names.split_off(from);
    let (columns, mut values) = (names.len(), Vec::new());
    let mut rows = read.query([])?;
    while let Some(row) = rows.next()? {
        for column in 0..columns {
            values.push(row.get(column + from)?);
        }
    }
    Ok((columns, values, names))
}
