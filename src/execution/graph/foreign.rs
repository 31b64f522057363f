//! What of the graph is not ours, as far as our edges depend on it: has it changed, and what of it.

use rusqlite::{Connection, OptionalExtension, Row};

use super::{CURSOR_TABLE, CodeGraph, FileKey, schema};
use crate::store::StoreError;

/// How the files and symbols stand. Equal marks: nothing has changed that an edge could lead to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Foreign {
    files: i64,
    symbols: i64,
    last_file: i64,
    last_symbol: i64,
    /// sqlitegraph's own count of its writes; 0 where it has none.
    graph_version: i64,
}

/// What changed since the edges were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    pub files: Vec<FileKey>,
    /// Last names: `add` of `Cart::add`.
    pub symbols: Vec<String>,
}

impl Foreign {
    /// As the graph has them now. Counts two ranges of an index.
    pub(super) fn found(conn: &Connection) -> rusqlite::Result<Self> {
        let counted = |kind: &str| {
            let sql = "SELECT count(*), coalesce(max(id), 0) FROM graph_entities WHERE kind = ?1";
            conn.prepare_cached(sql)?.query_row([kind], |row| Ok((row.get(0)?, row.get(1)?)))
        };
        let ((files, last_file), (symbols, last_symbol)) = (counted("File")?, counted("Symbol")?);
        let graph_version = match schema::counts_writes(conn)? {
            true => conn
                .prepare_cached("SELECT authoritative_version FROM graph_meta WHERE id = 1")?
                .query_row([], |row| row.get(0))?,
            false => 0,
        };
        Ok(Self { files, symbols, last_file, last_symbol, graph_version })
    }

    /// As they were when the edges to them were made.
    pub(super) fn noted(conn: &Connection) -> rusqlite::Result<Option<Self>> {
        if !schema::has_table(conn, CURSOR_TABLE)? {
            return Ok(None);
        }
        let sql = "SELECT files, symbols, last_file, last_symbol, graph_version \
                   FROM annals_cursor LIMIT 1";
        let mark = |row: &Row<'_>| {
            Ok(Self {
                files: row.get(0)?,
                symbols: row.get(1)?,
                last_file: row.get(2)?,
                last_symbol: row.get(3)?,
                graph_version: row.get(4)?,
            })
        };
        conn.prepare_cached(sql)?.query_row([], mark).optional()
    }
}

impl CodeGraph {
    /// Whether files and symbols are as they were when the edges to them were made.
    pub fn is_settled(&self) -> Result<bool, StoreError> {
        is_settled(&self.conn).map_err(|source| self.failed("looking for changes", source))
    }

    /// What changed since. Inside a transaction.
    pub fn changed(&self) -> Result<Changed, StoreError> {
        self.find_changed().map_err(|source| self.failed("looking for changes", source))
    }

    fn find_changed(&self) -> rusqlite::Result<Changed> {
        let noted = Foreign::noted(&self.conn)?.unwrap_or_default();
        let mut changed = Changed::default();
        let mut add = |kind: &str, name: String| {
            if kind == "File" {
                changed.files.push(self.roots.key_of_name(&name));
            } else {
                changed.symbols.push(name);
            }
        };
        for (kind, last) in [("File", noted.last_file), ("Symbol", noted.last_symbol)] {
            let sql = "SELECT DISTINCT name FROM graph_entities WHERE kind = ?1 AND id > ?2";
            let mut find = self.conn.prepare(sql)?;
            for name in find.query_map((kind, last), |row| row.get(0))? {
                add(kind, name?);
            }
        }
        let gone = "SELECT t.kind, t.name FROM annals_targets t \
             LEFT JOIN graph_entities e ON e.id = t.entity \
             WHERE e.id IS NULL OR e.kind <> t.kind OR e.name <> t.name \
             OR (t.kind = 'Symbol' AND NOT EXISTS (\
                 SELECT 1 FROM graph_edges d JOIN graph_entities f ON f.id = d.from_id \
                 WHERE d.to_id = t.entity AND d.edge_type = 'DEFINES' AND f.kind = 'File'))";
        let mut find = self.conn.prepare(gone)?;
        for found in find.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))? {
            let (kind, name): (String, String) = found?;
            add(&kind, name);
        }
        drop(find);
        changed.files.sort_unstable();
        changed.files.dedup();
        changed.symbols.sort_unstable();
        changed.symbols.dedup();
        Ok(changed)
    }

    /// Notes files and symbols as they are: every edge is made for them.
    pub(super) fn settle(&self) -> Result<(), StoreError> {
        let settled = || -> rusqlite::Result<()> {
            let found = Foreign::found(&self.conn)?;
            self.conn.execute(
                "UPDATE annals_cursor SET files = ?1, symbols = ?2, last_file = ?3, \
                 last_symbol = ?4, graph_version = ?5",
                (
                    found.files,
                    found.symbols,
                    found.last_file,
                    found.last_symbol,
                    found.graph_version,
                ),
            )?;
            self.conn.execute_batch(
                "DELETE FROM annals_targets WHERE NOT EXISTS \
                 (SELECT 1 FROM graph_entities e WHERE e.id = entity)",
            )
        };
        settled().map_err(|source| self.failed("noting what the edges lead to", source))
    }
}

pub(super) fn is_settled(conn: &Connection) -> rusqlite::Result<bool> {
    Ok(Foreign::noted(conn)? == Some(Foreign::found(conn)?))
}
