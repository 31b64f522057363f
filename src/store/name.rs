//! The stores' names, as `annals rebuild [STORE…]` takes them.

use std::fmt;

/// A store that `rebuild` knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StoreName {
    /// `.annals/index.db`. First: the execution log looks starts up in it.
    Index,
    /// `execution_log.db` in the project's root.
    ExecutionLog,
}

impl StoreName {
    /// Every store, in the order they are caught up.
    pub const ALL: &'static [StoreName] = &[Self::Index, Self::ExecutionLog];

    /// Reads `index`, `execution_log`, with or without `.db`.
    pub fn parse(text: &str) -> Option<Self> {
        match text.strip_suffix(".db").unwrap_or(text) {
            "index" => Some(Self::Index),
            "execution_log" => Some(Self::ExecutionLog),
            _ => None,
        }
    }

    /// The file's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Index => "index.db",
            Self::ExecutionLog => "execution_log.db",
        }
    }
}

impl fmt::Display for StoreName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
