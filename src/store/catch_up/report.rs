//! What catching up did, store by store.

use super::{CatchUpError, CaughtUp, RebuildReason};
use crate::event::Sequence;
use crate::stores::StoreName;

/// What catching up did.
#[derive(Debug)]
pub struct CatchUpReport {
    /// The last event that stores may have.
    pub through: Sequence,
    pub stores: Vec<StoreReport>,
    /// The last event of repositories' memory; `None` where there is none, or the index does not say.
    pub last_of_repos: Option<Sequence>,
}

/// What catching up did to one store.
#[derive(Debug)]
pub struct StoreReport {
    pub store: StoreName,
    /// The error is why it lags.
    pub outcome: Result<CaughtUp, CatchUpError>,
}

impl StoreReport {
    pub(super) fn new(store: StoreName, outcome: Result<CaughtUp, CatchUpError>) -> Self {
        Self { store, outcome }
    }
}

impl CatchUpReport {
    /// Whether every store has every event. Where the index has not, the others were not tried.
    pub fn is_current(&self) -> bool {
        self.stores.iter().all(|store| store.outcome.is_ok())
    }

    /// Whether events of repositories' memory are among those that the index read now.
    pub fn has_news_of_repos(&self) -> bool {
        let index = self.stores.iter().find(|store| store.store == StoreName::Index);
        let read = index.and_then(|index| index.outcome.as_ref().ok()).map_or(0, |it| it.events);
        self.last_of_repos.is_some_and(|last| last.0 > self.through.0.saturating_sub(read))
    }

    /// The first reason why a store lags.
    pub fn lag(&self) -> Option<(StoreName, &CatchUpError)> {
        self.stores
            .iter()
            .find_map(|store| store.outcome.as_ref().err().map(|error| (store.store, error)))
    }

    /// The first store that says something that the journal does not, and what is wrong with it.
    pub fn contradicts(&self) -> Option<(StoreName, RebuildReason)> {
        let evidence = |store: &StoreReport| {
            let reason = store.outcome.as_ref().err().and_then(CatchUpError::evidence)?;
            Some((store.store, reason))
        };
        self.stores.iter().find_map(evidence)
    }

    /// Whether events that a store was to be made of are lost: a look at the journal says which, and
    /// whether that is recorded.
    pub fn met_losses(&self) -> bool {
        let done = self.stores.iter().filter_map(|store| store.outcome.as_ref().ok());
        done.map(|done| done.lost).any(|lost| lost > 0)
    }

    /// Anomalies met.
    pub fn anomalies(&self) -> u64 {
        let met = |store: &StoreReport| store.outcome.as_ref().map_or(0, |done| done.anomalies);
        self.stores.iter().map(met).sum()
    }
}
