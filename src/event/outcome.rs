//! How an execution ended.

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};

/// How an execution ended. Append-only: the position of a variant is its byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It ran and did what was asked.
    Ok,
    /// It ran and failed.
    Failed,
    /// It never ran: the user, the gate or validation said no.
    Refused,
    /// Its owner is gone and no result was seen (ruling 2).
    Interrupted,
}

impl Outcome {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failed => "failed",
            Self::Refused => "refused",
            Self::Interrupted => "interrupted",
        }
    }
}
