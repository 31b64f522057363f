//! Tables of a journal that no store of it has: made for a question, and gone with it.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, params_from_iter};

use super::{Ask, SqlStore};
use crate::store::StoreError;
use crate::store::evidence::{Cache, Entry, EvidenceError};

/// What they are called, beside the stores.
pub const BESIDE: &str = "beside";

#[derive(Debug, thiserror::Error)]
pub enum BesideError {
    #[error(transparent)]
    Place(#[from] EvidenceError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A database in the user's cache.
#[derive(Debug)]
pub struct Beside {
    path: PathBuf,
    _entry: Entry,
}

/// The same while it is written.
pub struct Making {
    conn: Connection,
    path: PathBuf,
    entry: Entry,
}

impl Beside {
    /// With these tables, which have no rows yet.
    pub fn begin(tables: &str) -> Result<Making, BesideError> {
        let entry = Cache::of_user().private()?;
        let path = entry.root().join("beside.db");
        let conn = Connection::open(&path).map_err(|source| failed(&path, source))?;
        let begin = format!("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; {tables}");
        conn.execute_batch(&begin).map_err(|source| failed(&path, source))?;
        Ok(Making { conn, path, entry })
    }

    pub(super) fn store(&self) -> SqlStore {
        SqlStore { schema: BESIDE, path: self.path.clone(), is_needed: true, is_shared: true }
    }
}

impl Making {
    pub fn add(&self, insert: &str, values: &[Option<Ask>]) -> Result<(), BesideError> {
        let doing = |source| failed(&self.path, source);
        let mut statement = self.conn.prepare_cached(insert).map_err(doing)?;
        statement.execute(params_from_iter(values)).map_err(doing)?;
        Ok(())
    }

    pub fn end(self) -> Result<Beside, BesideError> {
        let Self { conn, path, entry } = self;
        conn.execute_batch("COMMIT").map_err(|source| failed(&path, source))?;
        Ok(Beside { path, _entry: entry })
    }
}

fn failed(path: &Path, source: rusqlite::Error) -> StoreError {
    StoreError::sql(path, "making tables for a question", source)
}
