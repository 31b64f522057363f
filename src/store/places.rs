//! The stores' names, as `annals rebuild [STORE…]` takes them.

use std::fmt;
use std::path::{Path, PathBuf};

use super::dir::if_there;
use super::lock::beside;
use super::{Concern, StoreError};
use crate::journal::enclosure;

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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StorePlaces {
    /// The project's root: what its paths are told from.
    pub root: PathBuf,
    pub execution_log: PathBuf,
    pub index: PathBuf,
    pub memory: PathBuf,
    pub memory_logs: PathBuf,
    pub experiments: PathBuf,
    pub debug_memory: PathBuf,
    pub code_graph: PathBuf,
    /// A folder: stores that were replaced because they could not be trusted, and stray `-wal`s.
    pub quarantine: PathBuf,
    /// A folder: stores while they are built.
    pub building: PathBuf,
    /// A JSON-lines file: every anomaly, as it was met.
    pub errors: PathBuf,
}

impl StorePlaces {
    pub fn of(root: &Path) -> Self {
        let annals = root.join(".annals");
        Self {
            root: root.to_owned(),
            execution_log: root.join(StoreName::ExecutionLog.as_str()),
            index: annals.join(StoreName::Index.as_str()),
            memory: annals.join(StoreName::Memory.as_str()),
            memory_logs: annals.join("memory"),
            experiments: annals.join(StoreName::Experiments.as_str()),
            debug_memory: annals.join(StoreName::DebugMemory.as_str()),
            code_graph: root.join(StoreName::CodeGraph.as_str()),
            building: annals.join("building"),
            quarantine: annals.join("quarantine"),
            errors: annals.join("errors.jsonl"),
        }
    }

    pub fn path(&self, store: StoreName) -> &Path {
        match store {
            StoreName::Index => &self.index,
            StoreName::ExecutionLog => &self.execution_log,
            StoreName::Memory => &self.memory,
            StoreName::MemoryLogs => &self.memory_logs,
            StoreName::Experiments => &self.experiments,
            StoreName::DebugMemory => &self.debug_memory,
            StoreName::CodeGraph => &self.code_graph,
        }
    }

    pub fn with(&self, store: StoreName, path: &Path) -> Self {
        let mut places = self.clone();
        *match store {
            StoreName::Index => &mut places.index,
            StoreName::ExecutionLog => &mut places.execution_log,
            StoreName::Memory => &mut places.memory,
            StoreName::MemoryLogs => &mut places.memory_logs,
            StoreName::Experiments => &mut places.experiments,
            StoreName::DebugMemory => &mut places.debug_memory,
            StoreName::CodeGraph => &mut places.code_graph,
        } = path.to_owned();
        places
    }

    /// Whether a store was ever opened here: its lock stays beside it. A graph, which is magellan's as
    /// well, has none.
    pub fn was_made(&self, store: StoreName) -> bool {
        beside(self.path(store), ".lock").exists()
    }

    /// The first store that is there and that a journal must have brought forth. A graph may be another
    /// program's alone, and anybody's file may be called as the log of executions is: that one has a cursor.
    pub fn brought_forth(&self) -> Option<&Path> {
        let has_cursor = |store: StoreName| {
            let opened = store.open_still(self.path(store));
            opened.and_then(|store| store.cursor()).is_ok_and(|cursor| cursor.is_some())
        };
        let is_ours = |store: &StoreName| match store {
            StoreName::CodeGraph => false,
            StoreName::ExecutionLog => has_cursor(*store),
            _ => self.has(*store).is_ok_and(|has| has),
        };
        StoreName::ALL.iter().copied().find(is_ours).map(|store| self.path(store))
    }

    pub fn is_empty(&self, store: StoreName) -> bool {
        enclosure::look(self.path(store)).is_ok_and(|look| look.is_file() && look.bytes == 0)
    }

    pub fn has(&self, store: StoreName) -> Result<bool, StoreError> {
        let path = self.path(store);
        let looked = if_there(enclosure::look(path)).map(|look| look.is_some());
        looked.map_err(|source| StoreError::io(path, "looking for the store", source))
    }
}
