//! An event: whose it is, when it happened, what was taken out of it, and its place in the journal.

use std::fmt;

use bincode::{Decode, Encode};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::{Body, SessionId, wire, words};

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
    /// The clock's or the transcript's own reading, where clamping changed it; 0 where a transcript tells none that
    /// can be, and `at_ms` is only a place in its order.
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

    /// The same, of what no clock was read for.
    pub fn untimed(self) -> Self {
        Self { raw_at_ms: Some(0), ..self }
    }

    pub fn is_untimed(&self) -> bool {
        self.raw_at_ms == Some(0)
    }

    /// What the clock or the transcript told, where that is another time than the event's.
    pub fn told_ms(&self) -> Option<u64> {
        self.raw_at_ms.filter(|ms| *ms > 0)
    }
}

/// One rule's share of what was taken out. Names the rule and nothing of the secret.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct Redaction {
    pub rule: String,
    pub count: u32,
}

words! {
    /// The door an event came by. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum Source {
        /// `annals run`, `annals record` or the library, as it happened.
        Live = "live",
        /// An agent's hook, as it happened.
        Hook = "hook",
        /// An agent's transcript, read later.
        Import = "import",
        /// The program itself: creation, recovery, repair.
        Annals = "annals",
    }
}

/// An event with its place in the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    pub sequence: Sequence,
    /// When the journal took it, Unix milliseconds (the frame's own time).
    pub recorded_ms: u64,
    pub event: Event,
}

impl Serialize for Recorded {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Event { envelope, body } = &self.event;
        let mut fields = to.serialize_struct("Recorded", 12)?;
        fields.serialize_field("sequence", &self.sequence.0)?;
        fields.serialize_field("kind", body.name())?;
        fields.serialize_field("kind_number", &body.kind().0)?;
        fields.serialize_field("schema", &body.schema())?;
        fields.serialize_field("at", &wire::utc_text(envelope.at_ms))?;
        fields.serialize_field("raw_at", &envelope.raw_at_ms.and_then(wire::utc_text))?;
        fields.serialize_field("recorded", &wire::utc_text(self.recorded_ms))?;
        fields.serialize_field("session", &envelope.session)?;
        fields.serialize_field("source", &envelope.source)?;
        fields.serialize_field("redactions", &envelope.redactions)?;
        fields.serialize_field("redactor_version", &envelope.redactor_version)?;
        fields.serialize_field("body", body)?;
        fields.end()
    }
}

/// An event's number in its journal: 1 for the first, never reused. Printed as `@4711`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Sequence(pub u64);

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.0)
    }
}
