//! Facts about core memory: keys with values.

use bincode::{Decode, Encode};

use super::MemoryOrigin;

/// A key was given a value.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct CoreSet {
    pub branch: String,
    pub key: String,
    pub value: String,
    /// 1 (goes first) to 5.
    pub importance: u8,
    /// Seconds it is valid from then on, decimal; judged when it is read. `None`, or no number: for
    /// ever.
    pub ttl: Option<String>,
    pub origin: MemoryOrigin,
}

/// A key was deleted: what is inherited under it is hidden from here on down.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct CoreDeleted {
    pub branch: String,
    pub key: String,
    pub reason: String,
    pub origin: MemoryOrigin,
}

/// A key had to go; its value lies in the archive. As with a deletion, what is inherited under it
/// stays hidden.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct CoreEvicted {
    pub branch: String,
    pub key: String,
    /// The archival record that has the value.
    pub record: u64,
    pub importance: u8,
    pub cause: EvictionCause,
    pub origin: MemoryOrigin,
}

/// Why a key had to go. Append-only: the position of a variant is its byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub enum EvictionCause {
    /// The branch's core was over its budget.
    Budget,
    /// It was judged unimportant under pressure.
    Consolidation,
}

impl EvictionCause {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Budget => "budget",
            Self::Consolidation => "consolidation",
        }
    }
}
