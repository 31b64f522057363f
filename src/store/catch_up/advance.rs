//! The replay loop: events into one store, a transaction a batch.

use std::borrow::Cow;
use std::time::Instant;

use super::replay::skipped;
use super::{CatchUpError, CaughtUp, Due, Feeding, RebuildReason, Standing, Starts, log_anomalies};
use crate::event::{Content, Recorded, Sequence};
use crate::journal::Mark;
use crate::store::feed::Step;
use crate::store::{Anomaly, AnomalyKind, Position, Projector, StoreError, StoreName, stamp};

/// Events of one transaction, about: a batch ends where a commit does.
pub const BATCH_EVENTS_MAX: u64 = 10_000;
/// A store that lacks so many events, and four times what it has, is sooner built anew: a bulk load
/// is several times faster than rows fed through triggers and indexes.
pub(super) const FAR_BEHIND_EVENTS_MIN: u64 = 4_000;

pub(super) fn is_far_behind(after: u64, through: u64) -> bool {
    let lacks = through.saturating_sub(after);
    lacks >= FAR_BEHIND_EVENTS_MIN && lacks / 4 >= after
}

/// Anomalies held before they are written down.
const ANOMALIES_MAX: u64 = 1_024;

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
            if let Some(end) = pass.take(&step, start.as_deref(), false)? {
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

pub(super) struct Pass<'a> {
    of: Advance<'a>,
    pub projector: &'a mut dyn Projector,
    done: &'a mut CaughtUp,
    last: Sequence,
    count: u64,
    /// Events since anomalies were written down.
    pending: u64,
}

/// Applies events up to the end of a commit: so many at least, or all that concern the store. A cursor
/// stands at the end of the last commit that does, whoever wrote it and whenever.
impl<'a> Pass<'a> {
    pub fn new(
        of: Advance<'a>,
        projector: &'a mut dyn Projector,
        after: Sequence,
        done: &'a mut CaughtUp,
    ) -> Self {
        Self { of, projector, done, last: after, count: 0, pending: 0 }
    }

    /// Takes the next step; answers where it ends, if it does there.
    pub fn take(
        &mut self,
        step: &Step,
        start: Option<&Recorded>,
        is_told_again: bool,
    ) -> Result<Option<Mark>, CatchUpError> {
        match step {
            Step::Event(recorded) => {
                self.reach(recorded.sequence)?;
                if !is_told_again || !self.projector.takes_ends_once() {
                    let recorded = self.brought(recorded);
                    self.projector.apply(&recorded, start)?;
                }
                (self.count, self.pending) = (self.count + 1, self.pending + 1);
            }
            Step::Undecodable { sequence, kind, error } => {
                self.reach(*sequence)?;
                let name = kind.name().unwrap_or("of an unknown kind");
                let message = format!("the event, {name}, cannot be read: {error}");
                self.note(*sequence, AnomalyKind::Undecodable, message)?;
            }
            Step::Skipped(sequence) => self.reach(*sequence)?,
            Step::CommitEnd(mark) => {
                self.projector.commit_ended();
                let is_full = self.count >= self.of.from.batch;
                return Ok((is_full || self.of.due.is_done(mark.sequence)).then_some(*mark));
            }
        }
        if self.pending >= ANOMALIES_MAX {
            self.pending = 0;
            self.write_anomalies()?;
        }
        Ok(None)
    }

    pub fn end(mut self, end: Mark) -> Result<Mark, CatchUpError> {
        self.reach(Sequence(end.sequence.0 + 1))?;
        self.done.events += self.count;
        self.write_anomalies()?;
        Ok(end)
    }

    /// The event with what a store can keep of what lies elsewhere; what cannot be read stays.
    fn brought<'r>(&self, recorded: &'r Recorded) -> Cow<'r, Recorded> {
        let lies_elsewhere =
            |it: &Content| matches!(it, Content::Blob { .. } | Content::Repeated { .. });
        if !self.projector.wants_content() || !recorded.event.body.contents().any(lies_elsewhere) {
            return Cow::Borrowed(recorded);
        }
        let mut recorded = recorded.clone();
        for content in recorded.event.body.contents_mut() {
            if lies_elsewhere(content)
                && let Some(brought) = self.of.from.feed.content(content)
            {
                *content = brought;
            }
        }
        Cow::Owned(recorded)
    }

    /// Comes to an event; what lies between it and the last one is lost.
    fn reach(&mut self, next: Sequence) -> Result<(), CatchUpError> {
        let last = std::mem::replace(&mut self.last, next);
        if next.0 <= last.0 + 1 {
            return Ok(());
        }
        let (first, until) = (Sequence(last.0 + 1), Sequence(next.0 - 1));
        let what = match first == until {
            true => format!("event {first} is lost"),
            false => format!("events {first} to {until} are lost"),
        };
        let message = format!("{what}; `annals verify` says where");
        self.note(first, AnomalyKind::Lost, message)?;
        self.done.lost += until.0 - first.0 + 1;
        Ok(())
    }

    fn note(
        &mut self,
        sequence: Sequence,
        kind: AnomalyKind,
        message: String,
    ) -> Result<(), CatchUpError> {
        let anomaly = Anomaly { sequence, kind, execution: None, message };
        Ok(self.projector.note(anomaly)?)
    }

    fn write_anomalies(&mut self) -> Result<(), CatchUpError> {
        let anomalies = self.projector.take_anomalies();
        self.done.anomalies += anomalies.len() as u64;
        Ok(log_anomalies(&self.of.from.places.errors, self.of.store.as_str(), &anomalies)?)
    }
}
