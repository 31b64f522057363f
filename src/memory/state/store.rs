//! `state.db` as a store: its name and place, its tables, and how it is opened.

use std::ops::Deref;
use std::path::Path;

use rusqlite::{Params, Row};

use crate::execution::query::{QueryError, Stores};
use crate::store::digest::statements;
use crate::store::held::{Held, HeldReader};
use crate::store::remains::Table;
use crate::store::{
    AnyReader, Concern, Database, Projector, Result, Store, StoreError, StoreName, StorePlaces,
    connection, made_by,
};

pub(super) const CURSOR_TABLE: &str = "cursor";
const SCHEMA: &str = include_str!("schema.sql");
/// Changes whenever the tables do, or what is written into them; the store is built anew then.
const VERSION: i32 = 1;
pub(super) const LAST_ROWS: &str = "SELECT (SELECT coalesce(max(seq), 0) FROM kv), \
     (SELECT coalesce(max(seq), 0) FROM thread_messages)";
const DOING: &str = "reading what frameworks keep";

#[derive(Debug)]
struct StateStore;

impl StoreName {
    /// `.annals/state.db`, made with the first value or message that is kept.
    pub const STATE: Self = Self::of(&StateStore);
}

/// Events of branch memory, forks among them, once something is kept.
const KEPT: Concern = Concern {
    last: "SELECT max(seq) FROM memory_ops INDEXED BY memory_ops_memory WHERE door IS NOT NULL AND EXISTS (\
           SELECT 1 FROM memory_ops INDEXED BY memory_ops_kept WHERE kind IN \
           ('KvPut', 'KvDeleted', 'MessageAppended', 'MessagePopped', 'ThreadCleared'))",
    next: "SELECT seq FROM memory_ops INDEXED BY memory_ops_memory \
           WHERE door IS NOT NULL AND seq > ?1 ORDER BY seq LIMIT 1",
};

impl StorePlaces {
    pub fn state(&self) -> &Path {
        self.path(StoreName::STATE)
    }
}

impl Store for StateStore {
    fn name(&self) -> &'static str {
        "state.db"
    }

    fn place(&self) -> &'static str {
        ".annals/state.db"
    }

    fn concern(&self) -> Option<&'static Concern> {
        Some(&KEPT)
    }

    fn database(&self) -> Option<&'static Database> {
        Some(&Database { schema: "state", cursor: CURSOR_TABLE, tables: TOLD })
    }

    fn fold(&self, path: &Path, _: &StorePlaces) -> Result<Box<dyn Projector>> {
        Ok(Box::new(State::open(path)?))
    }

    fn new_fold(&self, path: &Path, _: &StorePlaces) -> Result<Box<dyn Projector>> {
        Ok(Box::new(State::create(path)?))
    }

    fn open(&self, path: &Path) -> Result<Box<dyn AnyReader>> {
        Ok(Box::new(StateReader::open(path)?.0))
    }

    fn open_still(&self, path: &Path) -> Result<Box<dyn AnyReader>> {
        let conn = Held::alone(connection::open_still(path)?, path);
        Ok(Box::new(StateReader::of(conn, path)?.0))
    }
}

const TOLD: &[Table] = &[
    Table { of: "kv", ..Table::PLAIN },
    Table { of: "thread_messages", ..Table::PLAIN },
    Table { of: "thread_marks", ..Table::PLAIN },
    Table { of: "forks", key: &["name"], ..Table::PLAIN },
];

/// `state.db`, open for writing; it is the fold into itself as well.
#[derive(Debug)]
pub struct State {
    pub(super) conn: Held,
}

impl State {
    pub fn open(path: &Path) -> Result<Self> {
        connection::must_exist(path)?;
        let conn = Held::writing(path)?;
        check(&conn, path)?;
        Ok(Self { conn })
    }

    pub(super) fn create(path: &Path) -> Result<Self> {
        let conn = Held::alone(connection::create_bulk(path)?, path);
        for sql in statements(SCHEMA) {
            conn.run(sql, "making the tables")?;
        }
        made_by::note(&conn, VERSION)?;
        Ok(Self { conn })
    }

    /// What can be read of it now, inside a transaction what was written in it too.
    pub fn view(&self) -> StateView<'_> {
        StateView(&self.conn)
    }
}

/// Whether the tables are the ones that this build makes.
fn check(conn: &Held, path: &Path) -> Result<()> {
    let tables = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name";
    let mut tables: Vec<String> = conn.rows("reading the schema", tables, [], |row| row.get(0))?;
    tables.sort();
    let mut ours = statements(SCHEMA);
    ours.sort_unstable();
    let version = "SELECT user_version FROM pragma_user_version";
    let found: Option<i32> = conn.find("reading the version", version, [], |row| row.get(0))?;
    if found != Some(VERSION) || tables != ours {
        return Err(made_by::differs(conn, path, VERSION, "one of its tables".to_owned()));
    }
    Ok(())
}

/// What is in `state.db`, read through a connection that somebody else holds.
#[derive(Clone, Copy, Debug)]
pub struct StateView<'a>(&'a Held);

impl StateView<'_> {
    pub(super) fn rows<T>(
        &self,
        sql: &str,
        values: impl Params,
        row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        self.0.rows(DOING, sql, values, row)
    }
}

/// `state.db`, open for questions.
#[derive(Debug)]
pub struct StateReader(HeldReader);

impl Deref for StateReader {
    type Target = HeldReader;

    fn deref(&self) -> &HeldReader {
        &self.0
    }
}

impl StateReader {
    pub fn open(path: &Path) -> Result<Self> {
        connection::must_exist(path)?;
        Self::of(Held::reading(path)?, path)
    }

    fn of(conn: Held, path: &Path) -> Result<Self> {
        check(&conn, path)?;
        let (cursor_table, last_rows) = (CURSOR_TABLE, LAST_ROWS);
        Ok(Self(HeldReader { conn, cursor_table, last_rows, doing: DOING }))
    }

    pub fn view(&self) -> StateView<'_> {
        StateView(&self.0.conn)
    }
}

impl Stores {
    /// What frameworks keep; `None` where nothing ever was.
    pub fn state(&self) -> std::result::Result<Option<StateReader>, QueryError> {
        match StateReader::open(self.places.state()) {
            Ok(state) => Ok(Some(state)),
            Err(StoreError::Missing { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// The branches that one sees, each through its last event that it sees of it: `?1` is the branch.
pub(super) const CHAIN: &str = "WITH RECURSIVE chain (branch, cut) AS ( \
     SELECT ?1, 9223372036854775807 UNION ALL \
     SELECT b.parent, min(c.cut, b.cut) FROM chain c JOIN forks b ON b.name = c.branch \
     WHERE b.parent IS NOT NULL)";
