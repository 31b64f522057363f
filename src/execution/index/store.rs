//! The index as a store: its name and place, and its tables that say what happened.

use std::path::Path;

use super::{CURSOR_TABLE, Index, IndexPart, IndexReader};
use crate::execution::closed::signed;
use crate::execution::foresight::Foresight;
use crate::store;
use crate::store::remains::Table;
use crate::store::{
    AnyReader, Concern, Cursor, Database, KnownStarts, Lookup, Projector, Result, Store,
    StorePlaces,
};

/// `index.db`, with what writes of its events into it besides executions themselves.
pub struct IndexStore {
    pub parts: fn() -> Vec<Box<dyn IndexPart>>,
}

impl Store for IndexStore {
    fn name(&self) -> &'static str {
        "index.db"
    }

    fn place(&self) -> &'static str {
        ".annals/index.db"
    }

    fn is_needed(&self) -> bool {
        true
    }

    fn database(&self) -> Option<&'static Database> {
        Some(&Database { schema: "idx", cursor: CURSOR_TABLE, tables: TOLD })
    }

    fn fold(&self, path: &Path, _: &StorePlaces) -> Result<Box<dyn Projector>> {
        Ok(Box::new(Index::open(path, (self.parts)())?))
    }

    fn new_fold(&self, path: &Path, _: &StorePlaces) -> Result<Box<dyn Projector>> {
        Ok(Box::new(Index::create(path, (self.parts)())?))
    }

    fn foresight(&self) -> Option<Box<dyn store::Foresight>> {
        Some(Box::<Foresight>::default())
    }

    fn open(&self, path: &Path) -> Result<Box<dyn AnyReader>> {
        Ok(Box::new(IndexReader::open(path)?.store))
    }

    fn open_still(&self, path: &Path) -> Result<Box<dyn AnyReader>> {
        Ok(Box::new(IndexReader::open_still(path)?.store))
    }
}

/// Opens the index for what other stores find through it.
pub fn lookup(path: &Path) -> Result<Box<dyn Lookup>> {
    Ok(Box::new(IndexReader::open(path)?))
}

const OWN: &str = "SELECT id, started_seq FROM executions WHERE id = ?1 AND seq < ?2";
const REPEATED: &str = "SELECT id, started_seq FROM executions WHERE seq < ?2 AND seq = \
     (SELECT execution FROM void_starts WHERE id = ?1 AND seq < ?2 ORDER BY seq LIMIT 1)";
const ENDED: &str = "SELECT closed_seq FROM executions WHERE id = ?1";
const VOID: &str = "SELECT 1 FROM void_starts WHERE id = ?1 AND seq = ?2";

impl KnownStarts for IndexReader {
    fn start_of(&self, id: &str, before: u64) -> Result<Option<(String, u64)>> {
        for sql in [OWN, REPEATED] {
            if let Some((id, started)) = self.all(sql, (id, before))?.pop() {
                return Ok(Option::map(started, |started| (id, started)));
            }
        }
        Ok(None)
    }

    fn has_void_starts(&self) -> Result<bool> {
        Ok(self.cell::<u8>("SELECT 1 FROM void_starts LIMIT 1", [])?.is_some())
    }

    fn is_void_start(&self, id: &str, seq: u64) -> Result<bool> {
        Ok(self.cell::<u8>(VOID, (id, seq))?.is_some())
    }

    fn ended_at(&self, id: &str) -> Result<Option<u64>> {
        Ok(self.cell::<Option<u64>>(ENDED, [id])?.flatten())
    }
}

/// What has ended has its row in the file; what is open who asks has in memory, as far as it goes.
impl KnownStarts for Index {
    fn start_of(&self, id: &str, before: u64) -> Result<Option<(String, u64)>> {
        let doing = "looking a start up";
        for sql in [OWN, REPEATED] {
            let found =
                self.find(doing, sql, (id, before), |row| Ok((row.get(0)?, row.get(1)?)))?;
            if let Some((id, started)) = found {
                return Ok(Option::map(started, |started| (id, started)));
            }
        }
        Ok(None)
    }

    fn has_void_starts(&self) -> Result<bool> {
        Ok(self.void_starts)
    }

    fn is_void_start(&self, id: &str, seq: u64) -> Result<bool> {
        Ok(self.find("looking a start up", VOID, (id, seq), |_| Ok(()))?.is_some())
    }

    fn ended_at(&self, id: &str) -> Result<Option<u64>> {
        let ended = self.find("looking an end up", ENDED, [id], |row| row.get::<_, Option<u64>>(0));
        Ok(ended?.flatten())
    }
}

impl Lookup for IndexReader {
    fn cursor(&self) -> Result<Option<Cursor>> {
        self.store.cursor()
    }

    fn last(&self, concern: &Concern) -> Result<Option<u64>> {
        Ok(self.cell::<Option<u64>>(concern.last, [])?.flatten())
    }

    fn next(&self, concern: &Concern, after: u64) -> Result<Option<u64>> {
        self.store.conn.find(self.doing, concern.next, [signed(after)], |row| row.get(0))
    }
}

const NUMBERED: Table = Table { is_numbered: true, ..Table::PLAIN };

const TOLD: &[Table] = &[
    Table {
        of: "sessions",
        key: &["id"],
        passed: &["number"],
        is_known_by_key: true,
        ..Table::PLAIN
    },
    Table { of: "prompts", ..NUMBERED },
    Table {
        of: "executions",
        key: &["id"],
        passed: &["ordinal", "at_seq", "at_ms", "diagnostic", "command", "target_key", "said"],
        ..NUMBERED
    },
    Table { of: "tools", key: &["name"], passed: &["number"], ..Table::PLAIN },
    Table { of: "reads", ..NUMBERED },
    Table { of: "verdicts", ..NUMBERED },
    Table { of: "bypasses", ..NUMBERED },
    Table { of: "claims", ..NUMBERED },
    Table { of: "plans", ..NUMBERED },
    Table { of: "steps", ..NUMBERED },
    Table { of: "checkpoints", ..NUMBERED },
    Table { of: "memory_ops", ..NUMBERED },
    Table {
        of: "repos",
        key: &["hash"],
        passed: &["number", "family", "last_seq"],
        ..Table::PLAIN
    },
    Table { of: "repo_links", passed: &["other"], ..NUMBERED },
    Table { of: "repo_conventions", key: &["repo", "id"], ..NUMBERED },
    Table { of: "repo_decisions", key: &["repo", "id"], ..NUMBERED },
    Table { of: "repo_notes", key: &["repo", "id"], ..NUMBERED },
    Table { of: "repo_summaries", ..NUMBERED },
    Table { of: "repo_indexes", key: &["repo", "kind"], ..NUMBERED },
    Table { of: "debug_ops", ..Table::PLAIN },
    Table { of: "debug_sessions", key: &["id"], passed: &["number"], ..Table::PLAIN },
    Table { of: "debug_expired", key: &["id"], ..Table::PLAIN },
];
