//! The replay loop: events into one store, a transaction a batch.

use super::ahead::read_ahead;
use super::{CatchUpError, CaughtUp, RebuildReason, Standing, Starts, log_anomalies, standing};
use crate::command::feed::{Feed, FeedError, Step};
use crate::event::{Content, Recorded, Sequence};
use crate::journal::Mark;
use crate::projector::{Anomaly, AnomalyKind, Projector};
use crate::store::{Position, StoreName, StorePlaces};

/// Events of one transaction, about: a batch ends where a commit does.
pub const BATCH_EVENTS_MAX: u64 = 10_000;
/// A store that lacks so many events, and four times what it has, is sooner built anew: a bulk load
/// is several times faster than rows fed through triggers and indexes.
const FAR_BEHIND_EVENTS_MIN: u64 = 4_000;
/// Anomalies held before they are written down.
const ANOMALIES_MAX: u64 = 1_024;

/// What feeding a store came to.
#[derive(Debug)]
pub enum Advanced {
    Done(CaughtUp),
    Rebuild(RebuildReason),
}

/// Feeds a store from where it stands to the watermark.
pub fn advance(
    projector: &mut dyn Projector,
    store: StoreName,
    places: &StorePlaces,
    feed: &dyn Feed,
    batch: u64,
    may_build: bool,
) -> Result<Advanced, CatchUpError> {
    let mut done = CaughtUp::default();
    let mut starts = None;
    // Without a transaction first: who is current needs none, and waits for nobody.
    match standing(projector.cursor()?, projector.found_rows()?, feed)? {
        Standing::Current => return Ok(Advanced::Done(done)),
        Standing::Behind(after) if may_build && is_far_behind(after, feed.through().sequence) => {
            return Ok(Advanced::Rebuild(RebuildReason::FarBehind));
        }
        Standing::Behind(_) | Standing::Wrong(_) => {}
    }
    loop {
        projector.begin()?;
        let stands = projector
            .cursor()
            .and_then(|cursor| Ok((cursor, projector.found_rows()?)))
            .map_err(CatchUpError::from)
            .and_then(|(cursor, rows)| Ok(standing(cursor, rows, feed)?));
        let after = match stands {
            Ok(Standing::Behind(after)) => after,
            Ok(Standing::Current) => {
                projector.rollback()?;
                return Ok(Advanced::Done(done));
            }
            Ok(Standing::Wrong(reason)) => {
                projector.rollback()?;
                return Ok(Advanced::Rebuild(reason));
            }
            Err(error) => return Err(given_up(projector, error)),
        };
        if projector.wants_starts() && starts.is_none() {
            match Starts::through_index(places) {
                Ok(through) => starts = Some(through),
                Err(error) => return Err(given_up(projector, error.into())),
            }
        }
        let mut pass = Pass { projector, store, places, feed, starts: starts.as_mut() };
        let steps = feed.replay(after, feed.through().sequence).map_err(CatchUpError::from);
        let applied = steps
            .and_then(|mut steps| pass.batch(&mut steps, after, feed.through(), batch, &mut done));
        let committed = applied.and_then(|mark| Ok(projector.commit(position(feed, mark))?));
        if let Err(error) = committed {
            return Err(given_up(projector, error));
        }
    }
}

/// What catching up inside somebody's transaction came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaughtWithin {
    /// The store has everything up to here; its cursor is not written yet.
    Through(Mark),
    Rebuild(RebuildReason),
}

/// Applies what a store lacks inside a transaction that was begun, and that its owner ends.
pub fn catch_up_within(
    projector: &mut dyn Projector,
    store: StoreName,
    places: &StorePlaces,
    feed: &dyn Feed,
) -> Result<CaughtWithin, CatchUpError> {
    let through = feed.through();
    match standing(projector.cursor()?, projector.found_rows()?, feed)? {
        Standing::Current => Ok(CaughtWithin::Through(through)),
        Standing::Wrong(reason) => Ok(CaughtWithin::Rebuild(reason)),
        Standing::Behind(after) => {
            let mut pass = Pass { projector, store, places, feed, starts: None };
            let mut steps = feed.replay(after, through.sequence)?;
            let mut done = CaughtUp::default();
            pass.batch(&mut steps, after, through, u64::MAX, &mut done).map(CaughtWithin::Through)
        }
    }
}

/// Loads a new store from the first event through `through`, in one transaction.
pub fn load(
    projector: &mut dyn Projector,
    store: StoreName,
    places: &StorePlaces,
    feed: &dyn Feed,
    through: Mark,
) -> Result<CaughtUp, CatchUpError> {
    let mut done = CaughtUp::default();
    let mut starts = match projector.wants_starts() {
        true => Some(Starts::through_index(places)?),
        false => None,
    };
    projector.begin()?;
    let mut pass = Pass { projector, store, places, feed, starts: starts.as_mut() };
    let first = feed.begins_after();
    let mark = read_ahead(feed, first, through.sequence, |steps| {
        pass.batch(steps, first, through, u64::MAX, &mut done)
    });
    let mark = mark.ok_or(CatchUpError::Panicked { store })??;
    projector.commit(position(feed, mark))?;
    Ok(done)
}

fn is_far_behind(after: Sequence, through: Sequence) -> bool {
    let lacks = through.0.saturating_sub(after.0);
    lacks >= FAR_BEHIND_EVENTS_MIN && lacks / 4 >= after.0
}

fn position(feed: &dyn Feed, mark: Mark) -> Position {
    Position { journal: feed.journal(), sequence: mark.sequence.0, chain: mark.chain }
}

/// The error that ended a transaction; that of giving it up would only hide it.
fn given_up(projector: &mut dyn Projector, error: CatchUpError) -> CatchUpError {
    drop(projector.rollback());
    error
}

struct Pass<'a> {
    projector: &'a mut dyn Projector,
    store: StoreName,
    places: &'a StorePlaces,
    feed: &'a dyn Feed,
    starts: Option<&'a mut Starts>,
}

impl Pass<'_> {
    /// Applies at least `batch` events, up to the end of a commit, or all there are.
    fn batch(
        &mut self,
        steps: &mut dyn Iterator<Item = Result<Step, FeedError>>,
        after: Sequence,
        through: Mark,
        batch: u64,
        done: &mut CaughtUp,
    ) -> Result<Mark, CatchUpError> {
        let (mut last, mut count, mut pending) = (after, 0, 0);
        let mut end = through;
        for step in steps {
            match step? {
                Step::Event(recorded) => {
                    self.gap(last, recorded.sequence)?;
                    last = recorded.sequence;
                    self.apply(recorded)?;
                    (count, pending) = (count + 1, pending + 1);
                }
                Step::Undecodable { sequence, kind, error } => {
                    self.gap(last, sequence)?;
                    last = sequence;
                    let name = kind.name().unwrap_or("of an unknown kind");
                    let message = format!("the event, {name}, cannot be read: {error}");
                    self.note(sequence, AnomalyKind::Undecodable, message)?;
                }
                Step::Skipped(sequence) => {
                    self.gap(last, sequence)?;
                    last = sequence;
                }
                Step::CommitEnd(mark) if count >= batch => {
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
        self.gap(last, Sequence(end.sequence.0 + 1))?;
        done.events += count;
        self.write_anomalies(done)?;
        Ok(end)
    }

    fn apply(&mut self, mut recorded: Recorded) -> Result<(), CatchUpError> {
        let start = match &mut self.starts {
            Some(starts) => starts.take(self.feed, &recorded)?,
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
                && let Some(brought) = self.feed.content(content)
            {
                *content = brought;
            }
        }
    }

    /// Notes the sequences that should lie between two that were read.
    fn gap(&mut self, last: Sequence, next: Sequence) -> Result<(), CatchUpError> {
        if next.0 <= last.0 + 1 {
            return Ok(());
        }
        let (first, until) = (Sequence(last.0 + 1), Sequence(next.0 - 1));
        let what = match first == until {
            true => format!("event {first} is lost"),
            false => format!("events {first} to {until} are lost"),
        };
        let message = format!("{what}; `annals verify` says where");
        self.note(first, AnomalyKind::Lost, message)
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
        Ok(log_anomalies(self.places, self.store, &anomalies)?)
    }
}
