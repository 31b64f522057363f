//! The care of a branch's memory: how full it is, what its keys are worth, and putting it in order.

use super::Result;
use super::core::used_chars;
use super::importance::{ImportanceItem, Judged};
use super::operation::Operation;
use super::results::MemoryConsolidation;
use crate::event::{
    Body, EvictionCause, Importance, ImportanceEvaluated, MemoryConsolidated, Ordered,
    PressureChecked, PressureLevel,
};
use crate::memory::query::{self, CoreValue, Pressure};

impl Operation<'_> {
    /// How full a branch's memory is, and what would help.
    pub fn check_memory_pressure(&mut self, branch: &str) -> Result<Pressure> {
        let branch = self.branch(branch)?;
        let found = self.pressure(&branch)?;
        let body = PressureChecked {
            branch,
            level: found.level,
            overall_permille: found.overall_permille(),
            core_used: found.core_used,
            core_max: found.core_max,
            core_entries: found.core_entries,
            recall_count: found.recall_count,
            recall_max: found.recall_max,
            archival_count: found.archival_count,
            archival_chars: found.archival_chars,
            recommendations: found.recommendations.iter().map(|&it| it.to_owned()).collect(),
            origin: self.internal(),
        };
        self.record(Body::PressureChecked(body))?;
        Ok(found)
    }

    /// What the keys of a branch's own are worth: what [`super::Memory::judge`] was told, else what
    /// is stored.
    pub fn evaluate_importance_with_llm(
        &mut self,
        branch: &str,
        task_hint: Option<&str>,
    ) -> Result<Vec<Importance>> {
        let branch = self.branch(branch)?;
        let rows = self.live_core(&branch)?;
        let scores = self.judged(&branch).of(&items(&rows));
        if !scores.is_empty() {
            self.evaluated(&branch, task_hint, scores.clone())?;
        }
        Ok(scores)
    }

    pub(super) fn evaluated(
        &mut self,
        branch: &str,
        task_hint: Option<&str>,
        items: Vec<Importance>,
    ) -> Result<()> {
        let (branch, task_hint) = (branch.to_owned(), task_hint.map(str::to_owned));
        let origin = self.internal();
        let body = ImportanceEvaluated { branch, task_hint, items, origin };
        self.record(Body::ImportanceEvaluated(body))
    }

    pub(super) fn pressure(&mut self, branch: &str) -> Result<Pressure> {
        let (sizes, at_ms) = (self.config().clone(), self.at_ms);
        Ok(query::pressure(&self.view()?, branch, &sizes, at_ms)?)
    }

    pub(super) fn judged(&self, branch: &str) -> Judged {
        let judged = self.bench.judged.iter().find(|judged| judged.branch == branch);
        judged.cloned().unwrap_or_default()
    }
}

pub(super) fn items(rows: &[CoreValue]) -> Vec<ImportanceItem> {
    let item = |row: &CoreValue| ImportanceItem {
        key: row.key.clone(),
        value: row.value.clone(),
        importance: row.importance,
    };
    rows.iter().map(item).collect()
}

/// What is worth this or less goes first under high pressure.
const UNIMPORTANT: u8 = 2;

/// What is done besides what the level asks for.
struct Besides {
    recall: bool,
    core: bool,
}

impl Operation<'_> {
    /// Puts a branch's memory in order as the pressure asks for. Medium: importance is judged anew.
    /// High: what is worth 2 or less goes to the archive, then the least important until core is no
    /// longer above the share that counts as high; events beyond the window become summaries.
    /// Critical: the budget holds.
    ///
    /// What a model judged comes from [`super::Memory::judge`]; without it what is stored counts.
    pub fn auto_consolidate_memory(
        &mut self,
        branch: &str,
        level: PressureLevel,
        task_hint: Option<&str>,
    ) -> Result<MemoryConsolidation> {
        let branch = self.branch(branch)?;
        self.tidy(&branch, level, &Besides { recall: false, core: false }, task_hint)
    }

    /// As [`Self::auto_consolidate_memory`], for the pressure that memory is under, and besides what
    /// that recommends: where somebody asks for it, events beyond the window become summaries and a
    /// core too full is relieved, however low the pressure is.
    pub fn consolidate_memory(
        &mut self,
        branch: &str,
        task_hint: Option<&str>,
    ) -> Result<MemoryConsolidation> {
        let branch = self.branch(branch)?;
        let found = self.check_memory_pressure(&branch)?;
        let core = found.recommendations.contains(&"evict_core");
        self.tidy(&branch, found.level, &Besides { recall: true, core }, task_hint)
    }

    fn tidy(
        &mut self,
        branch: &str,
        level: PressureLevel,
        besides: &Besides,
        task_hint: Option<&str>,
    ) -> Result<MemoryConsolidation> {
        let mut actions = Vec::new();
        let before = self.live_core(branch)?;
        let mut importance_failed = None;
        if level >= PressureLevel::Medium {
            let judged = self.judged(branch);
            importance_failed = judged.failed.clone();
            let scores = judged.of(&items(&before));
            if !scores.is_empty() {
                actions.push(format!("evaluated_core_importance:{}", scores.len()));
                self.evaluated(branch, task_hint, scores.clone())?;
            }
            if level >= PressureLevel::High {
                self.evict_unimportant(branch, &scores)?;
            }
        }
        if level >= PressureLevel::High || besides.core {
            self.relieve_core(branch)?;
        }
        let (evicted, _) = gone(&before, &self.live_core(branch)?);
        if evicted > 0 {
            actions.push(format!("evicted_core_items:{evicted}"));
        }
        let mut recall_consolidated = 0;
        if level >= PressureLevel::High || besides.recall {
            recall_consolidated = self.consolidate_beyond(branch)?.events;
            if recall_consolidated > 0 {
                actions.push(format!("consolidated_recall:{recall_consolidated}"));
            }
        }
        if level >= PressureLevel::Critical && !self.enforce_core_budget(branch, None)?.is_empty() {
            actions.push("enforced_core_budget".to_owned());
        }
        let (evicted, freed_chars) = gone(&before, &self.live_core(branch)?);
        let new_level = self.check_memory_pressure(branch)?.level;
        let body = MemoryConsolidated {
            branch: branch.to_owned(),
            level,
            new_level,
            actions: actions.clone(),
            freed_chars,
            core_evicted: evicted,
            recall_consolidated,
            origin: self.internal(),
        };
        self.record(Body::MemoryConsolidated(body))?;
        Ok(MemoryConsolidation {
            actions_taken: actions,
            freed_chars,
            core_items_evicted: evicted,
            recall_events_consolidated: recall_consolidated,
            new_pressure_level: new_level,
            importance_failed,
        })
    }

    fn evict_unimportant(&mut self, branch: &str, scores: &[Importance]) -> Result<()> {
        for row in self.live_core(branch)? {
            let score = scores.iter().find(|score| score.key == row.key);
            if score.is_some_and(|score| score.score <= UNIMPORTANT) {
                self.evict_core(branch, &row, EvictionCause::Consolidation, "Core evicted")?;
            }
        }
        Ok(())
    }

    /// Archives the least important until core is no longer above the share that counts as high.
    fn relieve_core(&mut self, branch: &str) -> Result<()> {
        let max = self.config().core_max_chars;
        let allowed = max as f64 * self.config().pressure_thresholds.high;
        let mut rows = self.live_core(branch)?;
        rows.order_by_key(|row| {
            std::cmp::Reverse((row.importance, row.updated_ms, row.key.clone()))
        });
        // A size of 0 is no limit.
        while max > 0
            && used_chars(&rows) as f64 > allowed
            && let Some(row) = rows.pop()
        {
            self.evict_core(branch, &row, EvictionCause::Consolidation, "Core evicted")?;
        }
        Ok(())
    }
}

/// Keys that are no longer there, and the characters of their values.
fn gone(before: &[CoreValue], after: &[CoreValue]) -> (u64, u64) {
    let mut gone = (0, 0);
    for row in before.iter().filter(|row| !after.iter().any(|left| left.key == row.key)) {
        gone = (gone.0 + 1, gone.1 + row.value.chars().count() as u64);
    }
    gone
}
