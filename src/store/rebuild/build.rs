//! A store built beside the one in use.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::execution::graph as code_graph;
use crate::journal::enclosure::OpenHow;
use crate::journal::{Mark, enclosure};
use crate::store::catch_up::{CatchUpError, load};
use crate::store::{Digest, Feed, StoreError, turn};
use crate::stores::{StoreName, StorePlaces};

/// How long one rebuild waits for another.
const WAIT_MAX: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(20);

/// What is to be built.
pub(crate) struct Build<'a> {
    pub store: StoreName,
    pub places: &'a StorePlaces,
    pub feed: &'a dyn Feed,
}

/// A store that was built, and the folder that nobody else builds in meanwhile.
pub(crate) struct Built {
    pub store: StoreName,
    pub events: u64,
    pub anomalies: u64,
    /// Events that the journal lacks.
    pub lost: u64,
    pub through: Mark,
    /// Where its cursor stands: at the last commit that concerns it.
    pub at: Mark,
    path: PathBuf,
    site: Site,
}

/// The place where one store is built. One builds it at a time: two would only take each other's
/// time, and each other's files.
pub(crate) struct Site {
    store: StoreName,
    folder: PathBuf,
    _lock: File,
}

impl Site {
    /// Waits for whoever builds the store now; [`StoreError::Locked`] where that takes long.
    pub fn take(places: &StorePlaces, store: StoreName) -> Result<Self, StoreError> {
        Self::take_within(places, store, WAIT_MAX)
    }

    /// As [`Self::take`], waiting no longer than this.
    pub fn take_within(
        places: &StorePlaces,
        store: StoreName,
        wait: Duration,
    ) -> Result<Self, StoreError> {
        let folder = places.building.clone();
        let lock = lock(&folder, store, wait)?;
        Ok(Self { store, folder, _lock: lock })
    }

    /// Whether anybody has ever begun to build the store here.
    pub fn was_taken(places: &StorePlaces, store: StoreName) -> bool {
        places.building.join(lock_name(store)).exists()
    }

    pub fn store(&self) -> StoreName {
        self.store
    }

    fn clear(&self) -> Result<(), StoreError> {
        clear(&self.folder, self.store)
    }
}

impl Build<'_> {
    /// Builds from the first event through `through`: rows first, indexes and triggers after.
    pub fn run(&self, through: Mark) -> Result<Built, CatchUpError> {
        self.run_at(Site::take(self.places, self.store)?, through)
    }

    /// As [`Self::run`], where the place was taken before.
    pub fn run_at(&self, site: Site, through: Mark) -> Result<Built, CatchUpError> {
        site.clear()?;
        let path = site.folder.join(self.store.as_str());
        let mut projector = crate::stores::of_store::made(self.store, &path, self.places)?;
        let (done, at) = load(projector.as_mut(), self.store, self.places, self.feed, through)?;
        projector.finish()?;
        let (store, events, anomalies, lost) = (self.store, done.events, done.anomalies, done.lost);
        Ok(Built { store, events, anomalies, lost, through, at, path, site })
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
        self.site.clear()
    }
}

fn lock(folder: &Path, store: StoreName, wait: Duration) -> Result<File, StoreError> {
    let failed = |source| io_error(folder, "making the folder to build in", source);
    enclosure::make_folders(folder).map_err(failed)?;
    let path = folder.join(lock_name(store));
    let file = enclosure::open(&path, OpenHow::ReadWriteOrCreate)
        .map_err(|source| io_error(&path, "locking the folder to build in", source))?;
    let deadline = Instant::now() + wait;
    loop {
        turn::pass();
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => turn::wait(PAUSE),
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
    for (name, _) in enclosure::names(folder).map_err(failed)? {
        let is_its = name.as_encoded_bytes().starts_with(store.as_str().as_bytes());
        if is_its && name != *lock_name(store) {
            match enclosure::remove_whole(&folder.join(name)) {
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
