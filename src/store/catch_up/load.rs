//! Loading new stores: all events in one transaction.

use std::thread;

use super::pass::Pass;
use super::replay::reads;
use super::{Advance, CatchUpError, CaughtUp, Due, Feeding};
use crate::journal::Mark;
use crate::store::{Feed, Projector, StoreName, StorePlaces};

/// Does what needs the index alone, and meanwhile makes the stores that lack nearly everything. What is wrong with
/// one is told by who catches it up afterwards.
pub fn beginning<T>(places: &StorePlaces, feed: &dyn Feed, meanwhile: impl FnOnce() -> T) -> T {
    let feeding = Feeding::of(places, feed);
    if feeding.index().is_err() {
        return meanwhile();
    }
    let stores = places.list.stores.iter().copied().filter(|store| !store.is_on_demand());
    thread::scope(|scope| {
        scope.spawn(|| feeding.made(stores));
        meanwhile()
    })
}

impl Feeding<'_> {
    /// Loads a new store from the first event through `through`, in one transaction. Answers where its
    /// cursor stands.
    pub fn load(
        &self,
        projector: &mut dyn Projector,
        store: StoreName,
        through: Mark,
    ) -> Result<(CaughtUp, Mark), CatchUpError> {
        let mut done = CaughtUp::default();
        let wants_starts = projector.wants_starts();
        let (from, may_build) = (Feeding { batch: u64::MAX, ..*self }, false);
        let due = match Due::of(store, self.places)? {
            // Who is about to write the first that it is made for needs what it reads besides.
            Due::Nothing if reads(store, self.places)? => Due::Everything,
            due => due,
        };
        let of = Advance { store, from, may_build, due };
        let first = match of.due {
            Due::Nothing => through.sequence,
            _ => of.skipped(self.feed.begins_after())?,
        };
        projector.begin()?;
        let range = (first, through.sequence);
        let onward = self.onward.and_then(|it| it.take(range));
        // It sees all that the fold does, from the first event on.
        let foresight = store.foresight().filter(|_| first == self.feed.begins_after());
        let mark = self.ahead(range, wants_starts, foresight, |ahead| {
            let mut pass = Pass::new(of, projector, first, &mut done);
            let end = ahead.each(store, onward, |fed, onward| {
                let end =
                    pass.take(&fed.step, fed.start(), fed.is_told_again(), fed.foreseen.as_ref())?;
                if let Some(onward) = onward {
                    onward.find_start(fed, pass.projector.known_starts(), self.feed)?;
                }
                Ok(end)
            })?;
            pass.end(end.unwrap_or(through))
        });
        let mark = mark.ok_or(CatchUpError::Panicked { store })??;
        projector.commit(of.position(mark))?;
        Ok((done, mark))
    }
}
