//! Stores: which of them are due, by comparing them with fresh ones in the cache, and how they are made
//! anew.

use super::{RepairError, RepairReport, RepairStep};
use crate::journal::{Reading, Source, enclosure};
use crate::store::catch_up::{
    CatchUpError, Due, Feeding, RebuildReason, Standing, log_store, rebuild_reason, standing,
};
use crate::store::evidence::{BuiltStores, Cache, FoundStore, Verdict, found_stores};
use crate::store::rebuild::{RebuildMode, Site, rebuild, take_away};
use crate::store::shared::Shared;
use crate::store::{Feed, JournalFeed, Keep, Rows, StillStore, StoreError};
use crate::store::{StoreName, StorePlaces};

const IN_THE_WAY: &str = "something else was in its place";

/// Finds the stores that must be made anew, or taken away. Answers those that are only behind.
pub(super) fn look(
    source: &Source,
    places: &StorePlaces,
    built: &BuiltStores,
    cache: &Cache,
    plan: &mut RepairReport,
) -> Result<Vec<RepairStep>, RepairError> {
    let mut behind = Vec::new();
    for found in found_stores(source, Reading::Live, built, cache)? {
        let FoundStore { store, sequence, verdict, .. } = found;
        let wrong = match verdict {
            Verdict::Same => {
                let (at, through) = (sequence.unwrap_or_default(), built.through.sequence);
                if at < through
                    && !store.is_on_demand()
                    && !Due::of(store, &built.places)?.is_done(at)
                {
                    behind.push(RepairStep::CaughtUp { store, events: through.0 - at.0 });
                }
                continue;
            }
            Verdict::Differs if is_changed_beneath(store, places) => of(RebuildReason::Reindexed),
            Verdict::Differs => of(RebuildReason::ContentDiffers),
            Verdict::Wrong(reason) => of(reason),
            Verdict::Absent => of(RebuildReason::Missing),
            Verdict::OutOfDate => of(RebuildReason::OtherVersion),
            Verdict::Unreadable(error) => match unreadable(store, error, places) {
                Ok(wrong) => wrong,
                Err(error) => {
                    plan.lags(store.as_str(), &error);
                    continue;
                }
            },
        };
        let (reason, keep) = wrong;
        let keep = if store.is_on_demand() { Keep::Nothing } else { keep };
        plan.steps.push(RepairStep::Rebuilt { store, reason, keep, quarantined: None });
    }
    let is_unbuilt = |it: &&StoreName| !it.is_on_demand() && !built.places.path(**it).exists();
    for store in places.list.stores.iter().filter(is_unbuilt) {
        if places.has(*store)?
            && let Some((reason, keep)) = unfounded(*store, source, places, cache)?
        {
            let (store, quarantined) = (*store, None);
            plan.steps.push(match store.is_shared() {
                // It is another program's as well: only our rows go.
                true => RepairStep::Rebuilt { store, reason, keep, quarantined },
                false => RepairStep::SetAside { store, reason, keep, quarantined },
            });
        }
    }
    Ok(behind)
}

fn of(reason: RebuildReason) -> (String, Keep) {
    (reason.to_string(), reason.keep())
}

fn unreadable(
    store: StoreName,
    error: StoreError,
    places: &StorePlaces,
) -> Result<(String, Keep), CatchUpError> {
    match error.is_in_the_way() && !store.is_shared() {
        true => Ok((IN_THE_WAY.to_owned(), Keep::Evidence)),
        false => rebuild_reason(error)
            .map(|reason| (reason.to_string(), reason.keep_of(places.path(store)))),
    }
}

/// Why a store is not to be there of which the journal makes none; `None` where somebody is about to
/// write its first event.
fn unfounded(
    store: StoreName,
    source: &Source,
    places: &StorePlaces,
    cache: &Cache,
) -> Result<Option<(String, Keep)>, RepairError> {
    let aside = cache.private()?;
    let still = match StillStore::read_in_use(store, places.path(store), aside.root()) {
        Ok(still) => still,
        Err(_) if store.is_shared() => return Ok(None),
        Err(error) => return Ok(Some(unreadable(store, error, places)?)),
    };
    let feed = JournalFeed::reading(&source.journal)?;
    Ok(match standing(still.cursor, still.found, &feed)? {
        Standing::Wrong(RebuildReason::NoCursor) if store.is_shared() => None,
        Standing::Wrong(reason) => Some(of(reason)),
        _ if store.is_shared() => None,
        _ if still.found == Rows::default() => None,
        _ => Some(of(RebuildReason::Unfounded)),
    })
}

/// Whether the other program that has it changed what our rows lead to.
fn is_changed_beneath(store: StoreName, places: &StorePlaces) -> bool {
    let settled = store.shared().map(|shared| shared.is_settled(places.path(store), true));
    // What cannot be read was told before.
    matches!(settled, Some(Ok(false)))
}

/// Makes a store anew or takes it away, as a step says. Answers where the old one went.
pub(super) fn mend(
    step: &mut RepairStep,
    places: &StorePlaces,
    feed: &dyn Feed,
) -> Result<(), CatchUpError> {
    match step {
        RepairStep::Rebuilt { store, reason, keep, quarantined } => {
            *quarantined = made_anew(*store, *keep, places, feed)?;
            log_store(&places.errors, *store, feed.through().sequence, "rebuilt", reason);
        }
        RepairStep::SetAside { store, reason, keep, quarantined } => {
            *quarantined = take_away(*store, places, *keep)?;
            log_store(&places.errors, *store, feed.through().sequence, "set aside", reason);
        }
        _ => {}
    }
    Ok(())
}

fn made_anew(
    store: StoreName,
    keep: Keep,
    places: &StorePlaces,
    feed: &dyn Feed,
) -> Result<Option<std::path::PathBuf>, CatchUpError> {
    let from = Feeding::of(places, feed);
    if !places.list.is_index(store) {
        from.index()?;
    }
    if let Some(shared) = store.shared() {
        return shared_anew(store, shared, keep, places, feed);
    }
    from.replace(from.build(store, feed.through())?, keep)
}

/// Our rows are made anew where they stand, so what they said is copied first where that may be nowhere else.
fn shared_anew(
    store: StoreName,
    shared: &dyn Shared,
    keep: Keep,
    places: &StorePlaces,
    feed: &dyn Feed,
) -> Result<Option<std::path::PathBuf>, CatchUpError> {
    let kept = match keep {
        Keep::Evidence => {
            let _turn = Site::take(places, store)?;
            shared.keep(places)?
        }
        Keep::Replaced | Keep::Nothing => None,
    };
    match rebuild(places, feed, &[store], RebuildMode::Replace) {
        Ok(_) => Ok(kept),
        Err(error) => {
            // It has it still, and the next repair copies it again.
            drop(kept.map(|kept| enclosure::remove(&kept)));
            Err(error)
        }
    }
}
