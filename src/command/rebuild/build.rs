//! A store built beside the one in use.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::command::catch_up::{CatchUpError, load};
use crate::command::feed::Feed;
use crate::journal::Mark;
use crate::projector;
use crate::store::code_graph;
use crate::store::{Digest, StoreError, StoreName, StorePlaces};

/// How long one rebuild waits for another.
const WAIT_MAX: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(20);

/// What is to be built.
pub(in crate::command) struct Build<'a> {
    pub store: StoreName,
    pub places: &'a StorePlaces,
    pub feed: &'a dyn Feed,
}

/// A store that was built, and the folder that nobody else builds in meanwhile.
pub(in crate::command) struct Built {
    pub store: StoreName,
    pub events: u64,
    pub anomalies: u64,
    pub through: Mark,
    /// Where its cursor stands: at the last commit that concerns it.
    pub at: Mark,
    folder: PathBuf,
    path: PathBuf,
    _lock: File,
}

impl Build<'_> {
    /// Builds from the first event through `through`: rows first, indexes and triggers after.
    pub fn run(&self, through: Mark) -> Result<Built, CatchUpError> {
        let folder = self.places.building.clone();
        let lock = lock(&folder, self.store)?;
        clear(&folder, self.store)?;
        let path = folder.join(self.store.as_str());
        let mut projector = projector::made(self.store, &path, self.places)?;
        let (done, at) = load(projector.as_mut(), self.store, self.places, self.feed, through)?;
        projector.finish()?;
        let (events, anomalies) = (done.events, done.anomalies);
        Ok(Built { store: self.store, events, anomalies, through, at, folder, path, _lock: lock })
    }
}

impl Built {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The digest of what was built.
    pub fn digest(&self) -> Result<Digest, StoreError> {
        let (_, digest) = self.store.open(&self.path)?.digest()?;
        Ok(digest)
    }

    /// The project's places, with this store where it was built.
    pub fn places(&self, places: &StorePlaces) -> StorePlaces {
        places.with(self.store, &self.path)
    }

    /// Puts a graph where none was; `false` where somebody else has put one meanwhile.
    pub fn publish(self, path: &Path) -> Result<bool, StoreError> {
        code_graph::publish(&self.path, path)
    }

    /// Leaves nothing of the building behind.
    pub fn discard(self) -> Result<(), StoreError> {
        clear(&self.folder, self.store)
    }
}

/// One builds a store at a time: two would only take each other's time, and each other's files.
fn lock(folder: &Path, store: StoreName) -> Result<File, StoreError> {
    let failed = |source| io_error(folder, "making the folder to build in", source);
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
    let path = folder.join(lock_name(store));
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(&path)
        .map_err(|source| io_error(&path, "locking the folder to build in", source))?;
    let deadline = Instant::now() + WAIT_MAX;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {
                let doing = "building a store";
                return Err(StoreError::Locked { path, doing });
            }
            Err(TryLockError::Error(source)) => {
                return Err(io_error(&path, "locking the folder to build in", source));
            }
        }
    }
}

fn lock_name(store: StoreName) -> String {
    format!("{store}.building")
}

/// Removes what this or a dead builder of the store left.
fn clear(folder: &Path, store: StoreName) -> Result<(), StoreError> {
    let failed = |source| io_error(folder, "clearing the folder to build in", source);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let is_its = name.as_encoded_bytes().starts_with(store.as_str().as_bytes());
        if is_its && name != *lock_name(store) {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let removed = match is_folder {
                true => fs::remove_dir_all(entry.path()),
                false => fs::remove_file(entry.path()),
            };
            match removed {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
                _ => {}
            }
        }
    }
    Ok(())
}

fn io_error(path: &Path, doing: &'static str, source: io::Error) -> StoreError {
    StoreError::Io { path: path.to_owned(), doing, source }
}
