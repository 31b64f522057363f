//! What a record means, as the user's own command put it into a vector.

use bincode::{Decode, Encode};
use serde::{Serialize, Serializer};

use super::MemoryOrigin;

/// A record's text became a vector: whatever searches by it needs no model to be rebuilt.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct MemoryEmbedded {
    pub branch: String,
    /// The archival record; it counts until the record's text is changed.
    pub record: u64,
    /// As the command calls what made it; empty where it does not say. Only vectors of one model are compared.
    pub model: String,
    /// A byte a component, −127 to 127 in two's complement, the largest of them ±127: only the direction counts.
    #[serde(serialize_with = "as_base64")]
    pub vector: Vec<u8>,
    pub origin: MemoryOrigin,
}

fn as_base64<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&crate::event::content::base64(bytes))
}
