//! `memory.db` as a store: its name and place, the events that it is made of, and its tables.

use std::path::Path;

use super::{CURSOR_TABLE, Memory, MemoryReader};
use crate::store::remains::Table;
use crate::store::snapshot::any_reader;
use crate::store::{
    AnyReader, Concern, Database, Projector, Result, Store, StoreName, StorePlaces, connection,
};

#[derive(Debug)]
struct MemoryStore;

impl StoreName {
    /// `.annals/memory.db`, made with the first event of branch memory.
    pub const MEMORY: Self = Self::of(&MemoryStore);
}

impl StorePlaces {
    pub fn memory(&self) -> &Path {
        self.path(StoreName::MEMORY)
    }
}

impl Store for MemoryStore {
    fn name(&self) -> &'static str {
        "memory.db"
    }

    fn place(&self) -> &'static str {
        ".annals/memory.db"
    }

    fn concern(&self) -> Option<&'static Concern> {
        Some(&MEMORY)
    }

    fn database(&self) -> Option<&'static Database> {
        Some(&Database { schema: "memory", cursor: CURSOR_TABLE, tables: TOLD })
    }

    fn fold(&self, path: &Path, _: &StorePlaces) -> Result<Box<dyn Projector>> {
        Ok(Box::new(Memory::open(path)?))
    }

    fn new_fold(&self, path: &Path, _: &StorePlaces) -> Result<Box<dyn Projector>> {
        Ok(Box::new(Memory::create(path)?))
    }

    fn open(&self, path: &Path) -> Result<Box<dyn AnyReader>> {
        Ok(Box::new(MemoryReader::open(path)?))
    }

    fn open_still(&self, path: &Path) -> Result<Box<dyn AnyReader>> {
        Ok(Box::new(MemoryReader::open_still(path)?))
    }
}

/// Events of branch memory.
pub const MEMORY: Concern = Concern {
    last: "SELECT max(seq) FROM memory_ops INDEXED BY memory_ops_memory WHERE door IS NOT NULL",
    next: "SELECT seq FROM memory_ops INDEXED BY memory_ops_memory \
           WHERE door IS NOT NULL AND seq > ?1 ORDER BY seq LIMIT 1",
};

any_reader!(MemoryReader: connection::is_whole);

const TOLD: &[Table] = &[
    Table { of: "branches", key: &["id"], ..Table::PLAIN },
    Table { of: "core_kv", key: &["branch_id", "key"], ..Table::PLAIN },
    Table { of: "core_meta", key: &["branch_id", "key"], ..Table::PLAIN },
    Table { of: "events", key: &["id"], ..Table::PLAIN },
    Table { of: "archival", key: &["id"], ..Table::PLAIN },
    Table { of: "inherited_exclusions", key: &["branch_id", "excluded_event_id"], ..Table::PLAIN },
    Table { of: "inherited_summaries", key: &["id"], ..Table::PLAIN },
];
