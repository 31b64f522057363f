//! Replacing a store by one built beside it (R12).

use std::path::{Path, PathBuf};

use rusqlite::OpenFlags;

use super::dir::if_there;
use super::lock::{StoreLock, beside};
use super::quarantine::{Keep, quarantine};
use super::{StoreError, connection, stamp, turn};
use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;

/// The exclusive right to replace one store. Nobody has it open through us while this lives.
#[derive(Debug)]
pub struct Swap {
    store: PathBuf,
    quarantine: PathBuf,
    _lock: StoreLock,
}

enum Old {
    None,
    /// Its `-wal` is in it and nobody is connected.
    Settled,
    Unreadable,
    /// Something else has its name.
    InTheWay,
}

impl Swap {
    /// Waits for every connection of ours to go; [`StoreError::Locked`] if one stays.
    pub fn begin(store: &Path, quarantine: &Path) -> Result<Self, StoreError> {
        let lock = StoreLock::exclusive(store)?;
        Ok(Self { store: store.to_owned(), quarantine: quarantine.to_owned(), _lock: lock })
    }

    /// Puts `new` in the store's place and makes that durable. Answers where the old one went, if
    /// it was kept: asked for with `keep`, or because it could not be read.
    ///
    /// A `-wal` that a dead writer left would be replayed into the new file and destroy it: it is
    /// either settled into the old one, or moved to quarantine, before the rename.
    pub fn finish(self, new: &Path, keep: Keep) -> Result<Option<PathBuf>, StoreError> {
        if enclosure::is_folder(new) {
            return self.finish_folder(new, keep);
        }
        let old = self.settle_old(keep)?;
        let synced = enclosure::open(new, OpenHow::Read).and_then(|file| file.sync_all());
        synced.map_err(|source| StoreError::io(new, SYNCING, source))?;
        let kept = match old {
            Old::Unreadable | Old::Settled if keep != Keep::Nothing => self.aside(keep)?,
            Old::Unreadable => self.aside(Keep::Replaced)?,
            Old::InTheWay => self.aside(Keep::Evidence)?,
            Old::Settled | Old::None => None,
        };
        turn::pass();
        enclosure::rename(new, &self.store)
            .map_err(|source| StoreError::io(&self.store, "putting the new store", source))?;
        stamp::begin(&self.store);
        sync(folder(&self.store))?;
        Ok(kept)
    }

    /// The same for a folder: nobody has it open without the lock that this holds. What lies in its
    /// place is moved aside by its name alone, whatever it is.
    fn finish_folder(self, new: &Path, keep: Keep) -> Result<Option<PathBuf>, StoreError> {
        let failed = |source| StoreError::io(&self.store, "putting the new store", source);
        sync(new)?;
        let aside = beside(new, ".old");
        let (kept, is_aside) = match keep {
            Keep::Replaced | Keep::Evidence => (self.aside(keep)?, false),
            Keep::Nothing => {
                let moved = if_there(enclosure::rename(&self.store, &aside)).map_err(failed)?;
                (None, moved.is_some())
            }
        };
        enclosure::rename(new, &self.store).map_err(failed)?;
        sync(folder(&self.store))?;
        if is_aside {
            enclosure::remove_whole(&aside).map_err(failed)?;
        }
        Ok(kept)
    }

    /// Takes the store away where no other comes in its place. Answers where it went.
    pub fn take_away(self, keep: Keep) -> Result<Option<PathBuf>, StoreError> {
        let keep = match enclosure::is_folder(&self.store) {
            true => keep,
            false => match self.settle_old(keep)? {
                Old::InTheWay => Keep::Evidence,
                _ => keep,
            },
        };
        let kept = self.aside(keep)?;
        sync(folder(&self.store))?;
        Ok(kept)
    }

    fn aside(&self, keep: Keep) -> Result<Option<PathBuf>, StoreError> {
        quarantine(&self.store, &self.quarantine, keep)
    }

    fn settle_old(&self, keep: Keep) -> Result<Old, StoreError> {
        let old = match self.leave_wal() {
            Ok(()) => Old::Settled,
            Err(StoreError::Missing { .. }) => Old::None,
            Err(StoreError::Unreadable { .. }) => Old::Unreadable,
            // Whoever asks for another store asks for this: what has its name is kept, unopened.
            Err(error) if error.is_in_the_way() => Old::InTheWay,
            Err(error) => return Err(error),
        };
        for suffix in ["-wal", "-shm", "-journal"] {
            quarantine(&beside(&self.store, suffix), &self.quarantine, keep)?;
        }
        Ok(old)
    }

    /// Fails while anyone is connected, also those who know nothing of our lock.
    fn leave_wal(&self) -> Result<(), StoreError> {
        let failed = |source| StoreError::sql(&self.store, "closing the old store", source);
        let conn = connection::open(&self.store, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        conn.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(())).map_err(failed)?;
        let mode: String =
            conn.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0)).map_err(failed)?;
        // A reader that is connected but idle is seen here and nowhere else.
        conn.execute_batch("BEGIN EXCLUSIVE; COMMIT").map_err(failed)?;
        conn.close().map_err(|(_, source)| failed(source))?;
        if mode != "delete" {
            let doing = "closing the old store";
            return Err(StoreError::Locked { path: self.store.clone(), doing });
        }
        Ok(())
    }
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

const SYNCING: &str = "making the new store durable";

fn sync(path: &Path) -> Result<(), StoreError> {
    let synced = enclosure::folder(path).and_then(|folder| folder.sync_all());
    synced.map_err(|source| StoreError::io(path, SYNCING, source))
}
