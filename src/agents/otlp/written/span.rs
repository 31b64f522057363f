//! A span as it is written, in either form.

use crate::event::{ExecutionId, Sequence, SessionId};

/// As the protobuf numbers them.
pub const INTERNAL: u8 = 1;
pub const CLIENT: u8 = 3;

#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    pub trace: [u8; 16],
    pub id: [u8; 8],
    pub parent: Option<[u8; 8]>,
    pub name: String,
    pub kind: u8,
    pub start_ms: u64,
    pub end_ms: u64,
    pub attributes: Vec<(&'static str, Value)>,
    /// A span of another trace.
    pub link: Option<([u8; 16], [u8; 8])>,
    /// What went wrong: its status is an error.
    pub error: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(String),
    Int(i64),
    Flag(bool),
    Texts(Vec<String>),
}

impl Span {
    /// A span of a moment.
    pub fn at(trace: [u8; 16], id: [u8; 8], name: String, at_ms: u64) -> Self {
        let (parent, link, error) = (None, None, None);
        let (kind, attributes) = (INTERNAL, Vec::new());
        Self {
            trace,
            id,
            parent,
            name,
            kind,
            start_ms: at_ms,
            end_ms: at_ms,
            attributes,
            link,
            error,
        }
    }

    /// How much its texts take.
    pub fn bytes(&self) -> usize {
        let value = |(_, value): &(&str, Value)| match value {
            Value::Text(text) => text.len(),
            Value::Texts(texts) => texts.iter().map(String::len).sum(),
            Value::Int(_) | Value::Flag(_) => 0,
        };
        let texts: usize = self.attributes.iter().map(value).sum();
        texts + self.name.len() + self.error.as_deref().map_or(0, str::len)
    }

    pub fn text(&mut self, key: &'static str, value: impl Into<String>) {
        self.attributes.push((key, Value::Text(value.into())));
    }

    /// A text where there is one.
    pub fn told(&mut self, key: &'static str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(key, value);
        }
    }

    /// A number where there is one; none of ours is so large that it does not fit.
    pub fn count(&mut self, key: &'static str, value: Option<u64>) {
        let value = value.map(|it| i64::try_from(it).unwrap_or(i64::MAX));
        self.attributes.extend(value.map(|it| (key, Value::Int(it))));
    }
}

fn hash(domain: &str, parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(domain.as_bytes()).update(b"\0");
    parts.iter().for_each(|part| {
        hasher.update(part);
    });
    *hasher.finalize().as_bytes()
}

fn first<const N: usize>(hash: [u8; 32]) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&hash[..N]);
    out
}

/// A session is a trace, in whichever journal it stands.
pub fn trace_of(session: SessionId) -> [u8; 16] {
    first(hash("annals otlp trace", &[&session.0]))
}

/// The trace of what is of no session.
pub fn trace_beside(journal: &[u8; 16]) -> [u8; 16] {
    first(hash("annals otlp journal", &[journal]))
}

pub fn session_span(session: SessionId) -> [u8; 8] {
    first(hash("annals otlp session", &[&session.0]))
}

pub fn call_span(execution: ExecutionId) -> [u8; 8] {
    first(hash("annals otlp execution", &[&execution.0]))
}

/// The span of a message, known by its own id.
pub fn message_span(trace: &[u8; 16], native_id: &str) -> [u8; 8] {
    first(hash("annals otlp message", &[trace, native_id.as_bytes()]))
}

/// The span of any other event.
pub fn event_span(journal: &[u8; 16], at: Sequence) -> [u8; 8] {
    first(hash("annals otlp event", &[journal, &at.0.to_le_bytes()]))
}
