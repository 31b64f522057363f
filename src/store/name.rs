//! The stores' names, as `annals rebuild [STORE…]` takes them.

use std::fmt;

use super::Concern;

/// A store that `rebuild` knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StoreName {
    /// `.annals/index.db`. First: the execution log looks starts up in it.
    Index,
    /// `execution_log.db` in the project's root.
    ExecutionLog,
    /// `.annals/memory.db`, made with the first event of branch memory.
    Memory,
    /// `codegraph.db` in the project's root, which magellan shares. Last: what it lacks stops nobody.
    CodeGraph,
}

impl StoreName {
    /// Every store, in the order they are caught up.
    pub const ALL: &'static [StoreName] =
        &[Self::Index, Self::ExecutionLog, Self::Memory, Self::CodeGraph];

    /// Reads `index`, `execution_log`, `memory`, `codegraph`, with or without `.db`, and `graph`.
    pub fn parse(text: &str) -> Option<Self> {
        match text.strip_suffix(".db").unwrap_or(text) {
            "index" => Some(Self::Index),
            "execution_log" => Some(Self::ExecutionLog),
            "memory" => Some(Self::Memory),
            "codegraph" | "graph" => Some(Self::CodeGraph),
            _ => None,
        }
    }

    /// The file's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Index => "index.db",
            Self::ExecutionLog => "execution_log.db",
            Self::Memory => "memory.db",
            Self::CodeGraph => "codegraph.db",
        }
    }

    /// Which events it is made of.
    pub fn concern(self) -> Concern {
        match self {
            Self::Index | Self::ExecutionLog | Self::CodeGraph => Concern::Everything,
            Self::Memory => Concern::Memory,
        }
    }
}

impl fmt::Display for StoreName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
