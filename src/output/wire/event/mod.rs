//! Events, as `export` and `replay` print them: every field of every kind.

mod body;
mod content;
mod debug;
mod execution;
mod grounding;
mod memory;
mod phase;
mod repo;

use serde::Serialize;

use crate::event::{self, Recorded, Source};
use crate::execution::replay::Contents;
use crate::output::time;

pub use body::Body;
pub use content::Content;
pub use execution::Json;

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

/// A session began, or more became known of it.
#[derive(Debug, Serialize)]
pub struct SessionStarted<'a> {
    pub agent: &'a str,
    pub native_id: &'a str,
    pub agent_version: Option<&'a str>,
    pub model: Option<&'a str>,
    pub parent: Option<String>,
    pub cwd: Option<&'a str>,
    pub branch: Option<&'a str>,
    pub title: Option<&'a str>,
}

/// A user, or another agent, asked for something.
#[derive(Debug, Serialize)]
pub struct Prompt<'a> {
    pub text: Content,
    pub native_id: Option<&'a str>,
    pub actor: Option<&'a str>,
}

/// An agent's hook ran.
#[derive(Debug, Serialize)]
pub struct HookRan<'a> {
    pub agent: &'a str,
    pub hook: &'a str,
    pub outcome: &'a str,
    pub duration_ms: Option<u64>,
}

/// Something in a transcript could not become an execution.
#[derive(Debug, Serialize)]
pub struct TranscriptFlawed<'a> {
    pub agent: &'a str,
    pub file: &'a str,
    pub line: u64,
    /// `unreadable line` or `result without call`.
    pub flaw: &'a str,
    pub detail: &'a str,
}

// Base64 (RFC 4648, §4, padded), for bytes that are no text.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes in Base64.
pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let mut word = [0; 4];
        word[1..=group.len()].copy_from_slice(group);
        let word = u32::from_be_bytes(word);
        for at in 0..4_u32 {
            let digit = usize::try_from(word >> (18 - 6 * at) & 0x3f).unwrap_or(0);
            let known = at as usize <= group.len();
            out.push(if known { char::from(DIGITS[digit]) } else { '=' });
        }
    }
    out
}

/// The bytes that padded Base64 stands for; `None` where it is none.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (groups, rest) = text.as_bytes().as_chunks::<4>();
    for group in groups {
        let known = group.iter().take_while(|byte| **byte != b'=').count();
        let mut word = 0_u32;
        for byte in group {
            let digit = DIGITS.iter().position(|digit| digit == byte);
            let digit = digit.or((*byte == b'=').then_some(0))?;
            word = word << 6 | u32::try_from(digit).ok()?; // one of 64
        }
        out.extend(word.to_be_bytes().into_iter().skip(1).take(known.saturating_sub(1)));
    }
    rest.is_empty().then_some(out)
}

/// An event that could not be read.
#[derive(Debug, Serialize)]
pub struct Unreadable<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<&'a str>,
    /// Of lost ones the first, where that is known.
    pub sequence: Option<u64>,
    /// Of lost ones the last.
    pub last_sequence: Option<u64>,
    pub kind: Option<&'a str>,
    pub kind_number: Option<u16>,
    /// `unknown`, `redacted`, `undecodable` or `lost`.
    pub what: &'static str,
    pub problem: String,
}

#[cfg(test)]
mod tests;
