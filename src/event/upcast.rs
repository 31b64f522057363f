//! Older schemas of an event, lifted to the one this build knows.

use std::borrow::Cow;

use super::{EventError, Kind};

/// Lifts a payload of an older schema, one step at a time, to the newest.
///
/// Every kind is at schema 1, so there is nothing to lift yet. A step is a match arm
/// `(kind, from_schema)` that decodes the old shape and encodes the next.
pub(super) fn upcast(kind: Kind, schema: u8, payload: &[u8]) -> Result<Cow<'_, [u8]>, EventError> {
    match (kind.0, schema) {
        (_, 0) => Err(EventError::UnknownKind { kind }),
        _ => Ok(Cow::Borrowed(payload)),
    }
}
