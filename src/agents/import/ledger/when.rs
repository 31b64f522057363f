//! When events were.

use crate::event::{Body, Envelope, Event, SessionId, Source};

/// When something happened, and whether that is not the source's own word.
#[derive(Clone, Copy, Debug)]
pub struct When {
    pub at_ms: u64,
    pub is_untimed: bool,
}

impl From<u64> for When {
    fn from(at_ms: u64) -> Self {
        Self { at_ms, is_untimed: false }
    }
}

pub fn event(session: Option<SessionId>, When { at_ms, is_untimed }: When, body: Body) -> Event {
    let envelope = Envelope::new(session, Source::Import, at_ms);
    let envelope = if is_untimed { envelope.untimed() } else { envelope };
    Event { envelope, body }
}
