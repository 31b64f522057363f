//! Spec 000 to the letter: each execution written to two SQLite databases, WAL, synchronous FULL.

use std::path::Path;

use rusqlite::{Connection, params};

use crate::workload::Execution;
use crate::{BenchError, sql};

const GRAPH: &str = "
CREATE TABLE graph_entities (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL,
    name TEXT NOT NULL, file_path TEXT, data TEXT NOT NULL);
CREATE TABLE graph_edges (id INTEGER PRIMARY KEY AUTOINCREMENT, from_id INTEGER NOT NULL,
    to_id INTEGER NOT NULL, edge_type TEXT NOT NULL, data TEXT NOT NULL);
CREATE INDEX idx_edges_from ON graph_edges(from_id);
CREATE INDEX idx_edges_to ON graph_edges(to_id);
CREATE INDEX idx_edges_type ON graph_edges(edge_type);
CREATE INDEX idx_entities_kind_id ON graph_entities(kind, id);
INSERT INTO graph_entities (kind, name, file_path, data) VALUES ('File', 'src/main.rs', 'src/main.rs', '{}');
";

/// `execution_log.db` and `codegraph.db`, written at every execution.
pub struct DualSqlite {
    log: Connection,
    graph: Connection,
}

impl DualSqlite {
    pub fn create(dir: &Path) -> Result<Self, BenchError> {
        let open = |name: &str| -> rusqlite::Result<Connection> {
            let connection = Connection::open(dir.join(name))?;
            connection.execute_batch("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;")?;
            Ok(connection)
        };
        let make = || -> rusqlite::Result<Self> {
            let (log, graph) = (open("execution_log.db")?, open("codegraph.db")?);
            log.execute_batch(sql::TABLES)?;
            log.execute_batch(sql::TRIGGERS)?;
            log.execute_batch(sql::INDEXES)?;
            graph.execute_batch(GRAPH)?;
            Ok(Self { log, graph })
        };
        make().map_err(BenchError::peer("making two databases"))
    }

    /// One transaction in each.
    pub fn append(&mut self, execution: &Execution) -> Result<(), BenchError> {
        self.write(execution).map_err(BenchError::peer("writing to two databases"))
    }

    fn write(&mut self, execution: &Execution) -> rusqlite::Result<()> {
        let log = self.log.transaction()?;
        sql::insert(&log, execution)?;
        log.commit()?;
        let graph = self.graph.transaction()?;
        let data = format!(
            "{{\"tool\":\"{}\",\"timestamp\":{},\"success\":{},\"execution_id\":\"{}\"}}",
            execution.tool, execution.at_ms, execution.succeeded, execution.id
        );
        graph
            .prepare_cached(
                "INSERT INTO graph_entities (kind, name, file_path, data)
                 VALUES ('execution', ?1, NULL, ?2)",
            )?
            .execute(params![format!("{}:{}", execution.tool, execution.id), data])?;
        let node = graph.last_insert_rowid();
        let data = format!("{{\"operation\":\"read\",\"execution_id\":\"{}\"}}", execution.id);
        graph
            .prepare_cached(
                "INSERT INTO graph_edges (from_id, to_id, edge_type, data)
                 VALUES (?1, 1, 'EXECUTED_ON', ?2)",
            )?
            .execute(params![node, data])?;
        graph.commit()
    }
}
