//! What catching up did, store by store.

use super::{CatchUpError, CaughtUp};
use crate::event::Sequence;
use crate::store::StoreName;

/// What catching up did.
#[derive(Debug)]
pub struct CatchUpReport {
    /// The last event that stores may have.
    pub through: Sequence,
    pub stores: Vec<StoreReport>,
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

    /// The first reason why a store lags.
    pub fn lag(&self) -> Option<(StoreName, &CatchUpError)> {
        self.stores
            .iter()
            .find_map(|store| store.outcome.as_ref().err().map(|error| (store.store, error)))
    }

    /// Anomalies met.
    pub fn anomalies(&self) -> u64 {
        let met = |store: &StoreReport| store.outcome.as_ref().map_or(0, |done| done.anomalies);
        self.stores.iter().map(met).sum()
    }
}
