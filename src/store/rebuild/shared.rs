//! Building what is ours anew in a store that is another program's as well: in its place, since the file is
//! not ours (R12).

use super::old::Old;
use super::{Rebuild, RebuildMode, Site, StoreRebuild, WAIT_MAX};
use crate::journal::enclosure;
use crate::store::catch_up::{CatchUpError, CaughtUp, Feeding};
use crate::store::shared::Shared;
use crate::store::{Keep, StoreName};

impl Rebuild<'_> {
    /// Builds our rows anew, or compares them; `None` where there is no such store and nothing that one would
    /// hold.
    pub(super) fn shared(
        &self,
        store: StoreName,
        shared: &dyn Shared,
    ) -> Result<Option<StoreRebuild>, CatchUpError> {
        let places = self.from.places;
        let is_filled = || Ok::<_, CatchUpError>(places.has(store)? && !places.is_empty(store));
        let mut is_there = is_filled()?;
        if !is_there && self.mode == RebuildMode::Check {
            // One that nobody has begun to make is behind, not gone; one that is being made is waited for.
            if !Site::was_taken(places, store) {
                return Ok(None);
            }
            drop(self.from.site(store, WAIT_MAX)?);
            is_there = is_filled()?;
        }
        let old = match is_there {
            // One that cannot be read is nobody's to replace.
            true => {
                let stood = enclosure::look(places.path(store)).ok(); // then it cannot be read either
                let reader = store.open(places.path(store))?;
                let old = Old::of(reader.cursor()?, self.from.feed)?;
                Old { reader: Some(reader), stood, ..old }
            }
            false if self.mode == RebuildMode::Replace && !places.has(store)? => {
                return self.from.shared_made(store, shared);
            }
            false => {
                // Whether it is wanted the index says.
                self.from.leave(store)?;
                if !shared.is_wanted(places)? {
                    return Ok(None);
                }
                Old::unread("there was no graph".to_owned(), Keep::Nothing)
            }
        };
        let later = self.further(store, old.mark())?;
        let from = self.from.later(later.as_deref().unwrap_or(self.from.feed));
        let done = match self.mode {
            RebuildMode::Check => from.shared_beside(store, old)?,
            RebuildMode::Replace => {
                StoreRebuild { replaced: true, ..from.shared_replaced(store, shared, old)? }
            }
        };
        Ok(Some(done))
    }
}

impl Feeding<'_> {
    /// Holds it against one built beside it.
    fn shared_beside(&self, store: StoreName, old: Old) -> Result<StoreRebuild, CatchUpError> {
        let mut old = old;
        let through = old.mark().unwrap_or_else(|| self.feed.through());
        // Of its indexes, which are not ours alone, nothing is said.
        let built = old.beside(store, RebuildMode::Replace, || self.build(store, through))?;
        let after = old.digest_of(self.places.path(store), &built)?.0;
        let done = old.report(store, &built.done, after, through);
        built.discard()?;
        Ok(done)
    }

    /// What differs is replaced; of what does not, nothing is written.
    fn shared_replaced(
        &self,
        store: StoreName,
        shared: &dyn Shared,
        old: Old,
    ) -> Result<StoreRebuild, CatchUpError> {
        let (path, mut old) = (self.places.path(store), old);
        let done = if old.mark() == Some(self.feed.through()) {
            let done = self.shared_beside(store, old)?;
            self.behind_index(store)?;
            if done.same == Some(true) && shared.is_settled(path, false)? {
                return Ok(done);
            }
            self.shared_anew(store, shared)?;
            done
        } else {
            self.leave(store)?;
            old.beside(store, RebuildMode::Replace, || Ok(()))?;
            let made = self.shared_anew(store, shared)?;
            let (_, after) = store.open(path)?.digest()?;
            old.report(store, &made, after, self.feed.through())
        };
        self.shared_read_on(store)?;
        Ok(done)
    }

    /// Makes one where there is none, beside the index, which says at last whether it is wanted.
    fn shared_made(
        &self,
        store: StoreName,
        shared: &dyn Shared,
    ) -> Result<Option<StoreRebuild>, CatchUpError> {
        let (path, through) = (self.places.path(store), self.feed.through());
        let built = self.build_at(self.site(store, WAIT_MAX)?, through)?;
        // While the index is being finished: there is nothing else to do then.
        let after = built.digest()?;
        self.behind_index(store)?;
        if !shared.is_wanted(self.places)? {
            built.discard()?;
            return Ok(None);
        }
        let (made, after) = match self.publish_shared(shared, built)? {
            Some(made) => (made, after),
            None => (self.shared_anew(store, shared)?, store.open(path)?.digest()?.1),
        };
        self.shared_read_on(store)?;
        let old = Old::unread("there was no graph".to_owned(), Keep::Nothing);
        let done = old.report(store, &made, after, through);
        Ok(Some(StoreRebuild { replaced: true, ..done }))
    }

    /// Reads what came meanwhile.
    fn shared_read_on(&self, store: StoreName) -> Result<(), CatchUpError> {
        let later = self.feed.reopened()?;
        if later.through() != self.feed.through() {
            let later = self.later(later.as_ref());
            later.index()?;
            later.store(store)?;
        }
        Ok(())
    }

    /// Makes our rows anew, once nobody else of ours writes them.
    fn shared_anew(&self, store: StoreName, shared: &dyn Shared) -> Result<CaughtUp, CatchUpError> {
        let _turn = self.site(store, WAIT_MAX)?;
        self.shared_in_place(store, shared)
    }
}
