//! Catching a store up that is another program's as well: it is never replaced, only ever our rows in it, and
//! whatever is wrong with it stops nothing else.

use std::time::Duration;

use super::{
    Advance, Advanced, CatchUpError, CaughtUp, Due, Feeding, RebuildReason, log_anomalies,
    replaceable,
};
use crate::store::rebuild::{Built, Site, WAIT_MAX};
use crate::store::shared::Shared;
use crate::store::{Anomaly, AnomalyKind, StoreName};

/// How long one of ours waits for another that writes it: it catches up with what this one would. One that makes it
/// is waited for as long as one that makes any store.
const TURN_MAX: Duration = Duration::from_secs(2);

impl Feeding<'_> {
    /// Catches it up. One that cannot be written lags, which `errors.jsonl` says too.
    pub(super) fn shared(
        &self,
        store: StoreName,
        shared: &dyn Shared,
    ) -> Result<CaughtUp, CatchUpError> {
        let done = self.shared_caught_up(store, shared);
        if let Err(error) = &done
            && error.evidence().is_none()
        {
            let sequence = self.feed.through().sequence;
            let message = format!("what is up to {sequence} is not all in {store}: {error}");
            let kind = AnomalyKind::NotWritten;
            let lag = Anomaly { sequence, kind, execution: None, message };
            // The lag itself is told; a log that cannot be written changes nothing about it.
            drop(log_anomalies(&self.places.errors, store.as_str(), &[lag]));
        }
        done
    }

    fn shared_caught_up(
        &self,
        store: StoreName,
        shared: &dyn Shared,
    ) -> Result<CaughtUp, CatchUpError> {
        let places = self.places;
        let is_there = places.has(store)?;
        if (!is_there || places.is_empty(store)) && !shared.is_wanted(places)? {
            return Ok(CaughtUp::default());
        }
        let wait = if is_there { TURN_MAX } else { WAIT_MAX };
        // One of ours writes it at a time: whoever else holds it then is another program.
        let turn = match self.site(store, wait) {
            Err(error) if error.is_locked() => return Ok(CaughtUp::default()),
            turn => turn?,
        };
        let _turn = match places.has(store)? {
            true => turn,
            false => {
                if let Some(done) = self.make_shared(shared, turn)? {
                    return Ok(CaughtUp { rebuilt: Some(RebuildReason::Missing), ..done });
                }
                self.site(store, WAIT_MAX)?
            }
        };
        let was_empty = places.is_empty(store);
        let live = Advance { store, from: *self, may_build: true, due: Due::Everything };
        let reason = match shared.feed(live)? {
            Advanced::Done(done) => return Ok(done),
            Advanced::Rebuild(reason) => replaceable(store, reason, places)?,
        };
        // Where it stands it may be further than this feed: never back.
        let later = self.feed.reopened()?;
        let later = self.later(later.as_ref());
        later.index()?;
        let built = later.shared_in_place(store, shared)?;
        // Nothing was wrong with one that was only far behind.
        let reason = if was_empty { RebuildReason::Empty } else { reason };
        let rebuilt = (reason != RebuildReason::FarBehind).then_some(reason);
        Ok(CaughtUp { rebuilt, ..built })
    }

    /// Makes one where there is none; `None` where somebody else has made one meanwhile.
    pub fn make_shared(
        &self,
        shared: &dyn Shared,
        turn: Site,
    ) -> Result<Option<CaughtUp>, CatchUpError> {
        self.publish_shared(shared, self.build_at(turn, self.feed.through())?)
    }

    /// Puts one that was built where there is none; `None` where somebody else has put one there meanwhile.
    pub fn publish_shared(
        &self,
        shared: &dyn Shared,
        built: Built,
    ) -> Result<Option<CaughtUp>, CatchUpError> {
        let mut built = built;
        // What is lost the index has met.
        let done = CaughtUp { lost: 0, ..std::mem::take(&mut built.done) };
        let is_ours = shared.publish(built.path(), self.places.path(built.store()))?;
        Ok(is_ours.then_some(done))
    }

    /// Takes our rows out and puts them in anew, in one transaction; the caller has the turn.
    pub fn shared_in_place(
        &self,
        store: StoreName,
        shared: &dyn Shared,
    ) -> Result<CaughtUp, CatchUpError> {
        let mut anew = shared.anew(self.places)?;
        Ok(self.load(anew.as_mut(), store, self.feed.through())?.0)
    }
}
