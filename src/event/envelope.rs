//! The envelope: whose event it is, when it happened, and what was taken out of it.

use bincode::{Decode, Encode};

use super::{Body, SessionId, Source};

/// One fact, before it has a place in the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub envelope: Envelope,
    pub body: Body,
}

/// What every event carries, whatever its body.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct Envelope {
    /// The session it belongs to; `None` for facts about the journal itself.
    pub session: Option<SessionId>,
    /// The door it came by.
    pub source: Source,
    /// When it happened, Unix milliseconds; never behind an earlier event of its session (I3).
    pub at_ms: u64,
    /// The clock's or the transcript's own reading, where clamping changed it.
    pub raw_at_ms: Option<u64>,
    /// What redaction took out before the event was encoded.
    pub redactions: Vec<Redaction>,
    /// Version of the rule set that ran; 0 where none did.
    pub redactor_version: u16,
}

impl Envelope {
    /// An envelope as a surface makes it: nothing clamped, nothing taken out yet.
    pub fn new(session: Option<SessionId>, source: Source, at_ms: u64) -> Self {
        let (raw_at_ms, redactions, redactor_version) = (None, Vec::new(), 0);
        Self { session, source, at_ms, raw_at_ms, redactions, redactor_version }
    }
}

/// One rule's share of what was taken out. Names the rule and nothing of the secret.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Redaction {
    pub rule: String,
    pub count: u32,
}
