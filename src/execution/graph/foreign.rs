//! What of the graph is not ours, as far as our edges depend on it: has it changed, and what of it; and edges
//! made anew after what they led to was indexed again.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row};

use super::nodes::StubOf;
use super::{CURSOR_TABLE, CodeGraph, ExecutionNode, FileKey, Link, schema};
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

impl CodeGraph {
    /// Replaces the edges of an execution; `false` where it has no entity. What became of stubs is
    /// for [`Self::settle_stubs`].
    pub(super) fn relink(
        &mut self,
        node: &ExecutionNode<'_>,
        files: &[FileKey],
        links: &[Link<'_>],
    ) -> Result<bool, StoreError> {
        let mut relinked = || -> rusqlite::Result<bool> {
            let Some(id) = self.find_execution(node.execution_id)? else { return Ok(false) };
            self.conn
                .prepare_cached(
                    "DELETE FROM graph_edges WHERE from_id = ?1 AND edge_type IN \
                     ('EXECUTED_ON', 'AFFECTED', 'REFERENCED', 'PRODUCED')",
                )?
                .execute([id])?;
            self.add_edges(id, node.execution_id, files, links)?;
            Ok(true)
        };
        relinked().map_err(|source| self.failed("linking an execution again", source))
    }

    /// Brings the stubs into agreement with the edges made anew: each names the first execution that
    /// leads to it, and those that nothing leads to any more are taken out.
    pub fn settle_stubs(&mut self) -> Result<(), StoreError> {
        self.name_first().map_err(|source| self.failed("noting what led to stubs", source))?;
        self.run(
            "DELETE FROM graph_entities WHERE kind = 'annals_stub' AND NOT EXISTS \
             (SELECT 1 FROM graph_edges WHERE to_id = graph_entities.id)",
            "taking out stubs",
        )
    }

    /// A call that was new may have made a stub before an older one was led to it. Entities of
    /// executions have their ids in the order in which they were applied.
    fn name_first(&self) -> rusqlite::Result<()> {
        let sql = "SELECT s.id, s.file_path IS NOT NULL, s.data, x.name FROM graph_entities s \
                   JOIN graph_entities x ON x.id = (\
                       SELECT min(e.from_id) FROM graph_edges e WHERE e.to_id = s.id AND \
                       e.edge_type IN ('EXECUTED_ON', 'AFFECTED', 'REFERENCED', 'PRODUCED')) \
                   WHERE s.id IN (SELECT to_id FROM graph_edges WHERE id >= ?1) \
                   AND s.kind = 'annals_stub' AND x.kind = 'execution'";
        let mut find = self.conn.prepare_cached(sql)?;
        let mut rows = find.query([self.first_edge])?;
        let mut others: Vec<(i64, String)> = Vec::new();
        while let Some(row) = rows.next()? {
            let of = if row.get(1)? { StubOf::File } else { StubOf::Symbol };
            let name: String = row.get(3)?;
            let data = of.data(name.rsplit(':').next().unwrap_or_default());
            if row.get_ref(2)? != ValueRef::Text(data.as_bytes()) {
                others.push((row.get(0)?, data));
            }
        }
        let mut put =
            self.conn.prepare_cached("UPDATE graph_entities SET data = ?2 WHERE id = ?1")?;
        others.into_iter().try_for_each(|other| put.execute(other).map(drop))
    }

    /// The executions that have a diagnostic whose file has one of these last names.
    pub fn executions_diagnosing(
        &self,
        is_meant: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>, StoreError> {
        let found = || -> rusqlite::Result<Vec<String>> {
            let mut diagnostics = self.conn.prepare_cached(
                "SELECT id, file_path FROM graph_entities WHERE kind = 'diagnostic' \
                 AND file_path IS NOT NULL",
            )?;
            let mut executions = self.conn.prepare_cached(
                "SELECT DISTINCT x.name FROM graph_edges p JOIN graph_entities x \
                 ON x.id = p.from_id WHERE p.to_id = ?1 AND p.edge_type = 'PRODUCED'",
            )?;
            let mut names = Vec::new();
            let mut rows = diagnostics.query([])?;
            while let Some(row) = rows.next()? {
                let file: String = row.get(1)?;
                if is_meant(&file) {
                    let found = executions.query_map([row.get::<_, i64>(0)?], |row| row.get(0))?;
                    names.extend(found.collect::<rusqlite::Result<Vec<String>>>()?);
                }
            }
            Ok(names)
        };
        found().map_err(|source| self.failed("looking for executions", source))
    }
}
