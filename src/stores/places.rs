//! Where a project's stores lie.

use std::io;
use std::path::{Path, PathBuf};

use crate::journal::enclosure;
use crate::store::StoreError;
use crate::store::lock::beside;
use crate::stores::StoreName;

/// Where a project's stores lie, and what belongs to them.
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
    /// The default places below a project's root.
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

    /// The file of one store.
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

    /// The same places, with one store elsewhere.
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

    /// Whether there is an empty file where a store belongs: nobody's data.
    pub fn is_empty(&self, store: StoreName) -> bool {
        enclosure::look(self.path(store)).is_ok_and(|look| look.is_file() && look.bytes == 0)
    }

    /// Whether a store is there.
    pub fn has(&self, store: StoreName) -> Result<bool, StoreError> {
        let path = self.path(store);
        match enclosure::look(path) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(source) => Err(StoreError::io(path, "looking for the store", source)),
        }
    }
}
