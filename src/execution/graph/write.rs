//! Writing rows: one BEGIN IMMEDIATE from reading the cursor to writing it (R11).

use rusqlite::{Connection, OptionalExtension, params, params_from_iter};

use super::nodes::{DIAGNOSTIC, EXECUTION};
use super::{CURSOR_TABLE, CodeGraph, ExecutionNode, FileKey, Link, create, schema};
use crate::event::{CheckList, tool};
use crate::parse::check::CheckRules;
use crate::store::{Cursor, Position, Rows, StoreError};

/// So many ids no transaction uses up.
const IDS_ROOM: i64 = 1 << 40;
const FULL: &str = "the graph is full, for it holds or held a row with about the greatest id there \
                    can be (see sqlite_sequence)";

impl CodeGraph {
    pub(super) fn read_state(&mut self) -> rusqlite::Result<()> {
        if !schema::has(&self.conn, CURSOR_TABLE, "checks")? {
            // One of an earlier build says nothing to this one: the rows are made anew.
            self.conn.execute_batch("DROP TABLE IF EXISTS annals_cursor")?;
            self.conn.execute_batch(create::OWN)?;
        }
        self.rows = super::found_rows(&self.conn)?;
        self.declared = declared(&self.conn)?;
        self.own_checks = declared_checks(&self.conn)?;
        let told_from = told_from(&self.conn)?;
        self.tell_from(&told_from);
        self.forget(self.rows == Rows::default() && !has_stubs(&self.conn)?);
        Ok(())
    }

    pub(super) fn number_rows(&mut self) -> Result<(), StoreError> {
        let next = |table| {
            let last = last_id(&self.conn, table)
                .map_err(|source| self.failed("reading the last ids", source))?;
            let room = last.checked_add(IDS_ROOM).map(|_| last + 1);
            room.ok_or_else(|| StoreError::NoGraph { path: self.path.clone(), why: FULL })
        };
        (self.next_entity, self.next_edge) = (next("graph_entities")?, next("graph_edges")?);
        self.first_edge = self.next_edge;
        Ok(())
    }

    /// Ends the transaction with the cursor that vouches for its rows. What changed beside us since
    /// the edges were made stays to be noticed, unless `settled`: every edge was made in here.
    pub fn commit_linked(&mut self, position: Position, settled: bool) -> Result<(), StoreError> {
        let cursor = Cursor { position, rows: self.rows };
        let tools = serde_json::Value::from(self.declared.as_slice()).to_string();
        // Texts and numbers: that always is JSON.
        let checks = serde_json::to_string(self.own_checks.list()).unwrap_or_default();
        let written = || -> rusqlite::Result<()> {
            cursor.write(&self.conn, CURSOR_TABLE)?;
            let state = "UPDATE annals_cursor SET tools = ?1, root = ?2, checks = ?3";
            self.conn.prepare_cached(state)?.execute([&tools, &self.told_from, &checks]).map(drop)
        };
        written().map_err(|source| self.failed("writing the cursor", source))?;
        if settled {
            self.settle()?;
        }
        self.run("COMMIT", "committing")
    }

    /// The folder that paths were told from when the journal was made: the project may have moved
    /// since, or be looked at from a copy.
    pub(super) fn tell_from(&mut self, root: &str) {
        self.roots.tell_from(root);
        root.clone_into(&mut self.told_from);
    }

    pub(super) fn declare(&mut self, tools: &[String]) {
        for name in tools.iter().filter(|name| tool::is_valid(name)) {
            if !self.declared.contains(name) {
                self.declared.push(name.clone());
            }
        }
    }

    /// Inserts an execution with its edges; `false` where it has its entity. Its symbols are looked
    /// for in `files` first.
    pub(super) fn insert(
        &mut self,
        node: &ExecutionNode<'_>,
        files: &[FileKey],
        links: &[Link<'_>],
    ) -> Result<bool, StoreError> {
        let name = node.name();
        let failed = "inserting an execution";
        let find = || self.find_execution(node.execution_id).map(|found| found.is_some());
        if !self.anew && find().map_err(|source| self.failed(failed, source))? {
            return Ok(false);
        }
        self.add_entity(EXECUTION, &name, None, &node.data())
            .and_then(|id| {
                self.rows.executions = positive(id);
                self.add_edges(id, node.execution_id, files, links)
            })
            .map_err(|source| self.failed(failed, source))?;
        Ok(true)
    }

    pub(super) fn add_edges(
        &mut self,
        from: i64,
        execution_id: &str,
        files: &[FileKey],
        links: &[Link<'_>],
    ) -> rusqlite::Result<()> {
        let mut written: Vec<(i64, &str, String)> = Vec::with_capacity(links.len());
        for link in links {
            let data = link.data(execution_id);
            for to in self.targets(link, files, execution_id)? {
                let edge = (to, link.edge_type(), data.clone());
                if written.contains(&edge) {
                    continue;
                }
                let id = self.next_edge;
                self.conn
                    .prepare_cached(
                        "INSERT INTO graph_edges (id, from_id, to_id, edge_type, data) \
                         VALUES (?1, ?2, ?3, ?4, ?5)",
                    )?
                    .execute(params![id, from, to, link.edge_type(), data])?;
                self.next_edge = id + 1;
                written.push(edge);
            }
        }
        Ok(())
    }

    pub(super) fn add_entity(
        &mut self,
        kind: &str,
        name: &str,
        file_path: Option<&str>,
        data: &str,
    ) -> rusqlite::Result<i64> {
        let id = self.next_entity;
        self.conn
            .prepare_cached(
                "INSERT INTO graph_entities (id, kind, name, file_path, data) \
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![id, kind, name, file_path, data])?;
        self.next_entity = id + 1;
        if kind == DIAGNOSTIC {
            self.rows.others = positive(id);
        }
        Ok(id)
    }

    /// The entity of an execution, whichever tool it says (G2): an end that is told twice may say
    /// another one.
    pub(super) fn find_execution(&self, execution_id: &str) -> rusqlite::Result<Option<i64>> {
        let declared = self.declared.iter().map(String::as_str);
        let tools = tool::CONTRACT.into_iter().chain(declared);
        let names: Vec<String> = tools.map(|name| format!("{name}:{execution_id}")).collect();
        let places = vec!["?"; names.len()].join(", ");
        let sql = format!(
            "SELECT id FROM graph_entities WHERE kind = '{EXECUTION}' AND name IN ({places}) LIMIT 1"
        );
        self.conn
            .prepare_cached(&sql)?
            .query_row(params_from_iter(names), |row| row.get(0))
            .optional()
    }

    pub(super) fn find(&self, kind: &str, name: &str) -> rusqlite::Result<Option<i64>> {
        self.conn
            .prepare_cached(
                "SELECT id FROM graph_entities WHERE kind = ?1 AND name = ?2 \
                 ORDER BY id DESC LIMIT 1",
            )?
            .query_row([kind, name], |row| row.get(0))
            .optional()
    }
}

pub(super) fn cursor(conn: &Connection) -> rusqlite::Result<Option<Cursor>> {
    match schema::has_table(conn, CURSOR_TABLE)? {
        true => Cursor::read(conn, CURSOR_TABLE),
        false => Ok(None),
    }
}

pub(super) fn told_from(conn: &Connection) -> rusqlite::Result<String> {
    let found = conn
        .prepare_cached("SELECT root FROM annals_cursor LIMIT 1")?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(found.unwrap_or_default())
}

pub(super) fn declared(conn: &Connection) -> rusqlite::Result<Vec<String>> {
    if !schema::has_table(conn, CURSOR_TABLE)? {
        return Ok(Vec::new());
    }
    let tools: Option<String> = conn
        .prepare_cached("SELECT tools FROM annals_cursor LIMIT 1")?
        .query_row([], |row| row.get(0))
        .optional()?;
    // What somebody wrote over it names no tools: its executions differ, and a rebuild finds them.
    Ok(tools.and_then(|tools| serde_json::from_str(&tools).ok()).unwrap_or_default())
}

fn declared_checks(conn: &Connection) -> rusqlite::Result<CheckRules> {
    let list: Option<String> = conn
        .prepare_cached("SELECT checks FROM annals_cursor LIMIT 1")?
        .query_row([], |row| row.get(0))
        .optional()?;
    // As above.
    let list = list.and_then(|list| serde_json::from_str::<CheckList>(&list).ok());
    Ok(list.unwrap_or_default().into())
}

/// The greatest id that a table ever gave, or that an edge still names: one whose row is gone would
/// belong to whatever got its id.
fn last_id(conn: &Connection, table: &str) -> rusqlite::Result<i64> {
    let last: i64 =
        conn.query_row(&format!("SELECT coalesce(max(id), 0) FROM {table}"), [], |row| row.get(0))?;
    let given: Option<i64> = match schema::has_table(conn, "sqlite_sequence")? {
        true => conn
            .prepare_cached("SELECT max(seq) FROM sqlite_sequence WHERE name = ?1")?
            .query_row([table], |row| row.get(0))?,
        false => None,
    };
    let named = |column: &str| -> rusqlite::Result<i64> {
        conn.prepare_cached(&format!("SELECT coalesce(max({column}), 0) FROM graph_edges"))?
            .query_row([], |row| row.get(0))
    };
    let named = match table {
        "graph_entities" => named("from_id")?.max(named("to_id")?),
        _ => 0,
    };
    Ok(last.max(given.unwrap_or(0)).max(named))
}

fn has_stubs(conn: &Connection) -> rusqlite::Result<bool> {
    conn.prepare_cached("SELECT 1 FROM graph_entities WHERE kind = 'annals_stub' LIMIT 1")?
        .exists([])
}

fn positive(id: i64) -> u64 {
    u64::try_from(id).unwrap_or(0)
}
