//! Who said so.

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};

/// Who said so. Append-only: the position of a variant is its byte.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum DebugAuthor {
    /// annals, by its rules, from what it had recorded.
    Annals,
    /// Whoever recorded it: a person, an agent.
    Caller,
}

impl DebugAuthor {
    /// Every one.
    pub const ALL: &'static [Self] = &[Self::Annals, Self::Caller];

    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Annals => "annals",
            Self::Caller => "caller",
        }
    }
}
