//! How far a session's turn is.

use super::RecordError;
use crate::event::{Body, Outcome, SessionId, Source};

/// What an import must know of a session's turn that an earlier one may have left open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnFact {
    /// A step of it was begun or ended.
    pub is_stepped: bool,
    /// A call ended since; not that one was given up, or was told of late.
    pub ran: bool,
    /// Whether a transcript told of its last call.
    pub is_imported: Option<bool>,
}

impl TurnFact {
    pub(super) fn take(&mut self, body: &Body, source: Source) {
        match body {
            Body::StepBegun(_) | Body::StepEnded(_) => (self.is_stepped, self.ran) = (true, false),
            Body::ExecutionFinished(it) => self.ran |= it.closing.outcome != Outcome::Interrupted,
            _ => (),
        }
        if matches!(body, Body::StepBegun(_) | Body::ExecutionStarted(_)) {
            self.is_imported = Some(source == Source::Import);
        }
    }

    /// This, of what lies behind `past`.
    pub fn after(self, past: Self) -> Self {
        let is_stepped = self.is_stepped || past.is_stepped;
        let ran = self.ran || past.ran && !self.is_stepped;
        Self {
            is_stepped,
            ran: ran && is_stepped,
            is_imported: self.is_imported.or(past.is_imported),
        }
    }
}

impl super::Facts {
    /// How far the session's turn is.
    pub(in crate::journal::recorder) fn turn(
        &self,
        session: SessionId,
    ) -> Result<TurnFact, RecordError> {
        let past = self.ask(|past| past.turn(session))?;
        let read = self.session(session)?.map(|it| it.turn).unwrap_or_default();
        Ok(read.after(past))
    }
}
