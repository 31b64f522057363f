//! Ids of executions, sessions and debug sessions: UUIDs, sixteen bytes in the journal.

use std::fmt;

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize, Serializer};
use uuid::{Builder, Uuid};

/// Identifies one execution. UUID v7 where we make it; v4 accepted (spec 000, I4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct ExecutionId(pub [u8; 16]);

/// Identifies one session: the agent's own UUID, or one derived from its native name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct SessionId(pub [u8; 16]);

/// Identifies one debug session. UUID v7 where we make it (ruling 15); any UUID is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode, Deserialize)]
#[serde(try_from = "String")]
pub struct DebugSessionId(pub [u8; 16]);

/// Identifies one order of redaction: a UUID, the same in every journal that it is carried out in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct OrderId(pub [u8; 16]);

impl OrderId {
    /// A v7 UUID of this moment and these ten random bytes.
    pub fn v7(at_ms: u64, entropy: &[u8; 10]) -> Self {
        Self(Builder::from_unix_timestamp_millis(at_ms, entropy).into_uuid().into_bytes())
    }

    /// Reads any hyphenated UUID.
    pub fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(|uuid| Self(uuid.into_bytes()))
    }
}

impl ExecutionId {
    /// A v7 UUID of this moment and these ten random (or derived) bytes.
    pub fn v7(at_ms: u64, entropy: &[u8; 10]) -> Self {
        Self(Builder::from_unix_timestamp_millis(at_ms, entropy).into_uuid().into_bytes())
    }

    /// Reads a hyphenated UUID of version 4 or 7; anything else is `None`.
    pub fn parse(text: &str) -> Option<Self> {
        let uuid = Uuid::try_parse(text).ok()?;
        matches!(uuid.get_version_num(), 4 | 7).then(|| Self(uuid.into_bytes()))
    }
}

impl SessionId {
    /// Reads any hyphenated UUID.
    pub fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(|uuid| Self(uuid.into_bytes()))
    }

    /// A v8 UUID made of sixteen derived bytes, for agents whose session names are not UUIDs.
    pub fn derived(bytes: [u8; 16]) -> Self {
        Self(Builder::from_custom_bytes(bytes).into_uuid().into_bytes())
    }
}

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

impl TryFrom<String> for DebugSessionId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("no UUID")
    }
}

macro_rules! hyphenated {
    ($($id:ident)*) => {
        $(
            impl fmt::Display for $id {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    Uuid::from_bytes(self.0).hyphenated().fmt(f)
                }
            }

            impl Serialize for $id {
                fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                    to.collect_str(self)
                }
            }
        )*
    };
}

hyphenated! { ExecutionId SessionId DebugSessionId OrderId }
