//! What a question is answered from, for every surface: a project's own stores, or fresh ones in the
//! cache where one of its own says something that the journal does not. That one is kept as evidence,
//! and nothing is answered from it.

mod hook_stores;

use std::ops::Deref;

use crate::execution::query::Stores;
use crate::journal::Project;
use crate::store::catch_up::{CatchUpReport, RebuildReason, catch_up};
use crate::store::doubt::settle_project;
use crate::store::evidence::{BuiltStores, Cache, EvidenceError, growing_stores};
use crate::store::{JournalFeed, StoreList, StoreName, StorePlaces};

pub use hook_stores::StandingStores;

#[derive(Debug)]
pub struct AskedStores {
    stores: Stores,
    places: StorePlaces,
    contradicts: Option<Contradiction>,
    /// Keeps them from being cleared away; after the stores, which are closed first.
    built: Option<BuiltStores>,
}

/// The first store that says something that its journal does not, and what that is.
pub type Contradiction = (StoreName, RebuildReason);

impl AskedStores {
    /// A project's stores, caught up as far as that goes.
    pub fn of(project: &Project, cache: &Cache) -> Result<Self, EvidenceError> {
        settle_project(project, cache);
        let feed = JournalFeed::asked(project)?;
        Self::after(project, &catch_up(&StorePlaces::of(project), &feed), cache)
    }

    /// The same, just caught up.
    pub fn after(
        project: &Project,
        report: &CatchUpReport,
        cache: &Cache,
    ) -> Result<Self, EvidenceError> {
        Self::open(project, report.contradicts(), cache)
    }

    /// The same, of which it is known whether one contradicts its journal.
    pub fn open(
        project: &Project,
        contradicts: Option<Contradiction>,
        cache: &Cache,
    ) -> Result<Self, EvidenceError> {
        let built = match contradicts {
            Some(_) => {
                let journal = project.journal_dir();
                let list = StoreList::of(project.around());
                Some(growing_stores(list, &journal, cache)?)
            }
            None => None,
        };
        let own = || StorePlaces::of(project);
        let places = built.as_ref().map_or_else(own, |built| built.places.clone());
        Ok(Self { stores: Stores::open(&places)?, places, contradicts, built })
    }

    /// Why they are not the project's own, where they are not.
    pub fn contradicts(&self) -> Option<Contradiction> {
        self.contradicts
    }

    pub fn places(&self) -> &StorePlaces {
        &self.places
    }

    /// Its parts; who drops the last one before the stores may have them cleared away.
    pub fn into_parts(self) -> (Stores, StorePlaces, Option<BuiltStores>) {
        (self.stores, self.places, self.built)
    }
}

impl Deref for AskedStores {
    type Target = Stores;

    fn deref(&self) -> &Stores {
        &self.stores
    }
}

#[cfg(test)]
pub(crate) mod tests;
