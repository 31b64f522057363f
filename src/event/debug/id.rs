//! Which debug session.

use std::fmt;

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};
use uuid::{Builder, Uuid};

/// Identifies one debug session. UUID v7 where we make it (ruling 15); any UUID is accepted.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode, Serialize, Deserialize,
)]
#[serde(try_from = "String", into = "String")]
pub struct DebugSessionId(pub [u8; 16]);

impl DebugSessionId {
    /// A v7 UUID of this moment and these ten random bytes.
    pub fn v7(at_ms: u64, entropy: &[u8; 10]) -> Self {
        Self(Builder::from_unix_timestamp_millis(at_ms, entropy).into_uuid().into_bytes())
    }

    /// A v8 UUID of sixteen derived bytes: what is found again by what it was made of.
    pub fn derived(bytes: [u8; 16]) -> Self {
        Self(Builder::from_custom_bytes(bytes).into_uuid().into_bytes())
    }

    /// Reads any hyphenated UUID.
    pub fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(|uuid| Self(uuid.into_bytes()))
    }
}

impl fmt::Display for DebugSessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Uuid::from_bytes(self.0).hyphenated().fmt(f)
    }
}

impl From<DebugSessionId> for String {
    fn from(id: DebugSessionId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for DebugSessionId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("no UUID")
    }
}
