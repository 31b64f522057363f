//! Whether the contract's tool list may grow (ruling 4).

use serde::Deserialize;

/// Whether the contract's tool list may grow (ruling 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Contract {
    /// Importers and hooks declare what they meet.
    #[default]
    Open,
    /// The eleven names of the first version, and no others.
    Locked,
}

impl Contract {
    pub const ALL: [Self; 2] = [Self::Open, Self::Locked];

    /// The word in `config.toml`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Locked => "locked",
        }
    }
}
