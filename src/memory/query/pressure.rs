//! How full a branch's memory is.

use serde::Serialize;

use super::{Result, chain, own_core, recall_counts};
use crate::config::MemoryConfig;
use crate::event::PressureLevel;
use crate::memory::store::{Listed, MemoryView};

/// Records above which the archive is worth pruning.
const ARCHIVAL_MANY: u64 = 100;
/// What a sum of shares may be off by.
const EPSILON: f64 = 1e-9;

/// How full a branch's memory is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pressure {
    pub branch: String,
    pub level: PressureLevel,
    /// 0.6 of core's share and 0.4 of recall's, each at most 1.
    pub overall: f64,
    /// Characters of the branch's own core, as lines, and its budget.
    pub core_used: u64,
    pub core_max: u64,
    pub core_entries: u64,
    /// Events it sees, and its window.
    pub recall_count: u64,
    pub recall_max: u64,
    /// Records it sees, and their characters.
    pub archival_count: u64,
    pub archival_chars: u64,
    /// What would help, in this order: `consolidate_recall`, `evict_core`, `compress_core`,
    /// `summarize_recall`, `prune_archival`.
    pub recommendations: Vec<&'static str>,
}

impl Pressure {
    /// [`Self::overall`] in thousandths.
    pub fn overall_permille(&self) -> u64 {
        (self.overall * 1_000.0).round() as u64
    }
}

/// How full a branch's memory is, against the sizes of the settings. A size of 0 is no limit.
pub fn pressure(
    view: &MemoryView<'_>,
    branch: &str,
    sizes: &MemoryConfig,
    now_ms: u64,
) -> Result<Pressure> {
    let own = own_core(view, branch, now_ms)?;
    let breaks = own.len().saturating_sub(1) as u64;
    let core_used = own.values().map(|value| value.line_chars()).sum::<u64>() + breaks;
    let recall_count = recall_counts(view, branch)?.visible;
    let (mut archival_count, mut archival_chars) = (0, 0);
    for link in chain(view, branch)? {
        archival_count += view.count(Listed::Archival, &link.branch)?;
        archival_chars += view.archived_chars(&link.branch)?;
    }
    let core = share(core_used, sizes.core_max_chars).min(1.0);
    let recall = share(recall_count, sizes.recall_max_events);
    let overall = 0.6 * core + 0.4 * recall.min(1.0);
    let from = &sizes.pressure_thresholds;
    let reached = [
        (from.critical, PressureLevel::Critical),
        (from.high, PressureLevel::High),
        (from.medium, PressureLevel::Medium),
    ];
    let level = reached.into_iter().find(|(threshold, _)| overall + EPSILON >= *threshold);
    let recommendations = [
        (recall > 1.0, "consolidate_recall"),
        (core > from.high, "evict_core"),
        (core > from.medium, "compress_core"),
        (recall > from.medium, "summarize_recall"),
        (archival_count > ARCHIVAL_MANY, "prune_archival"),
    ];
    let helps = recommendations.into_iter().filter(|(helps, _)| *helps);
    Ok(Pressure {
        branch: branch.to_owned(),
        level: level.map_or(PressureLevel::Low, |(_, level)| level),
        overall,
        core_used,
        core_max: sizes.core_max_chars,
        core_entries: own.len() as u64,
        recall_count,
        recall_max: sizes.recall_max_events,
        archival_count,
        archival_chars,
        recommendations: helps.map(|(_, what)| what).collect(),
    })
}

fn share(used: u64, max: u64) -> f64 {
    if max == 0 { 0.0 } else { used as f64 / max as f64 }
}
