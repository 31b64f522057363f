//! `codegraph.db`: our rows from nothing but the journal, against a plain bulk insert of the same rows
//! from memory into the same tables.

use std::io::Write;
use std::path::Path;

use annals::command::{JournalFeed, Project, RebuildMode, StoreName, StorePlaces, rebuild};
use rusqlite::{Connection, params};

use super::rebuild::prepare;
use crate::BenchError;
use crate::harness::{Contest, timed};
use crate::request::Request;

type Node = (i64, String, String, Option<String>, String);
type Edge = (i64, i64, i64, String, String);

const TABLES: &str = "
    CREATE TABLE graph_entities (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL,
        name TEXT NOT NULL, file_path TEXT, data TEXT NOT NULL);
    CREATE TABLE graph_edges (id INTEGER PRIMARY KEY AUTOINCREMENT, from_id INTEGER NOT NULL,
        to_id INTEGER NOT NULL, edge_type TEXT NOT NULL, data TEXT NOT NULL);
    CREATE INDEX idx_edges_from ON graph_edges(from_id);
    CREATE INDEX idx_edges_to ON graph_edges(to_id);
    CREATE INDEX idx_edges_type ON graph_edges(edge_type);
    CREATE INDEX idx_entities_kind_id ON graph_entities(kind, id);
    CREATE INDEX idx_entities_kind_name ON graph_entities(kind, name);";

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let count = request.count.unwrap_or(200_000);
    let folder = request.folder()?;
    let project = folder.path().join("project");
    prepare(&project, count)?;
    let places = StorePlaces::of(&project);
    let (nodes, edges) = rows(&places.code_graph).map_err(BenchError::peer("reading the graph"))?;
    writeln!(out, "  {} nodes, {} edges", nodes.len(), edges.len())
        .map_err(BenchError::io("printing"))?;
    let fresh = || tempfile::tempdir_in(&folder).map_err(BenchError::io("making a folder"));
    let title = "rebuild codegraph.db (nodes and edges)";
    let mut contest = Contest::new(title, (nodes.len() + edges.len()) as f64, "rows");
    contest.enter("floor: bulk insert from memory, indexes there", || {
        let dir = fresh()?;
        timed(|| insert(&dir.path().join("graph.db"), &nodes, &edges))
    });
    contest.enter("annals: where there is none", || {
        std::fs::remove_file(&places.code_graph).map_err(BenchError::io("removing"))?;
        timed(|| rebuilt(&project))
    });
    contest.enter("annals: in place", || timed(|| rebuilt(&project)));
    contest.run(request.rounds, out).map(drop)
}

fn rebuilt(root: &Path) -> Result<(), BenchError> {
    let project = Project::open(root).map_err(BenchError::program("opening a project"))?;
    let feed = JournalFeed::of(&project).map_err(BenchError::program("opening the journal"))?;
    let stores = [StoreName::CodeGraph];
    rebuild(&StorePlaces::of(root), &feed, &stores, RebuildMode::Replace)
        .map(drop)
        .map_err(BenchError::program("rebuilding"))
}

fn rows(path: &Path) -> rusqlite::Result<(Vec<Node>, Vec<Edge>)> {
    let conn = Connection::open(path)?;
    let mut nodes = conn.prepare("SELECT id, kind, name, file_path, data FROM graph_entities")?;
    let nodes = nodes
        .query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?, r.get(4)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let mut edges = conn.prepare("SELECT id, from_id, to_id, edge_type, data FROM graph_edges")?;
    let edges = edges
        .query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?, r.get(4)?)))?
        .collect::<rusqlite::Result<_>>()?;
    Ok((nodes, edges))
}

fn insert(path: &Path, nodes: &[Node], edges: &[Edge]) -> Result<(), BenchError> {
    let load = || -> rusqlite::Result<()> {
        let conn = Connection::open(path)?;
        conn.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")?;
        conn.execute_batch(TABLES)?;
        conn.execute_batch("BEGIN IMMEDIATE")?;
        let mut node = conn.prepare(
            "INSERT INTO graph_entities (id, kind, name, file_path, data) VALUES (?, ?, ?, ?, ?)",
        )?;
        for (id, kind, name, file, data) in nodes {
            node.execute(params![id, kind, name, file, data])?;
        }
        let mut edge = conn.prepare(
            "INSERT INTO graph_edges (id, from_id, to_id, edge_type, data) VALUES (?, ?, ?, ?, ?)",
        )?;
        for (id, from, to, edge_type, data) in edges {
            edge.execute(params![id, from, to, edge_type, data])?;
        }
        conn.execute_batch("COMMIT")
    };
    load().map_err(BenchError::peer("bulk inserting"))
}
