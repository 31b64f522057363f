//! One pass over a journal's steps, which are applied to one store.

use std::sync::Arc;

use super::{Advance, CatchUpError, CaughtUp, log_anomalies};
use crate::event::{Content, Recorded, Sequence};
use crate::journal::Mark;
use crate::store::feed::Step;
use crate::store::{Anomaly, AnomalyKind, Feed, Foreseen, Projector};

/// Anomalies held before they are written down.
const ANOMALIES_MAX: u64 = 1_024;

pub struct Pass<'a> {
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
        foreseen: Option<&Foreseen>,
    ) -> Result<Option<Mark>, CatchUpError> {
        match step {
            Step::Event(recorded) => {
                self.reach(recorded.sequence)?;
                if !is_told_again || !self.projector.takes_ends_once() {
                    self.apply(recorded, start, foreseen)?;
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

    fn apply(
        &mut self,
        recorded: &Recorded,
        start: Option<&Recorded>,
        foreseen: Option<&Foreseen>,
    ) -> Result<(), CatchUpError> {
        let brought = match self.projector.wants_content() {
            true => brought(self.of.from.feed, recorded),
            false => None,
        };
        if let Some(foreseen) = foreseen {
            self.projector.foresee(Arc::clone(foreseen));
        }
        Ok(self.projector.apply(brought.as_ref().unwrap_or(recorded), start)?)
    }

    pub fn end(mut self, end: Mark) -> Result<Mark, CatchUpError> {
        self.reach(Sequence(end.sequence.0 + 1))?;
        self.done.events += self.count;
        self.write_anomalies()?;
        Ok(end)
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

/// The event with what a store can keep of what lies elsewhere, where anything does; what cannot be read stays.
pub fn brought(feed: &dyn Feed, recorded: &Recorded) -> Option<Recorded> {
    if !recorded.event.body.contents().any(Content::lies_elsewhere) {
        return None;
    }
    let mut recorded = recorded.clone();
    for content in recorded.event.body.contents_mut() {
        if content.lies_elsewhere()
            && let Some(brought) = feed.content(content)
        {
            *content = brought;
        }
    }
    Some(recorded)
}
