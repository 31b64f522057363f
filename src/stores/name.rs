//! The stores' names, as `annals rebuild [STORE…]` takes them.

use std::fmt;

use crate::store::Concern;

/// A store that `rebuild` knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StoreName {
    /// `.annals/index.db`. First: the execution log looks starts up in it.
    Index,
    /// `execution_log.db` in the project's root.
    ExecutionLog,
    /// `.annals/memory.db`, made with the first event of branch memory.
    Memory,
    /// `.annals/memory/`, a folder: `memory_calls.jsonl` and the logs of its layers.
    MemoryLogs,
    /// `.annals/experiments/`, a folder: the logs of phases and prompts.
    Experiments,
    /// `.annals/debug-memory/`, a folder: a JSON document a debug session.
    DebugMemory,
    /// `codegraph.db` in the project's root, which magellan shares. Last: what it lacks stops nobody.
    CodeGraph,
}

impl StoreName {
    /// Every store, in the order they are caught up.
    pub const ALL: &'static [StoreName] = &[
        Self::Index,
        Self::ExecutionLog,
        Self::Memory,
        Self::MemoryLogs,
        Self::Experiments,
        Self::DebugMemory,
        Self::CodeGraph,
    ];

    /// Reads `index`, `execution_log`, `memory`, `codegraph`, with or without `.db`, `graph`,
    /// `memory_calls`, with or without `.jsonl`, `experiments` and `debug-memory`.
    pub fn parse(text: &str) -> Option<Self> {
        match text.strip_suffix(".db").unwrap_or(text) {
            "index" => Some(Self::Index),
            "execution_log" => Some(Self::ExecutionLog),
            "memory" => Some(Self::Memory),
            "memory_calls" | "memory_calls.jsonl" => Some(Self::MemoryLogs),
            "experiments" => Some(Self::Experiments),
            "debug-memory" | "debug_memory" | "debug" => Some(Self::DebugMemory),
            "codegraph" | "graph" => Some(Self::CodeGraph),
            _ => None,
        }
    }

    /// The file's name, or what a folder is called for.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Index => "index.db",
            Self::ExecutionLog => "execution_log.db",
            Self::Memory => "memory.db",
            Self::MemoryLogs => "memory_calls",
            Self::Experiments => "experiments",
            Self::DebugMemory => "debug-memory",
            Self::CodeGraph => "codegraph.db",
        }
    }

    /// Whether it is a folder of files, and no SQLite file.
    pub fn is_folder(self) -> bool {
        matches!(self, Self::MemoryLogs | Self::Experiments | Self::DebugMemory)
    }

    /// Which events it is made of.
    pub fn concern(self) -> Concern {
        match self {
            Self::Index | Self::ExecutionLog | Self::CodeGraph => Concern::Everything,
            Self::Memory => Concern::Memory,
            Self::MemoryLogs => Concern::MemoryAndPhases,
            Self::Experiments => Concern::Experiments,
            Self::DebugMemory => Concern::Debug,
        }
    }
}

impl fmt::Display for StoreName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
