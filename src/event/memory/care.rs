//! How full a branch's memory is, what matters in it, and what was done about it.

use bincode::{Decode, Encode};

use super::MemoryOrigin;

/// How full memory is was looked at.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct PressureChecked {
    pub branch: String,
    pub level: PressureLevel,
    /// 0.6 of core's share and 0.4 of recall's, in thousandths.
    pub overall_permille: u64,
    /// Characters of the branch's own core, and its budget.
    pub core_used: u64,
    pub core_max: u64,
    pub core_entries: u64,
    /// Events it sees, and its window.
    pub recall_count: u64,
    pub recall_max: u64,
    /// Records it sees, and their characters.
    pub archival_count: u64,
    pub archival_chars: u64,
    pub recommendations: Vec<String>,
    pub origin: MemoryOrigin,
}

/// How full memory is. Append-only: the position of a variant is its byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub enum PressureLevel {
    Low,
    Medium,
    High,
    Critical,
}

impl PressureLevel {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }

    /// Reads what [`Self::as_str`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Low, Self::Medium, Self::High, Self::Critical]
            .into_iter()
            .find(|level| level.as_str() == text)
    }
}

/// A model, or a rule, judged what matters.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct ImportanceEvaluated {
    pub branch: String,
    pub task_hint: Option<String>,
    /// Each key keeps its value and its time to live.
    pub items: Vec<Importance>,
    pub origin: MemoryOrigin,
}

/// What a key is worth.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Importance {
    pub key: String,
    /// 1 to 5.
    pub score: u8,
    pub reason: String,
}

/// Memory was put in order. What was moved are events before this one, in the same commit.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct MemoryConsolidated {
    pub branch: String,
    /// The pressure it was done for, and what it was afterwards.
    pub level: PressureLevel,
    pub new_level: PressureLevel,
    pub actions: Vec<String>,
    pub freed_chars: u64,
    pub core_evicted: u64,
    pub recall_consolidated: u64,
    pub origin: MemoryOrigin,
}
