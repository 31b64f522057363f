//! When something happened in a session, and where that is in the journal.

use serde::{Deserialize, Serialize};

use crate::event::Recorded;

/// When something happened, and where that is in the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    pub sequence: u64,
    /// Unix milliseconds.
    pub at_ms: u64,
    /// What the clock read then, where the session's time was another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_ms: Option<u64>,
}

impl Moment {
    pub(crate) fn of(recorded: &Recorded) -> Self {
        let envelope = &recorded.event.envelope;
        let (at_ms, raw_ms) = (envelope.at_ms, envelope.raw_at_ms);
        Self { sequence: recorded.sequence.0, at_ms, raw_ms }
    }

    /// How far it lies from a reading of the clock, milliseconds: one reading from the other, since a
    /// session's time stands still where the clock was ahead once. Before or behind: what the clock read
    /// ahead of now is no more recent for that.
    pub fn away_ms(&self, now_ms: u64) -> u64 {
        now_ms.abs_diff(self.raw_ms.unwrap_or(self.at_ms))
    }
}
