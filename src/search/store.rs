//! `search.db` as a store: its name and place, its tables, and how it is opened.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use super::fold::Read;
use crate::store::held::{Held, HeldReader};
use crate::store::remains::Table;
use crate::store::{
    AnyReader, Database, Foreseen, Foresight, Projector, Result, Store, StoreName, StorePlaces,
    connection, made_by,
};

pub(super) const CURSOR_TABLE: &str = "cursor";
const SCHEMA: &str = include_str!("schema.sql");
/// Changes whenever a text would be found by other words; the store is built anew then.
const VERSION: i32 = 2;
pub(super) const LAST_ROWS: &str = "SELECT coalesce(max(number), 0), \
     (SELECT coalesce(max(number), 0) FROM names) FROM documents";

#[derive(Debug)]
struct SearchStore;

impl StoreName {
    /// `.annals/search.db`, made when somebody searches.
    pub const SEARCH: Self = Self::of(&SearchStore);
}

impl Store for SearchStore {
    fn name(&self) -> &'static str {
        "search.db"
    }

    fn place(&self) -> &'static str {
        ".annals/search.db"
    }

    fn is_on_demand(&self) -> bool {
        true
    }

    fn database(&self) -> Option<&'static Database> {
        Some(&Database { schema: "search", cursor: CURSOR_TABLE, tables: TOLD })
    }

    fn fold(&self, path: &Path, _: &StorePlaces) -> Result<Box<dyn Projector>> {
        Ok(Box::new(Search::open(path)?))
    }

    fn new_fold(&self, path: &Path, _: &StorePlaces) -> Result<Box<dyn Projector>> {
        Ok(Box::new(Search::create(path)?))
    }

    fn foresight(&self) -> Option<Box<dyn Foresight>> {
        Some(Box::new(Read))
    }

    fn open(&self, path: &Path) -> Result<Box<dyn AnyReader>> {
        Ok(Box::new(SearchReader::open(path)?.0))
    }

    fn open_still(&self, path: &Path) -> Result<Box<dyn AnyReader>> {
        let conn = Held::alone(connection::open_still(path)?, path);
        Ok(Box::new(SearchReader::of(conn).0))
    }
}

const TOLD: &[Table] = &[
    Table { of: "documents", key: &["seq", "part"], passed: &["number"], ..Table::PLAIN },
    Table { of: "turns", key: &["session"], ..Table::PLAIN },
];

/// `search.db`, open for writing.
#[derive(Debug)]
pub struct Search {
    pub(super) conn: Held,
    pub(super) path: PathBuf,
    pub(super) foreseen: Option<Foreseen>,
}

impl Search {
    fn open(path: &Path) -> Result<Self> {
        let conn = Held::writing(path)?;
        let version = "SELECT user_version FROM pragma_user_version";
        let found: Option<i32> = conn.find("reading the version", version, [], |row| row.get(0))?;
        let named = "SELECT name FROM sqlite_master WHERE name IN ('documents', 'found')";
        let tables: Vec<String> = conn.rows("reading the schema", named, [], |row| row.get(0))?;
        if found != Some(VERSION) || tables.len() != 2 {
            return Err(made_by::differs(&conn, path, VERSION, "one of its tables".to_owned()));
        }
        Ok(Self { conn, path: path.to_owned(), foreseen: None })
    }

    pub(super) fn create(path: &Path) -> Result<Self> {
        let conn = Held::alone(connection::create_bulk(path)?, path);
        conn.run(SCHEMA, "making the tables")?;
        made_by::note(&conn, VERSION)?;
        // Merged once, at the end.
        conn.run("INSERT INTO found (found, rank) VALUES ('automerge', 0)", "making the tables")?;
        Ok(Self { conn, path: path.to_owned(), foreseen: None })
    }
}

/// `search.db`, open for questions.
#[derive(Debug)]
pub struct SearchReader(HeldReader);

impl Deref for SearchReader {
    type Target = HeldReader;

    fn deref(&self) -> &HeldReader {
        &self.0
    }
}

impl SearchReader {
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self::of(Held::reading(path)?))
    }

    fn of(conn: Held) -> Self {
        let (cursor_table, last_rows) = (CURSOR_TABLE, LAST_ROWS);
        Self(HeldReader { conn, cursor_table, last_rows, doing: "searching" })
    }
}
