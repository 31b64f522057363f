//! What an agent says of its work where it claims no success.

use bincode::{Decode, Encode};

/// What an agent says of its work where it claims no success. Append-only: the position of a
/// variant is its byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Report {
    /// Nothing was verified.
    Unverified,
    /// It did not succeed, or not all of it.
    Failed,
    /// It asks.
    Asked,
}

impl Report {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unverified => "unverified",
            Self::Failed => "failed",
            Self::Asked => "asked",
        }
    }
}
