//! What a gate's verdict does.

use bincode::{Decode, Encode};
use serde::Deserialize;

/// What a gate's verdict does. Append-only: the position of a variant is its byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GateMode {
    /// It is recorded and nothing else.
    Observe,
    /// The call goes on, and the agent is given what it should have read.
    Advise,
    /// The call does not run.
    Enforce,
}

impl GateMode {
    /// The word in `config.toml` and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Observe => "observe",
            Self::Advise => "advise",
            Self::Enforce => "enforce",
        }
    }
}
