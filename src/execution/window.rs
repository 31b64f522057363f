//! A part of a journal, by place, time and session.

use crate::event::{Recorded, Sequence, SessionId};

/// Which events, or rows of the stores, are wanted. The default: all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    pub from: Option<Sequence>,
    pub through: Option<Sequence>,
    /// Only what happened then or later, Unix milliseconds.
    pub from_ms: Option<u64>,
    /// Only what happened then or earlier.
    pub through_ms: Option<u64>,
    /// Only what is of these sessions.
    pub sessions: Option<Vec<SessionId>>,
}

impl Window {
    pub fn holds(&self, recorded: &Recorded) -> bool {
        let envelope = &recorded.event.envelope;
        self.holds_at(recorded.sequence)
            && self.from_ms.is_none_or(|from| envelope.at_ms >= from)
            && self.through_ms.is_none_or(|through| envelope.at_ms <= through)
            && self.sessions.as_ref().is_none_or(|sessions| {
                envelope.session.is_some_and(|session| sessions.contains(&session))
            })
    }

    pub fn holds_at(&self, at: Sequence) -> bool {
        self.from.is_none_or(|from| at >= from) && self.through.is_none_or(|through| at <= through)
    }

    /// Whether places from `first` to `last` touch it.
    pub fn touches(&self, first: Sequence, last: Sequence) -> bool {
        self.from.is_none_or(|from| last >= from)
            && self.through.is_none_or(|through| first <= through)
    }

    pub fn is_part(&self) -> bool {
        self.from.is_some() || self.through.is_some()
    }
}
