//! The graph as a store that is magellan's as well: its name and place, what is ours in it, and how that is fed.

use std::path::{Path, PathBuf};

use super::{CURSOR_TABLE, CodeGraph, CodeGraphReader, create, relink};
use crate::execution::foresight::Foresight;
use crate::execution::index::IndexReader;
use crate::fault::Remedy;
use crate::store;
use crate::store::catch_up::{Advance, Advanced, CatchUpError};
use crate::store::remains::Table;
use crate::store::shared::Shared;
use crate::store::snapshot::any_reader;
use crate::store::{AnyReader, Database, Projector, Result, Store, StoreName, StorePlaces};

#[derive(Debug)]
struct GraphStore;

impl StoreName {
    /// `codegraph.db` in the project's root, which magellan shares.
    pub const CODE_GRAPH: Self = Self::of(&GraphStore);
}

impl StorePlaces {
    pub fn code_graph(&self) -> &Path {
        self.path(StoreName::CODE_GRAPH)
    }
}

impl Store for GraphStore {
    fn name(&self) -> &'static str {
        "codegraph.db"
    }

    fn place(&self) -> &'static str {
        "codegraph.db"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["graph"]
    }

    fn shared(&self) -> Option<&'static dyn Shared> {
        Some(&Self)
    }

    fn database(&self) -> Option<&'static Database> {
        Some(&Database { schema: "graph", cursor: CURSOR_TABLE, tables: TOLD })
    }

    fn fold(&self, path: &Path, places: &StorePlaces) -> Result<Box<dyn Projector>> {
        Ok(Box::new(CodeGraph::open(path, &places.root)?))
    }

    fn new_fold(&self, path: &Path, places: &StorePlaces) -> Result<Box<dyn Projector>> {
        Ok(Box::new(match places.has(StoreName::CODE_GRAPH)? {
            true => CodeGraph::create_beside(path, places.code_graph(), &places.root)?,
            false => CodeGraph::create(path, &places.root)?,
        }))
    }

    fn foresight(&self) -> Option<Box<dyn store::Foresight>> {
        Some(Box::<Foresight>::default())
    }

    fn open(&self, path: &Path) -> Result<Box<dyn AnyReader>> {
        Ok(Box::new(CodeGraphReader::open(path)?))
    }

    fn open_still(&self, path: &Path) -> Result<Box<dyn AnyReader>> {
        Ok(Box::new(CodeGraphReader::open_still(path)?))
    }
}

impl Shared for GraphStore {
    fn is_wanted(&self, places: &StorePlaces) -> Result<bool> {
        Ok(IndexReader::open(places.index())?.found_rows()?.others > 0)
    }

    fn is_settled(&self, path: &Path, is_look: bool) -> Result<bool> {
        let open = if is_look { CodeGraphReader::open_to_look } else { CodeGraphReader::open };
        open(path)?.is_settled()
    }

    fn unsettled(&self) -> (&'static str, Remedy) {
        ("the code was indexed again", Remedy::Rebuild(Some("graph")))
    }

    fn feed(&self, live: Advance<'_>) -> Result<Advanced, CatchUpError> {
        let places = live.from.places;
        relink::linked(live, &mut CodeGraph::open(places.code_graph(), &places.root)?)
    }

    fn anew(&self, places: &StorePlaces) -> Result<Box<dyn Projector>> {
        Ok(Box::new(CodeGraph::open(places.code_graph(), &places.root)?.anew()))
    }

    fn publish(&self, made: &Path, path: &Path) -> Result<bool> {
        create::publish(made, path)
    }

    fn scrub(&self, path: &Path) -> Result<()> {
        super::scrub(path)
    }

    fn keep(&self, places: &StorePlaces) -> Result<Option<PathBuf>> {
        super::keep(places.code_graph(), &places.building, &places.quarantine)
    }
}

any_reader!(CodeGraphReader);

/// Ours alone, and edges by the execution that they begin at: where they lead to is told by name, since
/// the rest of the graph is magellan's.
const TOLD: &[Table] = &[
    Table {
        of: "graph_entities",
        key: &["kind", "name"],
        asked: Some(
            "SELECT kind, name, file_path, data FROM graph_entities WHERE kind = 'execution'",
        ),
        ..Table::PLAIN
    },
    Table {
        of: "graph_edges",
        key: &["execution"],
        asked: Some(
            "SELECT e.name AS execution, edge_type, t.kind AS to_kind, t.name AS to_name, \
             t.file_path AS to_file, g.data AS data FROM graph_edges g \
             JOIN graph_entities e ON e.id = g.from_id AND e.kind = 'execution' \
             LEFT JOIN graph_entities t ON t.id = g.to_id \
             WHERE edge_type IN ('EXECUTED_ON', 'AFFECTED', 'REFERENCED', 'PRODUCED')",
        ),
        is_known_by_key: true,
        ..Table::PLAIN
    },
    Table {
        of: "graph_entities",
        key: &["kind", "name"],
        asked: Some(
            "SELECT kind, name, file_path, data FROM graph_entities WHERE kind = 'diagnostic'",
        ),
        is_known_by_key: true,
        ..Table::PLAIN
    },
];
