//! What is known of stores that need not be opened: this build wrote them, nobody else did, and they have all.

use super::Feeding;
use super::replay::lookup;
use crate::store::{Feed, Operations, Position, StoreName, StorePlaces, stamp};

/// Whether a store's stamp says that it has every event, and is as it was then.
pub fn has_all(store: StoreName, places: &StorePlaces, feed: &dyn Feed) -> bool {
    let (journal, through) = (feed.journal(), feed.through());
    let end = Position { journal, sequence: through.sequence.0, chain: through.chain };
    !store.is_folder() && stamp::stands_at(places.path(store), end.into())
}

impl Feeding<'_> {
    pub(super) fn has_all(&self, store: StoreName) -> bool {
        has_all(store, self.places, self.feed)
    }

    /// The last event of each concern, by an index that has all: asked once as long as nobody writes it.
    pub(super) fn operations(&self, index: StoreName) -> Option<Operations> {
        if !self.has_all(index) {
            return None;
        }
        let list = self.places.list;
        let answer = stamp::answer(self.places.path(index), stamp::CONCERNS, || {
            // Whoever needs it opens the index, and is told.
            let index = lookup(self.places).ok()?;
            let last = list.concerns().map(|concern| index.last(concern));
            let last = last.map(|it| Some(it.ok()?.unwrap_or_default().to_le_bytes())); // as above
            Some(last.collect::<Option<Vec<_>>>()?.concat())
        })?;
        let mut kept = answer.chunks_exact(8).map_while(|it| it.try_into().ok());
        // No event has the number 0; what is too short says nothing.
        let last = |last| Some(u64::from_le_bytes(last)).filter(|it| *it > 0);
        Operations::of(list.concerns(), |_| kept.next().map(last).ok_or(())).ok()
    }
}
