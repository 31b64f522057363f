//! A graph of code as magellan makes and remakes it, for tests that must not depend on the program.

use std::path::Path;

use rusqlite::{Connection, params};

use crate::execution::graph::CodeGraph;
use crate::store::projector::Projector as _;

/// The code's part of a graph.
pub struct Code {
    conn: Connection,
}

impl Code {
    /// Makes a graph with nothing of ours in it, as sqlitegraph's newest schema has it.
    pub fn make(path: &Path, root: &Path) -> Self {
        Box::new(CodeGraph::create(path, root).unwrap()).finish().unwrap();
        let conn = Connection::open(path).unwrap();
        conn.execute_batch(
            "DROP TABLE annals_cursor; DROP TABLE annals_targets;
             DROP INDEX idx_entities_kind_name;
             ALTER TABLE graph_entities ADD COLUMN snapshot_id TEXT NOT NULL DEFAULT 'default';
             ALTER TABLE graph_entities ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
             ALTER TABLE graph_edges ADD COLUMN snapshot_id TEXT NOT NULL DEFAULT 'default';
             ALTER TABLE graph_edges ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
             ALTER TABLE graph_meta ADD COLUMN authoritative_version INTEGER NOT NULL DEFAULT 0;
             CREATE TABLE hnsw_indexes (id INTEGER PRIMARY KEY);
             UPDATE graph_meta SET schema_version = 10;
             CREATE VIRTUAL TABLE symbol_fts USING
                 fts5(name, content='graph_entities', content_rowid='id');
             CREATE TRIGGER graph_entities_ai AFTER INSERT ON graph_entities BEGIN
                 INSERT INTO symbol_fts(rowid, name) VALUES (new.id, new.name); END;
             CREATE TRIGGER graph_entities_ad AFTER DELETE ON graph_entities BEGIN
                 INSERT INTO symbol_fts(symbol_fts, rowid, name)
                     VALUES ('delete', old.id, old.name); END;",
        )
        .unwrap();
        Self { conn }
    }

    /// Indexes a file, anew where it is known: the old row and its edges go, the new one has
    /// another id. Symbols are told as `Cart::add`. With `orphans` the old symbols stay behind, as
    /// they do when magellan is called from another folder.
    pub fn index(&self, path: &str, symbols: &[&str], orphans: bool) {
        self.forget(path, orphans);
        let file = self.entity("File", path, path, "{}");
        for symbol in symbols {
            let name = symbol.rsplit("::").next().unwrap();
            let data = format!(r#"{{"fqn":"{symbol}","display_fqn":"sample::{symbol}"}}"#);
            let symbol = self.entity("Symbol", name, &format!("./{path}"), &data);
            let sql = "INSERT INTO graph_edges (from_id, to_id, edge_type, data) \
                       VALUES (?1, ?2, 'DEFINES', '{}')";
            self.conn.execute(sql, [file, symbol]).unwrap();
        }
        self.conn
            .execute("UPDATE graph_meta SET authoritative_version = authoritative_version + 1", [])
            .unwrap();
    }

    /// Takes a file out, with its symbols unless they are to stay behind.
    pub fn forget(&self, path: &str, orphans: bool) {
        let gone = "SELECT id FROM graph_entities WHERE kind = 'File' AND name = ?1";
        let symbols = "SELECT to_id FROM graph_edges WHERE edge_type = 'DEFINES' AND from_id IN";
        let mut ids: Vec<i64> = self.ids(gone, path);
        if !orphans {
            ids.extend(self.ids(&format!("{symbols} ({gone})"), path));
        }
        for id in ids {
            let edges = "DELETE FROM graph_edges WHERE from_id = ?1 OR to_id = ?1";
            self.conn.execute(edges, [id]).unwrap();
            self.conn.execute("DELETE FROM graph_entities WHERE id = ?1", [id]).unwrap();
        }
    }

    fn ids(&self, sql: &str, value: &str) -> Vec<i64> {
        let mut statement = self.conn.prepare(sql).unwrap();
        statement.query_map([value], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    fn entity(&self, kind: &str, name: &str, path: &str, data: &str) -> i64 {
        let sql = "INSERT INTO graph_entities (kind, name, file_path, data) \
                   VALUES (?1, ?2, ?3, ?4)";
        self.conn.execute(sql, params![kind, name, path, data]).unwrap();
        self.conn.last_insert_rowid()
    }

    /// Every row that is not ours, in every table, as text.
    pub fn dump(&self) -> String {
        dump(&self.conn)
    }

    /// Edges of ours, as `execution TYPE kind:target`, in order.
    pub fn links(&self) -> Vec<String> {
        let sql = "SELECT format('%s %s %s:%s', substr(f.name, 1, instr(f.name, ':') - 1), \
                   e.edge_type, t.kind, t.name) FROM graph_edges e \
                   JOIN graph_entities f ON f.id = e.from_id AND f.kind = 'execution' \
                   JOIN graph_entities t ON t.id = e.to_id ORDER BY e.id";
        let mut statement = self.conn.prepare(sql).unwrap();
        let mut links: Vec<String> =
            statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        links.sort();
        links
    }

    /// What a statement does, for what nobody should do.
    pub fn run(&self, sql: &str) {
        self.conn.execute_batch(sql).unwrap();
    }

    /// One number.
    pub fn count(&self, sql: &str) -> i64 {
        self.conn.query_row(sql, [], |row| row.get(0)).unwrap()
    }
}

fn dump(conn: &Connection) -> String {
    let mut tables = conn
        .prepare(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' \
             AND name NOT LIKE 'annals%' AND name NOT LIKE 'sqlite%' ORDER BY name",
        )
        .unwrap();
    let names: Vec<String> =
        tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let ours = "kind IN ('execution', 'diagnostic', 'annals_stub')";
    let mut text = String::new();
    for name in names {
        let which = match name.as_str() {
            "graph_entities" => format!("NOT {ours}"),
            "graph_edges" => {
                "edge_type NOT IN ('EXECUTED_ON', 'AFFECTED', 'REFERENCED', 'PRODUCED')".to_owned()
            }
            name if name.starts_with("symbol_fts") => continue,
            _ => "1".to_owned(),
        };
        let mut rows = conn.prepare(&format!("SELECT * FROM {name} WHERE {which}")).unwrap();
        let columns = rows.column_count();
        let mut found = rows.query([]).unwrap();
        while let Some(row) = found.next().unwrap() {
            let values: Vec<rusqlite::types::Value> =
                (0..columns).map(|column| row.get(column).unwrap()).collect();
            text.push_str(&format!("{name} {values:?}\n"));
        }
    }
    text
}
