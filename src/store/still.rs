//! A store found in somebody's copy, read without changing a byte of it or beside it.

use std::fs;
use std::io;
use std::path::Path;

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
        super::connection::must_exist(path)?;
        let failed = |source: io::Error| StoreError::io(path, "looking at the store", source);
        // A FIFO under a store's name would make its reader wait for ever.
        if !fs::metadata(path).map_err(failed)?.is_file() {
            return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")));
        }
        let wal = beside(path, "-wal");
        let has_wal = fs::metadata(&wal).is_ok_and(|about| about.is_file() && about.len() > 0);
        if !has_wal {
            return match store {
                StoreName::Index => Self::of_index(&IndexReader::open_still(path)?),
                StoreName::ExecutionLog => Self::of_log(&ExecutionLogReader::open_still(path)?),
                StoreName::CodeGraph => Self::of_graph(&CodeGraphReader::open_still(path)?),
            };
        }
        let copy = aside.join(store.as_str());
        fs::copy(path, &copy).map_err(failed)?;
        fs::copy(&wal, beside(&copy, "-wal")).map_err(failed)?;
        match store {
            StoreName::Index => Self::of_index(&IndexReader::open(&copy)?),
            StoreName::ExecutionLog => Self::of_log(&ExecutionLogReader::open(&copy)?),
            StoreName::CodeGraph => Self::of_graph(&CodeGraphReader::open(&copy)?),
        }
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
