//! Whichever store, open for reading.

use std::path::Path;

use super::folder::FolderReader;
use super::{Cursor, Digest, Rows, StoreError, connection};
use crate::execution::graph::CodeGraphReader;
use crate::execution::index::IndexReader;
use crate::execution::log::ExecutionLogReader;
use crate::memory::store::MemoryReader;
use crate::stores::StoreName;

/// Whichever store, open for reading: how far it is, and what is in it.
pub trait AnyReader: Send {
    /// How far it says it is.
    fn cursor(&self) -> Result<Option<Cursor>, StoreError>;
    /// How far it says it is and the last rows that its tables really have, of one moment.
    fn stand(&self) -> Result<(Option<Cursor>, Rows), StoreError>;
    /// The digest of what is in it, and the cursor that goes with it.
    fn digest(&self) -> Result<(Option<Cursor>, Digest), StoreError>;
    /// Whether it passes SQLite's own check of its pages and indexes: a digest reads rows one after the other.
    /// A folder has neither, and the graph is its maker's to check.
    fn is_whole(&self) -> Result<bool, StoreError> {
        Ok(true)
    }
}

macro_rules! any_reader {
    ($($reader:ident $(: $check:path)?),*) => {$(
        impl AnyReader for $reader {
            fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
                self.cursor()
            }

            fn stand(&self) -> Result<(Option<Cursor>, Rows), StoreError> {
                let _moment = self.moment()?;
                Ok((self.cursor()?, self.found_rows()?))
            }

            fn digest(&self) -> Result<(Option<Cursor>, Digest), StoreError> {
                self.digest()
            }

            $(fn is_whole(&self) -> Result<bool, StoreError> {
                Ok($check(&*self.moment()?))
            })?
        }
    )*};
}

any_reader!(
    IndexReader: connection::is_whole,
    ExecutionLogReader: connection::is_whole,
    MemoryReader: connection::is_whole,
    FolderReader,
    CodeGraphReader
);

impl StoreName {
    /// Opens the store of this name that lies there.
    pub fn open(self, path: &Path) -> Result<Box<dyn AnyReader>, StoreError> {
        Ok(match self {
            Self::Index => Box::new(IndexReader::open(path)?),
            Self::ExecutionLog => Box::new(ExecutionLogReader::open(path)?),
            Self::Memory => Box::new(MemoryReader::open(path)?),
            Self::MemoryLogs | Self::Experiments | Self::DebugMemory => {
                Box::new(FolderReader::open(path)?)
            }
            Self::CodeGraph => Box::new(CodeGraphReader::open(path)?),
        })
    }

    /// Opens one that is only looked at: see [`StillStore`](super::StillStore).
    pub(crate) fn open_still(self, path: &Path) -> Result<Box<dyn AnyReader>, StoreError> {
        Ok(match self {
            Self::Index => Box::new(IndexReader::open_still(path)?),
            Self::ExecutionLog => Box::new(ExecutionLogReader::open_still(path)?),
            Self::Memory => Box::new(MemoryReader::open_still(path)?),
            Self::MemoryLogs | Self::Experiments | Self::DebugMemory => {
                Box::new(FolderReader::open_still(path)?)
            }
            Self::CodeGraph => Box::new(CodeGraphReader::open_still(path)?),
        })
    }
}
