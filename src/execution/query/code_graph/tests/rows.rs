//! A graph of the contract's shape, written row by row.

use std::path::PathBuf;

use rusqlite::{Connection, params};
use tempfile::TempDir;

use crate::event::ExecutionId;
use crate::execution::query::CodeGraph;

/// A graph as sqlitegraph has it, with the sample crate's file and function in it.
pub(super) struct Rows {
    pub folder: TempDir,
    pub conn: Connection,
    pub next: u8,
}

pub(super) const LIB: i64 = 1;
pub(super) const CHECKOUT: i64 = 2;
pub(super) const CART: i64 = 3;

impl Rows {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let conn = Connection::open(folder.path().join("codegraph.db")).unwrap();
        conn.execute_batch(include_str!("../../../graph/tables.sql")).unwrap();
        conn.execute_batch(
            "INSERT INTO graph_meta (id, schema_version) VALUES (1, 2);
             CREATE INDEX idx_entities_kind_name ON graph_entities(kind, name);",
        )
        .unwrap();
        let rows = Self { folder, conn, next: 0 };
        assert_eq!(rows.entity("File", "src/lib.rs", Some("src/lib.rs"), "{}"), LIB);
        let checkout = r#"{"fqn":"checkout","canonical_fqn":"sample::./src/lib.rs::checkout"}"#;
        assert_eq!(rows.entity("Symbol", "checkout", Some("./src/lib.rs"), checkout), CHECKOUT);
        assert_eq!(rows.entity("File", "src/cart.rs", Some("src/cart.rs"), "{}"), CART);
        rows.edge(LIB, CHECKOUT, "DEFINES", "{}");
        rows
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("codegraph.db")
    }

    pub fn graph(&self) -> CodeGraph {
        CodeGraph::open(&self.path()).unwrap()
    }

    pub fn entity(&self, kind: &str, name: &str, file_path: Option<&str>, data: &str) -> i64 {
        let sql =
            "INSERT INTO graph_entities (kind, name, file_path, data) VALUES (?1, ?2, ?3, ?4)";
        self.conn.execute(sql, params![kind, name, file_path, data]).unwrap();
        self.conn.last_insert_rowid()
    }

    pub fn edge(&self, from: i64, to: i64, edge_type: &str, data: &str) {
        let sql =
            "INSERT INTO graph_edges (from_id, to_id, edge_type, data) VALUES (?1, ?2, ?3, ?4)";
        self.conn.execute(sql, params![from, to, edge_type, data]).unwrap();
    }

    /// An execution as the contract has it, with edges of (to, type, word's key, word).
    pub fn execution(
        &mut self,
        tool: &str,
        timestamp: u64,
        edges: &[Edge<'_>],
    ) -> (i64, ExecutionId) {
        self.next += 1;
        let id = ExecutionId::v7(timestamp, &[self.next; 10]);
        let data = format!(
            r#"{{"tool":"{tool}","timestamp":{timestamp},"success":true,"execution_id":"{id}"}}"#
        );
        let entity = self.entity("execution", &format!("{tool}:{id}"), None, &data);
        for (to, edge_type, key, word) in edges {
            let data = format!(r#"{{"{key}":"{word}","execution_id":"{id}"}}"#);
            self.edge(entity, *to, edge_type, &data);
        }
        (entity, id)
    }

    /// A diagnostic and the check that produced it.
    pub fn diagnostic(&mut self, timestamp: u64, name: &str, file: &str) -> (i64, ExecutionId) {
        let on = [(LIB, "EXECUTED_ON", "operation", "check")];
        let (check, id) = self.execution("lsp_check", timestamp, &on);
        let data = format!(
            r#"{{"code":"E0425","level":"error","file_name":"{file}","line_start":11,"message":"m","execution_id":"{id}"}}"#
        );
        let entity = self.entity("diagnostic", name, Some(file), &data);
        let data = format!(r#"{{"severity":"error","code":"E0425","execution_id":"{id}"}}"#);
        self.edge(check, entity, "PRODUCED", &data);
        (entity, id)
    }
}

pub(super) type Edge<'a> = (i64, &'a str, &'a str, &'a str);

pub(super) const READ: Edge<'_> = (LIB, "EXECUTED_ON", "operation", "read");
pub(super) const PATCHED: Edge<'_> = (LIB, "AFFECTED", "change_type", "patched");
pub(super) const ASKED: Edge<'_> = (CHECKOUT, "REFERENCED", "query_type", "target_symbol");
