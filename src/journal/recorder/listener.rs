//! What was recorded, for one who folds it as it comes: events as the journal has them, with contents that it
//! keeps elsewhere.

use super::known::Known;
use super::{RecordError, Recorder, SessionFact, TurnFact};
use crate::event::{Event, Recorded, Sequence, SessionId};
use crate::journal::Appended;

#[derive(Default)]
pub(super) struct Heard {
    /// What is about to be appended.
    ready: Vec<Event>,
    recorded: Vec<Recorded>,
}

impl Heard {
    pub fn begin(&mut self) {
        self.ready.clear();
    }

    pub fn hear(&mut self, event: &Event) {
        self.ready.push(event.clone());
    }

    pub fn settle(&mut self, appended: Appended, recorded_ms: u64) {
        let first = appended.last.0 + 1 - self.ready.len() as u64;
        let told = self.ready.drain(..).zip(first..);
        self.recorded.extend(told.map(|(event, sequence)| Recorded {
            sequence: Sequence(sequence),
            recorded_ms,
            event,
        }));
    }
}

impl Recorder<'_> {
    pub(super) fn hear(&mut self, event: &Event) {
        self.heard.iter_mut().for_each(|heard| heard.hear(event));
    }

    /// From now on what is recorded is kept for [`Self::heard`].
    pub fn listen(&mut self) {
        self.heard.get_or_insert_default();
    }

    /// What was recorded since this was asked last, in order.
    pub fn heard(&mut self) -> Vec<Recorded> {
        self.heard.as_mut().map(|heard| std::mem::take(&mut heard.recorded)).unwrap_or_default()
    }

    /// What the journal tells of a session.
    pub fn known_session(
        &mut self,
        session: SessionId,
    ) -> Result<Option<SessionFact>, RecordError> {
        self.facts()?.session(session)
    }

    /// How far a session's turn is.
    pub fn known_turn(&mut self, session: SessionId) -> Result<TurnFact, RecordError> {
        self.facts()?.turn(session)
    }

    /// Whether the journal has an event: a prompt, or an execution's.
    pub fn has(&mut self, event: &Event) -> Result<bool, RecordError> {
        Ok(matches!(self.known(event)?, Known::Duplicate))
    }
}
