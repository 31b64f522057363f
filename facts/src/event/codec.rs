//! Event ↔ payload bytes: bincode 2, little endian, variable-length integers, bounded.

use std::borrow::Cow;

use bincode::config::{Configuration, Limit, LittleEndian, Varint};
use bincode::{Decode, Encode};

use super::limits::PAYLOAD_BYTES_MAX;
use super::{Body, Envelope, Event, Kind, swift};

type Bounded = Configuration<LittleEndian, Varint, Limit<PAYLOAD_BYTES_MAX>>;
const CONFIG: Bounded = bincode::config::standard().with_limit::<PAYLOAD_BYTES_MAX>();

/// The payload of an event: its envelope, then its body.
pub fn encode(event: &Event, out: &mut Vec<u8>) -> Result<(), EventError> {
    let start = out.len();
    if !swift::encode(event, out) {
        encode_any(event, out)?;
    }
    let bytes = out.len() - start;
    if bytes > PAYLOAD_BYTES_MAX {
        out.truncate(start);
        return Err(EventError::TooLarge {
            kind: event.body.kind(),
            bytes,
            bytes_max: PAYLOAD_BYTES_MAX,
        });
    }
    Ok(())
}

/// As [`encode`], whatever the kind and however long.
pub(super) fn encode_any(event: &Event, out: &mut Vec<u8>) -> Result<(), EventError> {
    let start = out.len();
    put(&event.envelope, out).and_then(|()| event.body.encode_into(out)).map_err(|source| {
        out.truncate(start);
        EventError::Encode { kind: event.body.kind(), source }
    })
}

/// The event in a payload. Untrusted bytes: bounded, and trailing bytes are refused.
pub fn decode(kind: Kind, schema: u8, payload: &[u8]) -> Result<Event, EventError> {
    let known = kind.schema().ok_or(EventError::UnknownKind { kind })?;
    if schema > known {
        return Err(EventError::NewerSchema { kind, schema, known });
    }
    if let Some(event) = swift::decode(kind, schema, payload) {
        return Ok(event);
    }
    decode_any(kind, schema, payload)
}

/// As [`decode`], whatever the kind.
pub(super) fn decode_any(kind: Kind, schema: u8, payload: &[u8]) -> Result<Event, EventError> {
    let payload = upcast(kind, schema, payload)?;
    let failed = |source| EventError::Decode { kind, source };
    let (envelope, used) = take::<Envelope>(&payload).map_err(failed)?;
    let rest = &payload[used..];
    let (body, used) =
        Body::decode_from(kind, rest).ok_or(EventError::UnknownKind { kind })?.map_err(failed)?;
    if used != rest.len() {
        return Err(EventError::TrailingBytes { kind, bytes: rest.len() - used });
    }
    Ok(Event { envelope, body })
}

pub(super) fn put<T: Encode>(
    value: &T,
    out: &mut Vec<u8>,
) -> Result<(), bincode::error::EncodeError> {
    bincode::encode_into_std_write(value, out, CONFIG).map(drop)
}

pub(super) fn take<T: Decode<()>>(bytes: &[u8]) -> Result<(T, usize), bincode::error::DecodeError> {
    bincode::decode_from_slice(bytes, CONFIG)
}

/// Lifts a payload of an older schema, one step at a time, to the newest.
///
/// A step is a match arm `(kind, from_schema)` that gives the next schema's bytes.
pub(super) fn upcast(kind: Kind, schema: u8, payload: &[u8]) -> Result<Cow<'_, [u8]>, EventError> {
    match (kind.0, schema) {
        (_, 0) => Err(EventError::UnknownKind { kind }),
        // RecoveryPerformed: no byte and no event lost.
        (0x0102, 1) => Ok(Cow::Owned([payload, &[0, 0]].concat())),
        // PromptSubmitted: nothing came with it.
        (0x0202, 1) => Ok(Cow::Owned([payload, &[0]].concat())),
        // ContextInjected: an empty text inline, no files.
        (0x0205, 1) => Ok(Cow::Owned([payload, &[0, 0, 0]].concat())),
        // RepoIdentified: no linked working tree.
        (0x0a01, 1) => Ok(Cow::Owned([payload, &[0]].concat())),
        _ => Ok(Cow::Borrowed(payload)),
    }
}

/// What can be wrong with an event's bytes or fields.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    #[error("event kind {:#06x} is not known to this build", kind.0)]
    UnknownKind { kind: Kind },
    #[error("event kind {:#06x} has schema {schema}; this build reads up to {known}", kind.0)]
    NewerSchema { kind: Kind, schema: u8, known: u8 },
    #[error("event kind {:#06x} could not be encoded", kind.0)]
    Encode { kind: Kind, source: bincode::error::EncodeError },
    #[error("event kind {:#06x} could not be decoded", kind.0)]
    Decode { kind: Kind, source: bincode::error::DecodeError },
    #[error("event kind {:#06x} has {bytes} bytes after its end", kind.0)]
    TrailingBytes { kind: Kind, bytes: usize },
    #[error("event kind {:#06x} has {bytes} bytes; at most {bytes_max} are allowed", kind.0)]
    TooLarge { kind: Kind, bytes: usize, bytes_max: usize },
    #[error("the payload of this {} was destroyed on purpose", kind.name().unwrap_or("event"))]
    Redacted { kind: Kind },
    #[error("{field} is not JSON: {reason} at line {line}, column {column}")]
    NotJson { field: &'static str, reason: &'static str, line: usize, column: usize },
    #[error("{field} is JSON nested deeper than {depth_max} levels")]
    JsonTooDeep { field: &'static str, depth_max: usize },
    #[error("{field} is JSON of {bytes} bytes; at most {bytes_max} are allowed")]
    JsonTooLarge { field: &'static str, bytes: usize, bytes_max: usize },
}
