//! A store built beside the one in use.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::{RebuildMode, StoreRebuild};
use crate::event::Sequence;
use crate::journal::enclosure::OpenHow;
use crate::journal::{Mark, enclosure};
use crate::store::catch_up::{CatchUpError, CaughtUp, Feeding, RebuildReason, Standing, standing};
use crate::store::dir::if_there;
use crate::store::lock::lock_within;
use crate::store::{
    AnyReader, Cursor, Digest, Feed, Keep, Projector, StoreError, StoreName, StorePlaces,
};

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
    pub fn build(&self, store: StoreName, through: Mark) -> Result<Built, CatchUpError> {
        self.build_at(self.site(store, WAIT_MAX)?, through)
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
        let store = site.store;
        let built = Built::by(site, self.places, |projector| self.load(projector, store, through))?;
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
        let mut projector = site.store.new_fold(&path, places)?;
        let (done, at) = load(projector.as_mut())?;
        let written = projector.finish()?;
        Ok(Self { done, through: at, at, path, site, written })
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

/// The store as it was before. One that cannot be read has neither cursor nor digest.
pub(super) struct Old {
    pub reader: Option<Box<dyn AnyReader>>,
    /// Only of one that is of this journal's making.
    pub cursor: Option<Cursor>,
    pub digest: Option<Digest>,
    pub problem: Option<String>,
    /// How it is kept, whatever it says.
    pub keep: Keep,
}

impl Old {
    /// What a cursor says of its store. Its rows are the digest's matter.
    pub fn of(cursor: Option<Cursor>, feed: &dyn Feed) -> Result<Self, CatchUpError> {
        let rows = cursor.map(|cursor| cursor.rows).unwrap_or_default();
        let (cursor, problem, keep) = match standing(cursor, rows, feed)? {
            Standing::Wrong(reason) => (None, Some(reason.to_string()), reason.keep()),
            Standing::Current | Standing::Behind(_) => (cursor, None, Keep::Nothing),
        };
        Ok(Self { reader: None, cursor, digest: None, problem, keep })
    }

    /// One of which nothing is known but what is wrong with it.
    pub fn unread(problem: String, keep: Keep) -> Self {
        Self { reader: None, cursor: None, digest: None, problem: Some(problem), keep }
    }

    /// Opens the old store and judges its cursor.
    pub fn open(store: StoreName, from: Feeding<'_>) -> Result<Self, CatchUpError> {
        let path = from.places.path(store);
        let read = store.open(path).and_then(|reader| Ok((reader.cursor()?, reader)));
        match read {
            Ok((cursor, reader)) => {
                Ok(Self { reader: Some(reader), ..Self::of(cursor, from.feed)? })
            }
            Err(error) if error.wants_rebuild() || error.is_in_the_way() => {
                let keep = match error {
                    StoreError::FilesDiffer { .. } => Keep::Evidence,
                    StoreError::SchemaDiffers { .. } => RebuildReason::SchemaDiffers.keep_of(path),
                    _ => Keep::Replaced,
                };
                Ok(Self::unread(error.to_string(), keep))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Digests it while another is built: each has its own file and core.
    pub fn beside<T>(
        &mut self,
        store: StoreName,
        mode: RebuildMode,
        build: impl FnOnce() -> Result<T, CatchUpError>,
    ) -> Result<T, CatchUpError> {
        let reader = self.reader.take();
        let read = move || reader.map_or(Ok(None), |reader| content(reader.as_ref(), mode));
        let (built, before) = thread::scope(|scope| {
            let before = scope.spawn(read);
            (build(), before.join())
        });
        let built = built?;
        self.take_digest(before.map_err(|_| CatchUpError::Panicked { store })??);
        Ok(built)
    }

    /// Takes what was read of it meanwhile: if it went on since it was opened, it is no longer
    /// comparable.
    fn take_digest(&mut self, read: Option<(Option<Cursor>, Digest, bool)>) {
        let Some((cursor, digest, is_whole)) = read else { return };
        self.digest = Some(digest);
        if !is_whole && self.problem.is_none() {
            self.problem = Some("its indexes are damaged".to_owned());
            self.keep = Keep::Replaced;
        }
        if cursor != self.cursor {
            self.cursor = None;
        }
    }

    pub fn mark(&self) -> Option<Mark> {
        let position = self.cursor?.position;
        Some(Mark { sequence: Sequence(position.sequence), chain: position.chain })
    }

    /// What became of it: another was built that has read up to `at`.
    pub fn report(
        self,
        store: StoreName,
        built: &CaughtUp,
        after: Digest,
        at: Mark,
    ) -> StoreRebuild {
        let comparable = self.digest.filter(|_| self.mark() == Some(at));
        StoreRebuild {
            store,
            events: built.events,
            anomalies: built.anomalies,
            before: self.digest,
            same: comparable.map(|digest| digest == after),
            problem: self.problem,
            after,
            replaced: false,
            quarantined: None,
        }
    }
}

/// A store's content, as of one moment, and whether its indexes hold; `None` where it is too damaged to be
/// read through. Of one that is replaced by what the journal says nobody asks for its indexes.
fn content(
    reader: &dyn AnyReader,
    mode: RebuildMode,
) -> Result<Option<(Option<Cursor>, Digest, bool)>, StoreError> {
    if mode == RebuildMode::Replace {
        // Read once from its first page to its last.
        reader.keep_little()?;
    }
    match reader.digest() {
        Ok((cursor, digest)) => {
            let is_whole = mode == RebuildMode::Replace || reader.is_whole()?;
            Ok(Some((cursor, digest, is_whole)))
        }
        Err(error) if error.wants_rebuild() => Ok(None),
        Err(error) => Err(error),
    }
}
