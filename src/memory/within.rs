//! Catching `memory.db`, or `state.db`, up inside a transaction of somebody who is about to decide on what is in it.
//!
//! The index may lag here, so it is asked only where that spares reading much of the journal.

use super::store::MEMORY;
use crate::event::Sequence;
use crate::journal::Mark;
use crate::store::catch_up::replay::lookup;
use crate::store::catch_up::{
    CatchUpError, Feeding, RebuildReason, Standing, log_anomalies, standing,
};
use crate::store::feed::{ChainAt, Step};
use crate::store::rebuild::Site;
use crate::store::{Feed, FeedError, Projector, StoreError, StoreName, StorePlaces};

/// So many events are sooner read than an index is opened.
const FEW_EVENTS_MAX: u64 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaughtWithin {
    Through {
        end: Mark,
        /// Where the cursor belongs, where it has to be moved: at the last commit that concerns
        /// memory. It is not written yet.
        cursor: Option<Mark>,
    },
    Rebuild(RebuildReason),
}

/// Applies what the store lacks through `end`, inside a transaction that was begun, and that its owner ends.
pub fn catch_up_within(
    projector: &mut dyn Projector,
    store: StoreName,
    places: &StorePlaces,
    (feed, end): (&dyn Feed, Mark),
) -> Result<CaughtWithin, CatchUpError> {
    let after = match standing(projector.cursor()?, projector.found_rows()?, feed)? {
        Standing::Current => return Ok(CaughtWithin::Through { end, cursor: None }),
        Standing::Wrong(reason) => return Ok(CaughtWithin::Rebuild(reason)),
        Standing::Behind(after) => after,
    };
    let after = skipped(places, feed, after)?;
    if after >= end.sequence {
        return Ok(CaughtWithin::Through { end, cursor: None });
    }
    let (mut cursor, mut is_concerned) = (None, false);
    for step in feed.replay(after, end.sequence)? {
        match step? {
            Step::Event(recorded) if recorded.event.body.memory_origin().is_some() => {
                projector.apply(&recorded, None)?;
                is_concerned = true;
            }
            Step::CommitEnd(mark) if is_concerned => {
                (cursor, is_concerned) = (Some(mark), false);
            }
            // What was lost or cannot be read is listed with the index.
            _ => {}
        }
    }
    log_anomalies(&places.errors, store.as_str(), &projector.take_anomalies())?;
    Ok(CaughtWithin::Through { end, cursor: if is_concerned { Some(end) } else { cursor } })
}

fn skipped(
    places: &StorePlaces,
    feed: &dyn Feed,
    after: Sequence,
) -> Result<Sequence, CatchUpError> {
    let through = feed.through().sequence;
    if through.0.saturating_sub(after.0) <= FEW_EVENTS_MAX {
        return Ok(after);
    }
    let asked = || -> Result<Option<(Sequence, [u8; 32], Option<u64>)>, StoreError> {
        let index = lookup(places)?;
        let Some(cursor) = index.cursor()? else { return Ok(None) };
        let position = cursor.position;
        if position.journal != feed.journal() {
            return Ok(None);
        }
        let next = index.next(&MEMORY, after.0)?;
        Ok(Some((Sequence(position.sequence), position.chain, next)))
    };
    // An index that cannot be asked spares nothing, and is none of this one's trouble.
    let Ok(Some((read, chain, next))) = asked() else { return Ok(after) };
    if read <= after || read > through || !is_of(feed, read, chain)? {
        return Ok(after);
    }
    Ok(next.map_or(read, |next| Sequence(next.saturating_sub(1)).min(read)).max(after))
}

fn is_of(feed: &dyn Feed, read: Sequence, chain: [u8; 32]) -> Result<bool, FeedError> {
    let through = feed.through();
    let is = match read == through.sequence {
        true => ChainAt::Is(through.chain),
        false => feed.chain_at(read)?,
    };
    Ok(is == ChainAt::Is(chain))
}

/// Makes a store fit to be decided on where it is missing, damaged or not of this journal's making: built anew from
/// what the journal has of memory, or empty.
pub fn prepare(
    store: StoreName,
    places: &StorePlaces,
    feed: &dyn Feed,
) -> Result<(), CatchUpError> {
    let from = Feeding::of(places, feed);
    from.index()?;
    from.store(store)?;
    if places.has(store)? {
        return Ok(());
    }
    let site = Site::take(places, store)?;
    match places.has(store)? {
        // Somebody else has made it meanwhile, and uses it.
        true => Ok(()),
        false => from.build_anew(site, RebuildReason::Missing).map(drop),
    }
}
