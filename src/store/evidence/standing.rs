//! How the stores of an entry stand to what somebody asks, while others make stores in it.

#[cfg(test)]
mod tests;

use super::Wants;
use crate::store::{JournalFeed, StoreList, StoreName, StorePlaces, StoreStatus};
use crate::store::{stamp, store_status};

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// They are there; why one is not that questions can do without, if one is not.
    Current(Option<String>),
    /// What is there holds, and the index is.
    Lacking,
    Wrong,
}

/// How a store was before it was asked how far it has read. One that somebody puts there in between is not wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    There,
    /// Nobody has made it, somebody does so now, or it is gone.
    Unmade,
}

impl Seen {
    pub fn of(store: StoreName, places: &StorePlaces) -> Self {
        match places.has(store) {
            Ok(false) => Self::Unmade,
            Ok(true) | Err(_) => Self::There,
        }
    }
}

pub(super) fn current(places: &StorePlaces, feed: &JournalFeed<'_>, wants: Wants) -> Standing {
    let wanted = places.list.stores.iter().filter(|it| wants.takes(**it, places.list));
    let seen: Vec<_> = wanted.map(|store| (*store, Seen::of(*store, places))).collect();
    // What cannot be judged is built again.
    let Ok(stores) = store_status(places, feed) else { return Standing::Wrong };
    // Folders have no stamps.
    let was_changed = |it: StoreName| !it.is_folder() && stamp::was_changed(places.path(it));
    judged(&seen, stores, places.list, was_changed)
}

/// What is wanted, as it was `seen` before `stores` told how they stand.
pub(super) fn judged(
    seen: &[(StoreName, Seen)],
    stores: Vec<StoreStatus>,
    list: &StoreList,
    was_changed: impl Fn(StoreName) -> bool,
) -> Standing {
    let is_off = |it: &StoreStatus| it.lag_events != Some(0) || it.problem.is_some();
    let mut off: Vec<(StoreStatus, Seen)> = Vec::new();
    for it in stores.into_iter().filter(is_off) {
        let seen = seen.iter().find(|(store, _)| *store == it.store);
        off.extend(seen.map(|(_, seen)| (it, *seen)));
    }
    // One that others have as well is only ever behind, where it can be read.
    let is_wrong = |(it, seen): &(StoreStatus, Seen)| {
        *seen == Seen::There && (!it.store.is_shared() || it.problem.is_some())
    };
    if off.iter().any(is_wrong)
        || seen.iter().any(|(store, seen)| *seen == Seen::There && was_changed(*store))
    {
        return Standing::Wrong;
    }
    if off.iter().any(|(it, seen)| *seen == Seen::Unmade || !it.store.is_shared()) {
        let has_index = seen.iter().any(|(it, seen)| list.is_index(*it) && *seen == Seen::There);
        return if has_index { Standing::Lacking } else { Standing::Wrong };
    }
    let why =
        |(it, _): (StoreStatus, _)| format!("{}: {}", it.store, it.problem.unwrap_or_default());
    Standing::Current(off.into_iter().map(why).next_back())
}
