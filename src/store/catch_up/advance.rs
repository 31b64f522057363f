//! The replay loop: events into one store, a transaction a batch.

use std::time::Instant;

use super::replay::{read_ahead, reads, skipped};
use super::{CatchUpError, CaughtUp, Due, Feeding, RebuildReason, Standing, Starts, log_anomalies};
use crate::event::{Content, Recorded, Sequence};
use crate::journal::Mark;
use crate::store::feed::Step;
use crate::store::{
    Anomaly, AnomalyKind, FeedError, Position, Projector, StoreError, StoreName, stamp,
};

/// Events of one transaction, about: a batch ends where a commit does.
pub const BATCH_EVENTS_MAX: u64 = 10_000;
/// A store that lacks so many events, and four times what it has, is sooner built anew: a bulk load
/// is several times faster than rows fed through triggers and indexes.
const FAR_BEHIND_EVENTS_MIN: u64 = 4_000;
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
        let mut steps = feed.replay(after, self.through())?;
        let mut pass = Pass { of: *self, projector, starts };
        pass.batch(&mut steps, after, feed.through(), done)
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
        let lacks = through.0.saturating_sub(after.0);
        // What is built anew is not kept: of one that others may have written nothing is thrown away.
        Ok(lacks >= FAR_BEHIND_EVENTS_MIN
            && lacks / 4 >= after.0
            && !stamp::is_in_doubt(self.from.places.path(self.store)))
    }

    fn skipped(&self, after: Sequence) -> Result<Sequence, StoreError> {
        skipped(self.store, self.from.places, after)
    }

    fn through(&self) -> Sequence {
        self.from.feed.through().sequence
    }

    fn position(&self, mark: Mark) -> Position {
        Position { journal: self.from.feed.journal(), sequence: mark.sequence.0, chain: mark.chain }
    }

    fn done(&self, projector: &dyn Projector, done: CaughtUp) -> Result<Advanced, CatchUpError> {
        let operations = projector.operations(self.from.places.list)?;
        Ok(Advanced::Done(CaughtUp { operations, ..done }))
    }
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
        let mut starts = match projector.wants_starts() {
            true => Some(Starts::through_index(self.places, through.sequence)?),
            false => None,
        };
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
        let mut pass = Pass { of, projector, starts: starts.as_mut() };
        let mark = read_ahead(self.feed, first, through.sequence, |steps| {
            pass.batch(steps, first, through, &mut done)
        });
        let mark = mark.ok_or(CatchUpError::Panicked { store })??;
        projector.commit(of.position(mark))?;
        Ok((done, mark))
    }
}

/// The error that ended a transaction; that of giving it up would only hide it.
fn given_up(projector: &mut dyn Projector, error: CatchUpError) -> CatchUpError {
    drop(projector.rollback());
    error
}

struct Pass<'a> {
    of: Advance<'a>,
    projector: &'a mut dyn Projector,
    starts: Option<&'a mut Starts>,
}

impl Pass<'_> {
    /// Applies events up to the end of a commit: so many at least, or all that concern the store. A
    /// cursor stands at the end of the last commit that does, whoever wrote it and whenever.
    fn batch(
        &mut self,
        steps: &mut dyn Iterator<Item = Result<Step, FeedError>>,
        after: Sequence,
        through: Mark,
        done: &mut CaughtUp,
    ) -> Result<Mark, CatchUpError> {
        let (mut last, mut count, mut pending) = (after, 0, 0);
        let mut end = through;
        for step in steps {
            match step? {
                Step::Event(recorded) => {
                    done.lost += self.gap(last, recorded.sequence)?;
                    last = recorded.sequence;
                    self.apply(recorded)?;
                    (count, pending) = (count + 1, pending + 1);
                }
                Step::Undecodable { sequence, kind, error } => {
                    done.lost += self.gap(last, sequence)?;
                    last = sequence;
                    let name = kind.name().unwrap_or("of an unknown kind");
                    let message = format!("the event, {name}, cannot be read: {error}");
                    self.note(sequence, AnomalyKind::Undecodable, message)?;
                }
                Step::Skipped(sequence) => {
                    done.lost += self.gap(last, sequence)?;
                    last = sequence;
                }
                Step::CommitEnd(mark)
                    if count >= self.of.from.batch || self.of.due.is_done(mark.sequence) =>
                {
                    end = mark;
                    break;
                }
                Step::CommitEnd(_) => {}
            }
            if pending >= ANOMALIES_MAX {
                pending = 0;
                self.write_anomalies(done)?;
            }
        }
        done.lost += self.gap(last, Sequence(end.sequence.0 + 1))?;
        done.events += count;
        self.write_anomalies(done)?;
        Ok(end)
    }

    fn apply(&mut self, mut recorded: Recorded) -> Result<(), CatchUpError> {
        let start = match &mut self.starts {
            Some(starts) => starts.take(self.of.from.feed, &recorded)?,
            None => None,
        };
        if self.projector.wants_content() {
            self.bring_content(&mut recorded);
        }
        self.projector.apply(&recorded, start.as_ref())?;
        match &mut self.starts {
            Some(starts) => Ok(starts.begin(recorded)?),
            None => Ok(()),
        }
    }

    /// Replaces what lies elsewhere by what a store can keep of it; what cannot be read stays.
    fn bring_content(&self, recorded: &mut Recorded) {
        for content in recorded.event.body.contents_mut() {
            if let Content::Blob { .. } | Content::Repeated { .. } = content
                && let Some(brought) = self.of.from.feed.content(content)
            {
                *content = brought;
            }
        }
    }

    fn gap(&mut self, last: Sequence, next: Sequence) -> Result<u64, CatchUpError> {
        if next.0 <= last.0 + 1 {
            return Ok(0);
        }
        let (first, until) = (Sequence(last.0 + 1), Sequence(next.0 - 1));
        let what = match first == until {
            true => format!("event {first} is lost"),
            false => format!("events {first} to {until} are lost"),
        };
        let message = format!("{what}; `annals verify` says where");
        self.note(first, AnomalyKind::Lost, message)?;
        Ok(until.0 - first.0 + 1)
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

    fn write_anomalies(&mut self, done: &mut CaughtUp) -> Result<(), CatchUpError> {
        let anomalies = self.projector.take_anomalies();
        done.anomalies += anomalies.len() as u64;
        Ok(log_anomalies(&self.of.from.places.errors, self.of.store.as_str(), &anomalies)?)
    }
}
