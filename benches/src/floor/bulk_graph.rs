//! The graph's rows made as fast as SQLite makes them: journal and sync off, rows first, indexes
//! last; every name, id and JSON text at hand, nothing looked up in the file.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{Connection, params};

use crate::BenchError;
use crate::workload::Linked;

const TABLES: &str = "
CREATE TABLE graph_entities (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL,
    name TEXT NOT NULL, file_path TEXT, data TEXT NOT NULL);
CREATE TABLE graph_edges (id INTEGER PRIMARY KEY AUTOINCREMENT, from_id INTEGER NOT NULL,
    to_id INTEGER NOT NULL, edge_type TEXT NOT NULL, data TEXT NOT NULL);
";
const INDEXES: &str = "
CREATE INDEX idx_edges_from ON graph_edges(from_id);
CREATE INDEX idx_edges_to ON graph_edges(to_id);
CREATE INDEX idx_edges_type ON graph_edges(edge_type);
CREATE INDEX idx_entities_kind_id ON graph_entities(kind, id);
CREATE INDEX idx_entities_kind_name ON graph_entities(kind, name);
";

/// When the indexes are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indexes {
    Last,
    First,
}

/// Rows for every execution; returns how many entities and edges there are.
pub fn bulk_graph(
    path: &Path,
    executions: &[Linked],
    indexes: Indexes,
) -> Result<(u64, u64), BenchError> {
    let load = || -> rusqlite::Result<(u64, u64)> {
        let connection = Connection::open(path)?;
        connection.execute_batch(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-2048;
             PRAGMA locking_mode=EXCLUSIVE;",
        )?;
        connection.execute_batch(TABLES)?;
        if indexes == Indexes::First {
            connection.execute_batch(INDEXES)?;
        }
        connection.execute_batch("BEGIN")?;
        let mut graph =
            Graph { connection: &connection, known: BTreeMap::new(), entities: 0, edges: 0 };
        for execution in executions {
            graph.add(execution)?;
        }
        let (entities, edges) = (graph.entities, graph.edges);
        connection.execute_batch("COMMIT")?;
        if indexes == Indexes::Last {
            connection.execute_batch(INDEXES)?;
        }
        Ok((entities, edges))
    };
    load().map_err(BenchError::peer("bulk loading a graph"))
}

struct Graph<'c> {
    connection: &'c Connection,
    /// What executions are tied to, by kind and name.
    known: BTreeMap<(&'static str, String), u64>,
    entities: u64,
    edges: u64,
}

impl Graph<'_> {
    fn add(&mut self, execution: &Linked) -> rusqlite::Result<()> {
        let (id, tool) = (execution.id.to_string(), execution.tool);
        let data = format!(
            "{{\"tool\":\"{tool}\",\"timestamp\":{},\"success\":{},\"execution_id\":\"{id}\"}}",
            execution.at_ms, execution.succeeded
        );
        let from = self.entity("execution", &format!("{tool}:{id}"), None, &data)?;
        let about = |name: &str, value: &str| {
            format!("{{\"{name}\":\"{value}\",\"execution_id\":\"{id}\"}}")
        };
        let operation = match tool {
            "file_read" => Some("read"),
            "splice_patch" => Some("patch"),
            "lsp_check" => Some("check"),
            _ => None,
        };
        if let Some(operation) = operation {
            let file = self.target("annals_stub", &execution.path, &id)?;
            self.edge(from, file, "EXECUTED_ON", &about("operation", operation))?;
            if execution.changed {
                self.edge(from, file, "AFFECTED", &about("change_type", "patched"))?;
            }
        }
        if let Some(symbol) = &execution.symbol {
            let to = self.target("annals_stub", symbol, &id)?;
            let query = if tool == "splice_patch" { "target_symbol" } else { tool };
            self.edge(from, to, "REFERENCED", &about("query_type", query))?;
        }
        for (code, line) in &execution.diagnostics {
            let name = format!("diagnostic:{code}:{}:{line}", execution.path);
            let to = self.target("diagnostic", &name, &id)?;
            let data =
                format!("{{\"severity\":\"error\",\"code\":\"{code}\",\"execution_id\":\"{id}\"}}");
            self.edge(from, to, "PRODUCED", &data)?;
        }
        Ok(())
    }

    fn target(&mut self, kind: &'static str, name: &str, first: &str) -> rusqlite::Result<u64> {
        if let Some(known) = self.known.get(&(kind, name.to_owned())) {
            return Ok(*known);
        }
        let data = format!("{{\"name\":\"{name}\",\"execution_id\":\"{first}\"}}");
        let id = self.entity(kind, name, Some(name), &data)?;
        self.known.insert((kind, name.to_owned()), id);
        Ok(id)
    }

    fn entity(
        &mut self,
        kind: &str,
        name: &str,
        file_path: Option<&str>,
        data: &str,
    ) -> rusqlite::Result<u64> {
        self.entities += 1;
        self.connection
            .prepare_cached(
                "INSERT INTO graph_entities (id, kind, name, file_path, data)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![self.entities, kind, name, file_path, data])?;
        Ok(self.entities)
    }

    fn edge(&mut self, from: u64, to: u64, edge_type: &str, data: &str) -> rusqlite::Result<()> {
        self.edges += 1;
        self.connection
            .prepare_cached(
                "INSERT INTO graph_edges (id, from_id, to_id, edge_type, data)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![self.edges, from, to, edge_type, data])?;
        Ok(())
    }
}
