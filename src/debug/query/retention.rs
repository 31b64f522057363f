//! How long documents are kept (ruling 15).

use super::DebugSession;

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// How many days a document is kept after its last change: of those that apply the longest (ruling 15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetentionRules {
    pub days: u32,
    /// Where the session was escalated, however it ended.
    pub escalated_days: u32,
    /// Where a pattern was learnt.
    pub learned_days: u32,
}

/// A debug session that was kept as long as the rules say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueSession {
    pub session: DebugSession,
    /// The days that counted.
    pub days: u32,
    /// When it became due, Unix milliseconds.
    pub due_ms: u64,
}

impl RetentionRules {
    /// The days that count for a session.
    pub fn days_of(&self, session: &DebugSession) -> u32 {
        let mut days = self.days;
        if session.was_escalated {
            days = days.max(self.escalated_days);
        }
        if session.patterns > 0 {
            days = days.max(self.learned_days);
        }
        days
    }

    /// When a session is due, Unix milliseconds.
    pub fn due_ms(&self, session: &DebugSession) -> u64 {
        session.updated_ms.saturating_add(u64::from(self.days_of(session)) * DAY_MS)
    }

    /// What was changed after this time cannot be due at `now_ms`.
    pub(super) fn changed_through_ms(&self, now_ms: u64) -> Option<u64> {
        now_ms.checked_sub(u64::from(self.days) * DAY_MS)
    }
}
