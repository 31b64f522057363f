//! Which part of a journal an audit replay or an export is of.

use crate::event::{Recorded, Sequence, SessionId};

/// Which events are wanted. The default: all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    pub from: Option<Sequence>,
    pub through: Option<Sequence>,
    /// Only events that happened then or later, Unix milliseconds.
    pub from_ms: Option<u64>,
    /// Only events that happened then or earlier.
    pub through_ms: Option<u64>,
    /// Only these sessions' events.
    pub sessions: Option<Vec<SessionId>>,
}

impl Window {
    /// Whether an event is in it.
    pub fn holds(&self, recorded: &Recorded) -> bool {
        let envelope = &recorded.event.envelope;
        self.holds_at(recorded.sequence)
            && self.from_ms.is_none_or(|from| envelope.at_ms >= from)
            && self.through_ms.is_none_or(|through| envelope.at_ms <= through)
            && self.sessions.as_ref().is_none_or(|sessions| {
                envelope.session.is_some_and(|session| sessions.contains(&session))
            })
    }

    /// Whether a place is in it.
    pub fn holds_at(&self, at: Sequence) -> bool {
        self.from.is_none_or(|from| at >= from) && self.through.is_none_or(|through| at <= through)
    }

    /// Whether places from `first` to `last` touch it.
    pub fn touches(&self, first: Sequence, last: Sequence) -> bool {
        self.from.is_none_or(|from| last >= from)
            && self.through.is_none_or(|through| first <= through)
    }

    /// Whether it is a part by place.
    pub fn is_part(&self) -> bool {
        self.from.is_some() || self.through.is_some()
    }
}
