//! JSON text inside an event.

use bincode::{Decode, Encode};

/// JSON text. Canonical (RFC 8785) once the recorder has seen it; until then as it came.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Json(pub String);
