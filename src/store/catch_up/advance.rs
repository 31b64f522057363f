//! The replay loop: events into one store, a transaction a batch.

use std::time::Instant;

use super::pass::Pass;
use super::replay::skipped;
use super::{
    CatchUpError, CaughtUp, Due, Feeding, RebuildReason, Standing, Starts, rebuild_reason,
};
use crate::event::Sequence;
use crate::journal::Mark;
use crate::store::feed::Step;
use crate::store::{Position, Projector, StoreError, StoreName, stamp};

/// Events of one transaction, about: a batch ends where a commit does.
pub const BATCH_EVENTS_MAX: u64 = 10_000;
/// A store that lacks so many events, and four times what it has, is sooner built anew: a bulk load
/// is several times faster than rows fed through triggers and indexes.
pub(super) const FAR_BEHIND_EVENTS_MIN: u64 = 4_000;

pub(super) fn is_far_behind(after: u64, through: u64) -> bool {
    let lacks = through.saturating_sub(after);
    lacks >= FAR_BEHIND_EVENTS_MIN && lacks / 4 >= after
}

#[derive(Debug)]
pub enum Advanced {
    Done(CaughtUp),
    Rebuild(RebuildReason),
}

#[derive(Clone, Copy)]
pub struct Advance<'a> {
    pub store: StoreName,
    pub from: Feeding<'a>,
    /// Whether it may be answered that building it anew takes less time.
    pub may_build: bool,
    pub due: Due,
}

impl Advance<'_> {
    /// Feeds a store where it stands; answers why it must be built anew instead, if it must.
    pub(super) fn opened(&self) -> Result<Advanced, CatchUpError> {
        let places = self.from.places;
        if self.store.is_on_demand() && stamp::was_changed(places.path(self.store)) {
            // To look whether it holds what the journal says takes as long as to make it.
            return Ok(Advanced::Rebuild(RebuildReason::Touched));
        }
        if self.from.has_all(self.store) {
            return Ok(Advanced::Done(CaughtUp::default()));
        }
        let opened = self.store.fold(places.path(self.store), places);
        match opened.map(|mut projector| self.run(projector.as_mut())) {
            Ok(Err(CatchUpError::Store(error))) | Err(error) => {
                rebuild_reason(error).map(Advanced::Rebuild)
            }
            Ok(advanced) => advanced,
        }
    }

    /// As [`Self::opened`], of one that is not to be built.
    pub(super) fn only_fed(&self) -> Result<CaughtUp, CatchUpError> {
        match self.opened()? {
            Advanced::Done(done) => Ok(done),
            Advanced::Rebuild(reason) => Err(CatchUpError::Changed { store: self.store, reason }),
        }
    }

    pub fn run(&self, projector: &mut dyn Projector) -> Result<Advanced, CatchUpError> {
        let mut done = CaughtUp::default();
        let mut starts = None;
        // Without a transaction first: who is current needs none, and waits for nobody.
        match self.standing(projector)? {
            Standing::Current => return self.done(projector, done),
            Standing::Behind(after) if self.may_build && self.is_far_behind(after)? => {
                return Ok(Advanced::Rebuild(RebuildReason::FarBehind));
            }
            Standing::Behind(_) | Standing::Wrong(_) => {}
        }
        loop {
            projector.begin()?;
            let after = match self.standing(projector) {
                Ok(Standing::Behind(after)) => after,
                Ok(Standing::Current) => {
                    projector.rollback()?;
                    return self.done(projector, done);
                }
                Ok(Standing::Wrong(reason)) => {
                    projector.rollback()?;
                    return Ok(Advanced::Rebuild(reason));
                }
                Err(error) => return Err(given_up(projector, error)),
            };
            if projector.wants_starts() && starts.is_none() {
                match Starts::through_index(self.from.places, self.through()) {
                    Ok(through) => starts = Some(through),
                    Err(error) => return Err(given_up(projector, error)),
                }
            }
            let committed = self
                .batch(projector, starts.as_mut(), after, &mut done)
                .and_then(|mark| Ok(projector.commit(self.position(mark))?));
            if let Err(error) = committed {
                return Err(given_up(projector, error));
            }
            if self.from.until.is_some_and(|until| Instant::now() >= until) {
                return self.done(projector, done);
            }
        }
    }

    fn batch(
        &self,
        projector: &mut dyn Projector,
        starts: Option<&mut Starts>,
        after: Sequence,
        done: &mut CaughtUp,
    ) -> Result<Mark, CatchUpError> {
        let (after, feed) = (self.skipped(after)?, self.from.feed);
        let mut starts = starts;
        let mut pass = Pass::new(*self, projector, after, done);
        for step in feed.replay(after, self.through())? {
            let step = step?;
            let start = match (&step, &mut starts) {
                (Step::Event(recorded), Some(starts)) => starts.of(feed, recorded)?,
                _ => None,
            };
            if let Some(end) = pass.take(&step, start.as_deref(), false, None)? {
                return pass.end(end);
            }
        }
        pass.end(feed.through())
    }

    fn standing(&self, projector: &dyn Projector) -> Result<Standing, CatchUpError> {
        let standing =
            super::standing(projector.cursor()?, projector.found_rows()?, self.from.feed);
        Ok(match standing? {
            Standing::Behind(at) if self.due.is_done(at) => Standing::Current,
            standing => standing,
        })
    }

    fn is_far_behind(&self, after: Sequence) -> Result<bool, CatchUpError> {
        let after = self.skipped(after)?;
        let through = match self.due {
            Due::Through(last) => last.min(self.through()),
            Due::Everything | Due::Nothing => self.through(),
        };
        // What is built anew is not kept: of one that others may have written nothing is thrown away.
        Ok(is_far_behind(after.0, through.0)
            && !stamp::is_in_doubt(self.from.places.path(self.store)))
    }

    pub(super) fn skipped(&self, after: Sequence) -> Result<Sequence, StoreError> {
        skipped(self.store, self.from.places, after)
    }

    fn through(&self) -> Sequence {
        self.from.feed.through().sequence
    }

    pub(super) fn position(&self, mark: Mark) -> Position {
        Position { journal: self.from.feed.journal(), sequence: mark.sequence.0, chain: mark.chain }
    }

    fn done(&self, projector: &dyn Projector, done: CaughtUp) -> Result<Advanced, CatchUpError> {
        let operations = projector.operations(self.from.places.list)?;
        Ok(Advanced::Done(CaughtUp { operations, ..done }))
    }
}

/// The error that ended a transaction; that of giving it up would only hide it.
fn given_up(projector: &mut dyn Projector, error: CatchUpError) -> CatchUpError {
    drop(projector.rollback());
    error
}
