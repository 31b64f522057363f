//! What a store says that one built from the journal does not: read as evidence, row by row.
//!
//! The store may be anybody's, and of any content. Nothing of it or beside it is written, what it costs to
//! read is bounded by its size, and what cannot be read of it is told and keeps nobody from the rest.

mod bound;
mod files;
mod kind;
mod rows;
mod standing_still;
mod tables;

use std::io;
use std::path::Path;

use rusqlite::Connection;

use super::folder::FolderReader;
use super::sql::Value;
use super::{Cursor, StoreError};
use crate::stores::StoreName;
use bound::Bound;
use standing_still::Stamp;

/// A store that is looked at as evidence.
pub struct Remains {
    store: StoreName,
    cursor: Option<Cursor>,
    held: Held,
}

enum Held {
    Database { conn: Connection, bound: Bound, stamp: Stamp },
    Folder(FolderReader),
}

/// What a journal has under the key of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// Nothing.
    Nothing,
    /// Another row.
    Another,
}

/// A row that the journal does not bring forth.
#[derive(Debug)]
pub struct Remnant<'a> {
    /// A table, or a file of a store that is a folder.
    pub table: &'a str,
    pub journal_has: Otherwise,
    /// What the row is told from others by.
    pub key: &'a [String],
    /// In which columns the journal's row differs.
    pub differs_in: &'a [String],
    pub names: &'a [String],
    pub values: &'a [Value<'a>],
    /// Columns that are too large to be given: null stands for them.
    pub left_out: &'a [String],
}

/// What was found, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemnantCount {
    /// Rows under keys that the journal has nothing for.
    pub lost: u64,
    /// Rows that the journal has otherwise.
    pub differing: u64,
    /// What of the store could not be read, and why.
    pub unread: Vec<String>,
}

/// Who takes what is found.
pub type TakeRemnant<'t> = dyn FnMut(&Remnant<'_>) -> io::Result<()> + 't;

/// Why remains could not be read.
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
    ///
    /// # Errors
    /// Where it is no store, or cannot be read.
    pub fn open(path: &Path, aside: &Path) -> Result<Self, RemainsError> {
        match kind::folder(path)? {
            Some(store) => {
                let reader = FolderReader::open_still(path)?;
                let cursor = reader.cursor()?;
                Ok(Self { store, cursor, held: Held::Folder(reader) })
            }
            None => Self::open_database(path, aside),
        }
    }

    pub fn store(&self) -> StoreName {
        self.store
    }

    /// How far it says that it has read its journal.
    pub fn cursor(&self) -> Option<Cursor> {
        self.cursor
    }

    /// Gives every row that the store at `fresh`, built from the journal, does not have. Where there is
    /// none, the journal has nothing for such a store: every row is given.
    ///
    /// # Errors
    /// Where the fresh one cannot be read, this one is being written, or the taker fails.
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

    fn open_database(path: &Path, aside: &Path) -> Result<Self, RemainsError> {
        let (conn, stamp) = standing_still::open(path, aside)?;
        let bound = Bound::on(&conn, stamp.bytes());
        let store = kind::database(&conn, path)?;
        let cursor = match tables::cursor(store) {
            // One that cannot be read says nothing of how far it goes.
            Some(table) => Cursor::read(&conn, table).unwrap_or(None),
            None => None,
        };
        Ok(Self { store, cursor, held: Held::Database { conn, bound, stamp } })
    }
}
