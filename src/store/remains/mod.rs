//! What a store says that one built from the journal does not: read as evidence, row by row.
//!
//! The store may be anybody's, and of any content. Nothing of it or beside it is written, what it costs to
//! read is bounded by its size, and what cannot be read of it is told and keeps nobody from the rest.

mod files;
mod rows;
mod tables;

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::Connection;
use rusqlite::limits::Limit;

use super::dir::if_there;
use super::folder::FolderReader;
use super::sql::Value;
use super::{Cursor, StoreError};
use crate::journal::enclosure;
use crate::store::lock::beside;
use crate::store::{StillStore, StoreList, StoreName, connection};

pub use tables::Table;

pub struct Remains {
    store: StoreName,
    cursor: Option<Cursor>,
    held: Held,
}

enum Held {
    Database { conn: Connection, bound: Bound, stamp: Stamp },
    Folder(FolderReader),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    Nothing,
    Another,
}

#[derive(Debug)]
pub struct Remnant<'a> {
    pub table: &'a str,
    pub journal_has: Otherwise,
    /// What the row is told from others by.
    pub key: &'a [String],
    pub differs_in: &'a [String],
    pub names: &'a [String],
    pub values: &'a [Value<'a>],
    /// Columns that are too large to be given: null stands for them.
    pub left_out: &'a [String],
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemnantCount {
    /// Rows under keys that the journal has nothing for.
    pub lost: u64,
    pub differing: u64,
    pub unread: Vec<String>,
}

impl RemnantCount {
    fn add(&mut self, journal_has: Otherwise) {
        match journal_has {
            Otherwise::Nothing => self.lost += 1,
            Otherwise::Another => self.differing += 1,
        }
    }
}

pub type TakeRemnant<'t> = dyn FnMut(&Remnant<'_>) -> io::Result<()> + 't;

#[derive(Debug, thiserror::Error)]
pub enum RemainsError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{path} is no store of annals: {why}")]
    NoStore { path: std::path::PathBuf, why: String },
    #[error("{path} is being written: nothing of it was taken; try again")]
    Restless { path: std::path::PathBuf },
    #[error("{path} has more than {bytes_max} bytes, which is all that is read")]
    TooLarge { path: std::path::PathBuf, bytes_max: u64 },
    /// Who takes the rows could not.
    #[error("what was found could not be written")]
    Taken(#[source] io::Error),
}

impl Remains {
    /// Opens what lies at `path`, whatever it is called. Where a `-wal` or a rollback journal lies beside
    /// it, they are copied into `aside` first, a folder of the caller's own.
    pub fn open(list: &StoreList, path: &Path, aside: &Path) -> Result<Self, RemainsError> {
        match tables::folder(list, path)? {
            Some(store) => {
                let reader = FolderReader::open_still(path)?;
                let cursor = reader.cursor()?;
                Ok(Self { store, cursor, held: Held::Folder(reader) })
            }
            None => Self::open_database(list, path, aside),
        }
    }

    pub fn store(&self) -> StoreName {
        self.store
    }

    pub fn cursor(&self) -> Option<Cursor> {
        self.cursor
    }

    /// Gives every row that the store at `fresh`, built from the journal, does not have. Where there is
    /// none, the journal has nothing for such a store: every row is given.
    pub fn beyond(
        &self,
        fresh: Option<&Path>,
        take: &mut TakeRemnant<'_>,
    ) -> Result<RemnantCount, RemainsError> {
        match &self.held {
            Held::Database { conn, bound, stamp } => {
                let opened = fresh.map(super::connection::open_read).transpose()?;
                let fresh = opened.as_ref().zip(fresh);
                let found = rows::beyond(self.store, conn, bound, fresh, take)?;
                stamp.must_stand()?;
                Ok(found)
            }
            Held::Folder(reader) => files::beyond(reader, fresh, take),
        }
    }

    fn open_database(list: &StoreList, path: &Path, aside: &Path) -> Result<Self, RemainsError> {
        let (conn, stamp) = open(path, aside)?;
        let bound = Bound::on(&conn, stamp.bytes());
        let store = tables::database(list, &conn, path)?;
        let cursor = match store.database() {
            // One that cannot be read says nothing of how far it goes.
            Some(database) => Cursor::read(&conn, database.cursor).unwrap_or(None),
            None => None,
        };
        Ok(Self { store, cursor, held: Held::Database { conn, bound, stamp } })
    }
}

/// What SQLite keeps of a database.
const FILES: [&str; 3] = ["", "-wal", "-journal"];
/// What the copy of a database is called.
const COPY: &str = "copy.db";
/// A database with something beside it is copied only up to here, all its files together.
const COPY_BYTES_MAX: u64 = 8 << 30;
/// Copies made of a database that others write, before giving up.
const COPIES_MAX: usize = 5;

#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    path: PathBuf,
    files: Vec<Option<File>>,
}

/// What tells whether a file was written: its identity, its bytes, when it was changed.
type File = ((u64, u64), u64, (i64, u64));

impl Stamp {
    fn of(path: &Path) -> Self {
        let file = |suffix: &&str| {
            // What is not there, or no file, is told by whoever opens it.
            let look = enclosure::look(&beside(path, suffix)).ok()?; // as above
            Some((look.identity, look.bytes, look.changed))
        };
        Self { path: path.to_owned(), files: FILES.iter().map(file).collect() }
    }

    pub fn bytes(&self) -> u64 {
        self.files.iter().flatten().map(|(_, bytes, _)| bytes).sum()
    }

    /// Holds that nobody wrote meanwhile.
    pub fn must_stand(&self) -> Result<(), RemainsError> {
        match Self::of(&self.path) == *self {
            true => Ok(()),
            false => Err(RemainsError::Restless { path: self.path.clone() }),
        }
    }
}

/// Opens a database for reading, with a bound on what that may cost.
pub fn open_bounded(path: &Path, aside: &Path) -> Result<(Connection, Bound), RemainsError> {
    let (conn, stamp) = open(path, aside)?;
    let bound = Bound::on(&conn, stamp.bytes());
    Ok((conn, bound))
}

/// Opens a database for reading, with how the files stood that it is read from.
fn open(path: &Path, aside: &Path) -> Result<(Connection, Stamp), RemainsError> {
    // What is no file of anybody's is told before anything is asked of SQLite.
    connection::place(path, enclosure::DatabaseUse::Read)?;
    let stamp = Stamp::of(path);
    if StillStore::is_alone(path) {
        return Ok((connection::open_still(path)?, stamp));
    }
    let copy = aside.join(COPY);
    for _ in 0..COPIES_MAX {
        let stamp = Stamp::of(path);
        if stamp.bytes() > COPY_BYTES_MAX {
            return Err(RemainsError::TooLarge {
                path: path.to_owned(),
                bytes_max: COPY_BYTES_MAX,
            });
        }
        for path in FILES.map(|suffix| beside(&copy, suffix)) {
            let cleared = if_there(enclosure::remove(&path));
            cleared.map_err(|error| StoreError::io(&path, "clearing a copy away", error))?;
        }
        StillStore::copy(path, &copy)?;
        if stamp.must_stand().is_ok() {
            // From here on the copy is what must stand.
            let conn = connection::open_read(&copy)?;
            return Ok((conn, Stamp::of(&copy)));
        }
    }
    Err(RemainsError::Restless { path: path.to_owned() })
}

// What reading a database of anybody's making may cost: its pages can lead in circles, and one page can
// stand for a million rows.

/// The largest value that is given.
const CELL_BYTES_MAX: u64 = 64 << 20;
/// Instructions of SQLite's machine, however small the file, and for each of its bytes: rows of ours take
/// a tenth of that.
const STEPS_MIN: u64 = 100_000_000;
const STEPS_PER_BYTE: u64 = 64;
/// Instructions between two counts.
const COUNT_EVERY: i32 = 10_000;
/// Bytes that are read, however small the file, and for each of its bytes: names stand in many edges.
const BYTES_MIN: u64 = 128 << 20;
const BYTES_PER_BYTE: u64 = 32;
/// A file's size counts up to here: holes cost its maker nothing.
const FILE_BYTES_MAX: u64 = 64 << 30;

pub struct Bound {
    bytes: Cell<u64>,
}

impl Bound {
    pub fn on(conn: &Connection, file_bytes: u64) -> Self {
        let file_bytes = file_bytes.min(FILE_BYTES_MAX);
        let steps_max = STEPS_MIN + file_bytes * STEPS_PER_BYTE;
        let steps = Arc::new(AtomicU64::new(0));
        let over = move || {
            let taken = COUNT_EVERY.unsigned_abs().into();
            steps.fetch_add(taken, Ordering::Relaxed) > steps_max
        };
        conn.progress_handler(COUNT_EVERY, Some(over));
        // Above what is given, so that what is too large can be told from what is damaged.
        let cell = i32::try_from(2 * CELL_BYTES_MAX).unwrap_or(i32::MAX);
        // A limit that cannot be set stands at SQLite's own.
        drop(conn.set_limit(Limit::SQLITE_LIMIT_LENGTH, cell));
        Self { bytes: Cell::new(BYTES_MIN + file_bytes * BYTES_PER_BYTE) }
    }

    pub fn is_over(&self, bytes: u64) -> bool {
        let left = self.bytes.get().checked_sub(bytes);
        self.bytes.set(left.unwrap_or(0));
        left.is_none()
    }
}
