//! Older schemas of an event, lifted to the one this build knows.

use std::borrow::Cow;

use super::{EventError, Kind};

/// Lifts a payload of an older schema, one step at a time, to the newest.
///
/// A step is a match arm `(kind, from_schema)` that gives the next schema's bytes.
pub(super) fn upcast(kind: Kind, schema: u8, payload: &[u8]) -> Result<Cow<'_, [u8]>, EventError> {
    match (kind.0, schema) {
        (_, 0) => Err(EventError::UnknownKind { kind }),
        // RecoveryPerformed: no byte and no event lost.
        (0x0102, 1) => Ok(Cow::Owned([payload, &[0, 0]].concat())),
        _ => Ok(Cow::Borrowed(payload)),
    }
}
