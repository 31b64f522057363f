//! A store found in somebody's copy, read without changing a byte of it or beside it.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::code_graph::CodeGraphReader;
use super::execution_log::ExecutionLogReader;
use super::index::IndexReader;
use super::lock::beside;
use super::{Cursor, Digest, Rows, StoreError, StoreName};

/// What a store says that was found in somebody's copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StillStore {
    pub cursor: Option<Cursor>,
    /// The rows that the tables really have.
    pub found: Rows,
    pub digest: Digest,
}

impl StillStore {
    /// Reads the store at `path`. Where a `-wal` lies beside it, that and the store are copied into
    /// `aside` first, a folder of the caller's own: opening them where they lie would change them.
    ///
    /// # Errors
    /// Where there is none, or it cannot be read.
    pub fn read(store: StoreName, path: &Path, aside: &Path) -> Result<Self, StoreError> {
        must_be_a_file(path)?;
        if wal_of(path).is_none() {
            return match store {
                StoreName::Index => Self::of_index(&IndexReader::open_still(path)?),
                StoreName::ExecutionLog => Self::of_log(&ExecutionLogReader::open_still(path)?),
                StoreName::CodeGraph => Self::of_graph(&CodeGraphReader::open_still(path)?),
            };
        }
        let copy = aside.join(store.as_str());
        Self::copy(path, &copy)?;
        match store {
            StoreName::Index => Self::of_index(&IndexReader::open(&copy)?),
            StoreName::ExecutionLog => Self::of_log(&ExecutionLogReader::open(&copy)?),
            StoreName::CodeGraph => Self::of_graph(&CodeGraphReader::open(&copy)?),
        }
    }

    /// Copies a store and the `-wal` beside it: the copy is the caller's own, and can be written.
    ///
    /// # Errors
    /// Where there is none, or the copy cannot be made.
    pub fn copy(path: &Path, to: &Path) -> Result<(), StoreError> {
        must_be_a_file(path)?;
        let wal = wal_of(path).map(|wal| (wal, beside(to, "-wal")));
        for (from, to) in [(path.to_owned(), to.to_owned())].into_iter().chain(wal) {
            // The mode comes with the bytes: that of a copy nobody may write is no use here.
            fs::copy(&from, &to)
                .and_then(|_| fs::set_permissions(&to, Permissions::from_mode(0o600)))
                .map_err(|source| StoreError::io(&from, "copying the store aside", source))?;
        }
        Ok(())
    }

    fn of_index(index: &IndexReader) -> Result<Self, StoreError> {
        let (cursor, digest) = index.digest()?;
        Ok(Self { cursor, found: index.found_rows()?, digest })
    }

    fn of_graph(graph: &CodeGraphReader) -> Result<Self, StoreError> {
        let (cursor, digest) = graph.digest()?;
        Ok(Self { cursor, found: graph.found_rows()?, digest })
    }

    fn of_log(log: &ExecutionLogReader) -> Result<Self, StoreError> {
        let (cursor, digest) = log.digest()?;
        Ok(Self { cursor, found: log.found_rows()?, digest })
    }
}

/// A FIFO under a store's name would make its reader wait for ever.
fn must_be_a_file(path: &Path) -> Result<(), StoreError> {
    super::connection::must_exist(path)?;
    match fs::metadata(path) {
        Ok(about) if about.is_file() => Ok(()),
        looked => {
            let none = io::Error::new(io::ErrorKind::InvalidInput, "not a regular file");
            let source = looked.err().unwrap_or(none);
            Err(StoreError::io(path, "looking at the store", source))
        }
    }
}

/// The `-wal` beside a store, where it holds something.
fn wal_of(path: &Path) -> Option<PathBuf> {
    let wal = beside(path, "-wal");
    let holds = fs::metadata(&wal).is_ok_and(|about| about.is_file() && about.len() > 0);
    holds.then_some(wal)
}
