//! Opening a database that may be written meanwhile, without writing it: as it stands, or a copy of it.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::RemainsError;
use crate::journal::enclosure;
use crate::store::lock::beside;
use crate::store::{StillStore, StoreError, connection};
use crate::stores::StoreName;

/// What SQLite keeps of a database.
const FILES: [&str; 3] = ["", "-wal", "-journal"];
/// A database with something beside it is copied only up to here, all its files together.
const COPY_BYTES_MAX: u64 = 8 << 30;
/// Copies made of a database that others write, before giving up.
const COPIES_MAX: usize = 5;

/// How a database's files stood.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stamp {
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

    /// Bytes of all its files.
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

/// Opens a database for reading, with how the files stood that it is read from.
pub(super) fn open(path: &Path, aside: &Path) -> Result<(Connection, Stamp), RemainsError> {
    // What is no file of anybody's is told before anything is asked of SQLite.
    connection::place(path, enclosure::DatabaseUse::Read)?;
    let stamp = Stamp::of(path);
    if StillStore::is_alone(path) {
        return Ok((connection::open_still(path)?, stamp));
    }
    let copy = aside.join(StoreName::ExecutionLog.as_str());
    for _ in 0..COPIES_MAX {
        let stamp = Stamp::of(path);
        if stamp.bytes() > COPY_BYTES_MAX {
            return Err(RemainsError::TooLarge {
                path: path.to_owned(),
                bytes_max: COPY_BYTES_MAX,
            });
        }
        for suffix in FILES {
            clear(&beside(&copy, suffix))?;
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

fn clear(path: &Path) -> Result<(), StoreError> {
    match enclosure::remove(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(StoreError::io(path, "clearing a copy away", error))
        }
        _ => Ok(()),
    }
}
