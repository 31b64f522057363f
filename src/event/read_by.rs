//! How the timeline came before an agent.

use bincode::{Decode, Encode};

/// How the timeline came before an agent. Append-only: the position of a variant is its byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum ReadBy {
    /// It asked: `memory_query`, `annals timeline`.
    Asked,
    /// The gate refused, or advised, and gave it along.
    Gate,
}

impl ReadBy {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Gate => "gate",
        }
    }
}
