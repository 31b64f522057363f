//! The operations that a `<memory_update>` can ask for, and their names.

use serde::{Serialize, Serializer};

/// An operation that a `<memory_update>` can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    CoreSet,
    CoreGet,
    CoreDelete,
    ArchivalWrite,
    ArchivalUpdate,
    ArchivalSearch,
    RecallAppend,
    RecallSearch,
    RecallEvict,
    RecallSummarize,
    Consolidate,
}

/// Its key.
impl Serialize for Operation {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.key())
    }
}

impl Operation {
    /// In the order in which they are applied.
    pub const ALL: [Self; 11] = [
        Self::CoreSet,
        Self::CoreGet,
        Self::CoreDelete,
        Self::ArchivalWrite,
        Self::ArchivalUpdate,
        Self::ArchivalSearch,
        Self::RecallAppend,
        Self::RecallSearch,
        Self::RecallEvict,
        Self::RecallSummarize,
        Self::Consolidate,
    ];

    /// The key of spec 003's table.
    pub fn key(self) -> &'static str {
        match self {
            Self::CoreSet => "core",
            Self::CoreGet => "core_get",
            Self::CoreDelete => "core_delete",
            Self::ArchivalWrite => "archival",
            Self::ArchivalUpdate => "archival_update",
            Self::ArchivalSearch => "archival_search",
            Self::RecallAppend => "recall",
            Self::RecallSearch => "recall_search",
            Self::RecallEvict => "recall_evict",
            Self::RecallSummarize => "recall_summarize",
            Self::Consolidate => "consolidate",
        }
    }

    /// The name of the function that does it, which a model may write as well.
    pub fn alias(self) -> Option<&'static str> {
        match self {
            Self::CoreSet => Some("mem_core_set"),
            Self::CoreGet => Some("mem_core_get"),
            Self::CoreDelete => Some("mem_core_del"),
            Self::ArchivalWrite => Some("mem_archival_write"),
            Self::ArchivalUpdate => Some("mem_archival_update"),
            Self::ArchivalSearch => Some("mem_archival_search"),
            Self::RecallAppend => Some("mem_recall_append"),
            Self::RecallSearch => Some("mem_recall_search"),
            Self::RecallEvict => Some("mem_recall_evict"),
            Self::RecallSummarize | Self::Consolidate => None,
        }
    }

    /// Whether its results are told to the model.
    pub fn is_read(self) -> bool {
        matches!(self, Self::CoreGet | Self::ArchivalSearch | Self::RecallSearch)
    }

    /// The operation of a key.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.key() == name || one.alias() == Some(name))
    }
}
