//! A store found in somebody's copy, read without changing a byte of it or beside it.

use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::dir::if_there;
use super::folder::FolderReader;
use super::held::HeldReader;
use super::lock::{StoreLock, beside};
use super::{Cursor, Digest, Rows, StoreError, StoreName, connection, stamp};
use crate::journal::enclosure;
use crate::journal::enclosure::{DatabaseUse, OpenHow};

/// Tries to read a store at one moment that others write to.
const TRIES_MAX: usize = 16;
/// What SQLite reads beside a store: commits that are not in it yet, or what a transaction that never
/// ended wrote over.
const BESIDE: [&str; 2] = ["-wal", "-journal"];
/// What ends a rollback journal that names another file: SQLite would delete that one in the end.
const NAMES_ANOTHER: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StillStore {
    pub cursor: Option<Cursor>,
    /// The rows that the tables really have.
    pub found: Rows,
    pub digest: Digest,
    /// Rows are found by what SQLite finds them by: its own check says so.
    pub is_whole: bool,
}

impl StillStore {
    /// Reads the store at `path`. Where a `-wal` or a rollback journal lies beside it, that and the
    /// store are copied into `aside` first, a folder of the caller's own: opening them where they
    /// lie would change them.
    pub fn read(store: StoreName, path: &Path, aside: &Path) -> Result<Self, StoreError> {
        if store.is_folder() {
            // Nothing of it is followed, waited for or changed: it can be read where it lies.
            let (cursor, digest) = store.open_still(path)?.digest()?;
            return Ok(Self { cursor, found: Rows::default(), digest, is_whole: true });
        }
        let reader = Self::open_aside(store, path, aside)?;
        let (cursor, digest) = reader.digest()?;
        Ok(Self { cursor, found: reader.stand()?.1, digest, is_whole: reader.is_whole()? })
    }

    pub(crate) fn open_aside(
        store: StoreName,
        path: &Path,
        aside: &Path,
    ) -> Result<Box<dyn AnyReader>, StoreError> {
        must_be_a_file(path)?;
        if Self::is_alone(path) {
            return store.open_still(path);
        }
        let copy = aside.join(store.as_str());
        Self::copy(path, &copy)?;
        store.open(&copy)
    }

    /// As [`Self::read`], of a store that others may be writing to. One that a dead writer left something
    /// beside, and that nobody has open, is read as there; any other is opened as by who asks it, which
    /// leaves it as it was.
    pub fn read_in_use(store: StoreName, path: &Path, aside: &Path) -> Result<Self, StoreError> {
        if !store.is_folder() {
            must_be_a_file(path)?;
            let is_left = |suffix| enclosure::look(&beside(path, suffix)).is_ok();
            if ["-wal", "-shm", "-journal"].into_iter().any(is_left)
                && !store.is_shared()
                && let Some(_nobody) = StoreLock::exclusive_now(path)?
            {
                return Self::read(store, path, aside);
            }
        }
        if store.is_shared() && Self::is_alone(path) {
            // Opening a graph in WAL mode makes files beside it, which nobody of ours may take away.
            let stood = enclosure::look(path).ok(); // then it cannot be read either
            let read = Self::read(store, path, aside);
            if Self::is_alone(path) && enclosure::look(path).ok() == stood {
                return read;
            }
        }
        let reader = store.open(path)?;
        for _ in 0..TRIES_MAX {
            let (stood, found) = reader.stand()?;
            let (cursor, digest) = reader.digest()?;
            // Else somebody went on in between.
            if stood == cursor {
                return Ok(Self { cursor, found, digest, is_whole: reader.is_whole()? });
            }
        }
        Err(StoreError::Locked { path: path.to_owned(), doing: "writing it all the time" })
    }

    /// Whether nothing lies beside a file that SQLite would read with it.
    pub(crate) fn is_alone(path: &Path) -> bool {
        lies_beside(path).next().is_none()
    }

    /// Copies a store and what SQLite reads beside it: the copy is the caller's own, and can be
    /// written.
    pub fn copy(path: &Path, to: &Path) -> Result<(), StoreError> {
        must_be_a_file(path)?;
        for suffix in lies_beside(path).chain([""]) {
            let (from, to) = (beside(path, suffix), beside(to, suffix));
            copied(&from, &to)
                .map_err(|source| StoreError::io(&from, "copying the store aside", source))?;
            if suffix == "-journal" {
                let doing = "checking that it names no other file";
                must_stand_alone(&to).map_err(|source| StoreError::io(&from, doing, source))?;
            }
        }
        Ok(())
    }
}

/// A FIFO under a store's name, or beside it, would make its reader wait for ever.
fn must_be_a_file(path: &Path) -> Result<(), StoreError> {
    super::connection::place(path, DatabaseUse::Read).map(drop)
}

/// Copies a file over what a copy of it left.
fn copied(from: &Path, to: &Path) -> io::Result<()> {
    let mut from = enclosure::open(from, OpenHow::Read)?;
    if_there(enclosure::remove(to))?;
    io::copy(&mut from, &mut enclosure::open(to, OpenHow::CreateNew)?).map(drop)
}

/// What ends the names of the files beside a store that hold something SQLite reads.
fn lies_beside(path: &Path) -> impl Iterator<Item = &'static str> {
    let holds = |look: enclosure::Look| look.is_file() && look.bytes > 0;
    BESIDE.into_iter().filter(move |suffix| enclosure::look(&beside(path, suffix)).is_ok_and(holds))
}

/// A rollback journal that somebody else made must not reach out of the folder it is read in.
fn must_stand_alone(journal: &Path) -> io::Result<()> {
    let file = enclosure::open(journal, OpenHow::Read)?;
    let Some(at) = file.metadata()?.len().checked_sub(NAMES_ANOTHER.len() as u64) else {
        return Ok(());
    };
    let mut end = [0; NAMES_ANOTHER.len()];
    file.read_exact_at(&mut end, at)?;
    match end == NAMES_ANOTHER {
        true => Err(io::Error::other("its rollback journal names another file")),
        false => Ok(()),
    }
}

pub trait AnyReader: Send {
    fn cursor(&self) -> Result<Option<Cursor>, StoreError>;
    /// How far it says it is and the last rows that its tables really have, of one moment.
    fn stand(&self) -> Result<(Option<Cursor>, Rows), StoreError>;
    fn digest(&self) -> Result<(Option<Cursor>, Digest), StoreError>;
    /// Whether it passes SQLite's own check of its pages and indexes: a digest reads rows one after the other.
    /// A folder has neither, and the graph is its maker's to check.
    fn is_whole(&self) -> Result<bool, StoreError> {
        Ok(true)
    }
    /// Keeps few pages in memory, for who reads it through.
    fn keep_little(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

/// What a reader has under these names.
macro_rules! any_reader {
    ($($reader:ident $(: $check:path)?),*) => {$(
        impl $crate::store::AnyReader for $reader {
            fn cursor(&self) -> $crate::store::Result<Option<$crate::store::Cursor>> {
                self.cursor()
            }

            fn stand(&self) -> $crate::store::Result<(Option<$crate::store::Cursor>, $crate::store::Rows)> {
                let _moment = self.moment()?;
                Ok((self.cursor()?, self.found_rows()?))
            }

            fn digest(&self) -> $crate::store::Result<(Option<$crate::store::Cursor>, $crate::store::Digest)> {
                self.digest()
            }

            $(fn is_whole(&self) -> $crate::store::Result<bool> {
                Ok($check(&*self.moment()?))
            }

            fn keep_little(&self) -> $crate::store::Result<()> {
                $crate::store::connection::keep_little(&*self.moment()?);
                Ok(())
            })?
        }
    )*};
}

pub(crate) use any_reader;

any_reader!(HeldReader: connection::is_whole, FolderReader);

/// Of a larger store no copy is made.
const COPY_BYTES_MAX: u64 = 64 << 20;

/// Where a store is looked at that something lies beside: what is in its `-wal` it has read as well.
#[derive(Clone, Copy, Debug)]
pub enum Beside<'a> {
    /// It is left out: the store has read as far at least as its file says.
    LeftOut,
    /// It is read where somebody has the store open.
    InUse,
    /// A copy is made in this folder of the caller's own, of one that is not too large for that.
    Copied(&'a Path),
}

impl StillStore {
    /// A store's cursor; `None` where it does not say how far it has read, or its rows are not those that
    /// the cursor vouches for.
    pub fn stand(
        store: StoreName,
        path: &Path,
        what: Beside<'_>,
    ) -> Result<Option<Cursor>, StoreError> {
        let (cursor, rows) = Self::open_to_stand(store, path, what)?.stand()?;
        Ok(cursor.filter(|cursor| cursor.rows == rows))
    }

    fn open_to_stand(
        store: StoreName,
        path: &Path,
        what: Beside<'_>,
    ) -> Result<Box<dyn AnyReader>, StoreError> {
        match what {
            _ if store.is_folder() || Self::is_alone(path) => {}
            Beside::LeftOut => {}
            Beside::InUse if StoreLock::exclusive_now(path)?.is_none() => return store.open(path),
            Beside::InUse => {}
            Beside::Copied(aside) if stamp::bytes(path) <= COPY_BYTES_MAX => {
                return Self::open_aside(store, path, aside);
            }
            Beside::Copied(_) => {}
        }
        store.open_still(path)
    }
}
