//! Events, as `export` and `replay` print them: every field of every kind.

mod base64;
mod body;
mod content;
mod debug;
mod execution;
mod grounding;
mod memory;
mod phase;
mod repo;
mod session;
mod step;
mod unreadable;

use serde::Serialize;

pub use base64::decode;
pub use body::Body;
pub use content::Content;
pub use execution::Json;
pub use unreadable::Unreadable;

use crate::event::{self, Recorded, Source};
use crate::execution::replay::Contents;
use crate::output::time;

/// One event of a journal.
#[derive(Debug, Serialize)]
pub struct Event<'a> {
    /// Which journal it is of, where several were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<&'a str>,
    pub sequence: u64,
    /// The kind's name, and the kind's and its schema's numbers.
    pub kind: &'a str,
    pub kind_number: u16,
    pub schema: u8,
    /// When it happened, UTC.
    pub at: Option<String>,
    /// The clock's or the transcript's own reading, where it was clamped.
    pub raw_at: Option<String>,
    /// When the journal took it, UTC.
    pub recorded: Option<String>,
    pub session: Option<String>,
    /// The door it came by: `live`, `hook`, `import` or `annals`.
    pub source: &'a str,
    /// What redaction took out before it was recorded, and by which version of the rules.
    pub redactions: Vec<Redaction<'a>>,
    pub redactor_version: u16,
    /// The fields of its kind.
    pub body: Body<'a>,
}

/// One redaction rule's share.
#[derive(Debug, Serialize)]
pub struct Redaction<'a> {
    pub rule: &'a str,
    pub count: u32,
}

impl<'a> Event<'a> {
    /// The document of an event; contents are brought from beside the journal.
    pub fn of(journal: Option<&'a str>, recorded: &'a Recorded, contents: &Contents) -> Self {
        let event::Event { envelope, body } = &recorded.event;
        let redactions = envelope.redactions.iter();
        Self {
            journal,
            sequence: recorded.sequence.0,
            kind: body.name(),
            kind_number: body.kind().0,
            schema: body.schema(),
            at: time::utc(envelope.at_ms),
            raw_at: envelope.raw_at_ms.and_then(time::utc),
            recorded: time::utc(recorded.recorded_ms),
            session: envelope.session.map(|session| session.to_string()),
            source: source(envelope.source),
            redactions: redactions
                .map(|redaction| Redaction { rule: &redaction.rule, count: redaction.count })
                .collect(),
            redactor_version: envelope.redactor_version,
            body: Body::of(body, contents),
        }
    }
}

/// The word for a door.
pub fn source(source: Source) -> &'static str {
    match source {
        Source::Live => "live",
        Source::Hook => "hook",
        Source::Import => "import",
        Source::Annals => "annals",
    }
}

#[cfg(test)]
mod tests;
