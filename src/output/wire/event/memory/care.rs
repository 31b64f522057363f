//! How full memory is and what was done about it, in JSON.

use serde::Serialize;

use super::Origin;
use crate::event;

/// The fields of one kind. Levels are `low`, `medium`, `high` and `critical`.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Care<'a> {
    /// `overall_permille`: 0.6 of core's share and 0.4 of recall's.
    Checked {
        branch: &'a str,
        level: &'static str,
        overall_permille: u64,
        core_used: u64,
        core_max: u64,
        core_entries: u64,
        recall_count: u64,
        recall_max: u64,
        archival_count: u64,
        archival_chars: u64,
        recommendations: &'a [String],
        origin: Origin<'a>,
    },
    Evaluated {
        branch: &'a str,
        task_hint: Option<&'a str>,
        items: Vec<Importance<'a>>,
        origin: Origin<'a>,
    },
    Consolidated {
        branch: &'a str,
        level: &'static str,
        new_level: &'static str,
        actions: &'a [String],
        freed_chars: u64,
        core_evicted: u64,
        recall_consolidated: u64,
        origin: Origin<'a>,
    },
}

/// What a key is worth, 1 to 5.
#[derive(Debug, Serialize)]
pub struct Importance<'a> {
    pub key: &'a str,
    pub score: u8,
    pub reason: &'a str,
}

pub fn checked(b: &event::PressureChecked) -> Care<'_> {
    Care::Checked {
        branch: &b.branch,
        level: b.level.as_str(),
        overall_permille: b.overall_permille,
        core_used: b.core_used,
        core_max: b.core_max,
        core_entries: b.core_entries,
        recall_count: b.recall_count,
        recall_max: b.recall_max,
        archival_count: b.archival_count,
        archival_chars: b.archival_chars,
        recommendations: &b.recommendations,
        origin: Origin::of(&b.origin),
    }
}

pub fn evaluated(b: &event::ImportanceEvaluated) -> Care<'_> {
    let items = b.items.iter();
    Care::Evaluated {
        branch: &b.branch,
        task_hint: b.task_hint.as_deref(),
        items: items
            .map(|it| Importance { key: &it.key, score: it.score, reason: &it.reason })
            .collect(),
        origin: Origin::of(&b.origin),
    }
}

pub fn consolidated(b: &event::MemoryConsolidated) -> Care<'_> {
    Care::Consolidated {
        branch: &b.branch,
        level: b.level.as_str(),
        new_level: b.new_level.as_str(),
        actions: &b.actions,
        freed_chars: b.freed_chars,
        core_evicted: b.core_evicted,
        recall_consolidated: b.recall_consolidated,
        origin: Origin::of(&b.origin),
    }
}
