//! How full a branch's memory is, and putting it in order.

use super::MemoryError;
use super::importance::{ImportanceItem, Judged};
use super::operation::Operation;
use super::results::MemoryConsolidation;
use crate::event::{
    Body, EvictionCause, Importance, ImportanceEvaluated, MemoryConsolidated, MemoryDoor,
    PressureChecked, PressureLevel,
};
use crate::query::memory::{self, MemorySizes, Pressure};

/// What is worth this or less goes first under high pressure.
const UNIMPORTANT: u8 = 2;

impl Operation<'_> {
    /// How full a branch's memory is, and what would help.
    ///
    /// # Errors
    /// Where there is no such branch.
    pub fn check_memory_pressure(&mut self, branch: &str) -> Result<Pressure, MemoryError> {
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
            origin: self.origin(MemoryDoor::Internal),
        };
        self.record(Body::PressureChecked(body))?;
        Ok(found)
    }

    /// Puts a branch's memory in order as the pressure asks for. Medium: importance is judged anew.
    /// High: what is worth 2 or less goes to the archive, and recall events become summaries.
    /// Critical: the budget holds.
    ///
    /// What a model judged comes from [`super::Memory::judge`]; without it what is stored counts.
    ///
    /// # Errors
    /// Where there is no such branch.
    pub fn auto_consolidate_memory(
        &mut self,
        branch: &str,
        level: PressureLevel,
        task_hint: Option<&str>,
    ) -> Result<MemoryConsolidation, MemoryError> {
        let branch = self.branch(branch)?;
        let mut actions = Vec::new();
        let (mut freed_chars, mut evicted) = (0, 0);
        let mut importance_failed = None;
        if level >= PressureLevel::Medium {
            let rows = self.live_core(&branch)?;
            let judged = self.judged(&branch);
            importance_failed = judged.failed.clone();
            let scores = judged.of(&items(&rows));
            if !scores.is_empty() {
                actions.push(format!("evaluated_core_importance:{}", scores.len()));
                self.evaluated(&branch, task_hint, scores.clone())?;
            }
            if level >= PressureLevel::High {
                for mut row in rows {
                    let Some(score) = scores.iter().find(|score| score.key == row.key) else {
                        continue;
                    };
                    if score.score <= UNIMPORTANT {
                        row.importance = score.score;
                        let cause = EvictionCause::Consolidation;
                        self.evict_core(&branch, &row, cause, "Core evicted")?;
                        freed_chars += row.value.chars().count() as u64;
                        evicted += 1;
                    }
                }
            }
            if evicted > 0 {
                actions.push(format!("evicted_core_items:{evicted}"));
            }
        }
        let mut recall_consolidated: u64 = 0;
        if level >= PressureLevel::High {
            let inherited = self.consolidate_inherited(&branch)?;
            let own = self.consolidate_own(&branch)?;
            recall_consolidated = [inherited, own].iter().flatten().map(|done| done.events).sum();
            if recall_consolidated > 0 {
                actions.push(format!("consolidated_recall:{recall_consolidated}"));
            }
        }
        if level >= PressureLevel::Critical {
            self.enforce_core_budget(&branch, None)?;
            actions.push("enforced_core_budget".to_owned());
        }
        let new_level = self.check_memory_pressure(&branch)?.level;
        let body = MemoryConsolidated {
            branch,
            level,
            new_level,
            actions: actions.clone(),
            freed_chars,
            core_evicted: evicted,
            recall_consolidated,
            origin: self.origin(MemoryDoor::Internal),
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

    /// What the keys of a branch's own are worth: what [`super::Memory::judge`] was told, else what
    /// is stored.
    ///
    /// # Errors
    /// Where there is no such branch.
    pub fn evaluate_importance_with_llm(
        &mut self,
        branch: &str,
        task_hint: Option<&str>,
    ) -> Result<Vec<Importance>, MemoryError> {
        let branch = self.branch(branch)?;
        let rows = self.live_core(&branch)?;
        let scores = self.judged(&branch).of(&items(&rows));
        if !scores.is_empty() {
            self.evaluated(&branch, task_hint, scores.clone())?;
        }
        Ok(scores)
    }

    fn evaluated(
        &mut self,
        branch: &str,
        task_hint: Option<&str>,
        items: Vec<Importance>,
    ) -> Result<(), MemoryError> {
        let (branch, task_hint) = (branch.to_owned(), task_hint.map(str::to_owned));
        let origin = self.origin(MemoryDoor::Internal);
        let body = ImportanceEvaluated { branch, task_hint, items, origin };
        self.record(Body::ImportanceEvaluated(body))
    }

    pub(super) fn pressure(&mut self, branch: &str) -> Result<Pressure, MemoryError> {
        let (config, at_ms) = (self.config(), self.at_ms);
        let sizes = MemorySizes {
            core_max_chars: config.core_max_chars,
            recall_max_events: config.recall_max_events,
            medium: config.pressure_thresholds.medium,
            high: config.pressure_thresholds.high,
            critical: config.pressure_thresholds.critical,
        };
        Ok(memory::pressure(&self.view()?, branch, &sizes, at_ms)?)
    }

    fn judged(&self, branch: &str) -> Judged {
        let judged = self.bench.judged.iter().find(|judged| judged.branch == branch);
        judged.cloned().unwrap_or_default()
    }
}

/// The keys that are to be judged.
pub(super) fn items(rows: &[memory::CoreValue]) -> Vec<ImportanceItem> {
    let item = |row: &memory::CoreValue| ImportanceItem {
        key: row.key.clone(),
        value: row.value.clone(),
        importance: row.importance,
    };
    rows.iter().map(item).collect()
}
