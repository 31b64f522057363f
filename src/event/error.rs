//! What can be wrong with an event's bytes or fields.

use super::Kind;

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
