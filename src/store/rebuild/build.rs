//! A store built beside the one in use.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::journal::enclosure::OpenHow;
use crate::journal::{Mark, enclosure};
use crate::store::catch_up::{CatchUpError, CaughtUp, Feeding};
use crate::store::dir::if_there;
use crate::store::lock::lock_within;
use crate::store::{Digest, Projector, StoreError, StoreName, StorePlaces};

/// How long one rebuild waits for another.
pub const WAIT_MAX: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(20);

pub struct Built {
    pub done: CaughtUp,
    pub through: Mark,
    /// Where its cursor stands: at the last commit that concerns it.
    pub at: Mark,
    path: PathBuf,
    site: Site,
    /// What is in it, where it need not be read for that.
    written: Option<Digest>,
}

/// The place where one store is built. One builds it at a time: two would only take each other's
/// time, and each other's files.
pub struct Site {
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
        let failed = |source| StoreError::io(&folder, "making the folder to build in", source);
        enclosure::make_folders(&folder).map_err(failed)?;
        let path = folder.join(lock_name(store));
        let failed = |source| StoreError::io(&path, "locking the folder to build in", source);
        let file = enclosure::open(&path, OpenHow::ReadWriteOrCreate).map_err(failed)?;
        match lock_within(&file, wait, PAUSE).map_err(failed)? {
            true => Ok(Self { store, folder, _lock: file }),
            false => Err(StoreError::Locked { path, doing: "building a store" }),
        }
    }

    /// Removes what dead builders of a store left.
    pub fn clear_left(places: &StorePlaces, store: StoreName) -> Result<(), StoreError> {
        Self::take(places, store)?.clear()
    }

    pub fn was_taken(places: &StorePlaces, store: StoreName) -> bool {
        places.building.join(lock_name(store)).exists()
    }

    /// Removes what this or a dead builder of the store left.
    fn clear(&self) -> Result<(), StoreError> {
        let Self { folder, store, .. } = self;
        let failed = |source| StoreError::io(folder, "clearing the folder to build in", source);
        for (name, _) in enclosure::names(folder).map_err(failed)? {
            let is_its = name.as_encoded_bytes().starts_with(store.as_str().as_bytes());
            if is_its && name != *lock_name(*store) {
                if_there(enclosure::remove_whole(&folder.join(name))).map_err(failed)?;
            }
        }
        Ok(())
    }
}

fn lock_name(store: StoreName) -> String {
    format!("{store}.building")
}

impl Feeding<'_> {
    /// Builds a store from the first event through `through`: rows first, indexes and triggers after.
    /// Who asks for its digest afterwards has it sooner so than by [`Self::build_at`].
    pub fn build(&self, store: StoreName, through: Mark) -> Result<Built, CatchUpError> {
        self.loaded(self.site(store, WAIT_MAX)?, through, true)
    }

    /// The place to build a store in. Who has to wait for another builder reads for itself from then on: what is
    /// read for several is read with the index open, which that builder may have to have alone.
    pub fn site(&self, store: StoreName, wait: Duration) -> Result<Site, CatchUpError> {
        match Site::take_within(self.places, store, Duration::ZERO) {
            Err(error) if error.is_locked() => {
                self.leave(store)?;
                Ok(Site::take_within(self.places, store, wait)?)
            }
            site => Ok(site?),
        }
    }

    pub fn build_at(&self, site: Site, through: Mark) -> Result<Built, CatchUpError> {
        self.loaded(site, through, false)
    }

    fn loaded(&self, site: Site, through: Mark, is_digested: bool) -> Result<Built, CatchUpError> {
        let store = site.store;
        let built = Built::by(site, self.places, |projector| {
            if is_digested {
                projector.expect_digest();
            }
            self.load(projector, store, through)
        })?;
        Ok(Built { through, ..built })
    }
}

impl Built {
    /// What `load` puts into a new store; it answers where its cursor stands.
    pub fn by(
        site: Site,
        places: &StorePlaces,
        load: impl FnOnce(&mut dyn Projector) -> Result<(CaughtUp, Mark), CatchUpError>,
    ) -> Result<Self, CatchUpError> {
        site.clear()?;
        let path = site.folder.join(site.store.as_str());
        let made = || {
            let mut projector = site.store.new_fold(&path, places)?;
            let (done, at) = load(projector.as_mut())?;
            Ok((done, at, projector.finish()?))
        };
        match made() {
            Ok((done, at, written)) => Ok(Self { done, through: at, at, path, site, written }),
            Err(error) => {
                // On a disk that is full by it nothing else would work. What stays the next builder removes.
                drop(site.clear());
                Err(error)
            }
        }
    }

    pub fn store(&self) -> StoreName {
        self.site.store
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn digest(&self) -> Result<Digest, StoreError> {
        match self.written {
            Some(written) => Ok(written),
            None => Ok(self.store().open(&self.path)?.digest()?.1),
        }
    }

    pub fn discard(self) -> Result<(), StoreError> {
        self.site.clear()
    }
}
