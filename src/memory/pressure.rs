//! How full a branch's memory is, and what its keys are worth.

use super::MemoryError;
use super::importance::{ImportanceItem, Judged};
use super::operation::Operation;
use crate::event::{Body, Importance, ImportanceEvaluated, MemoryDoor, PressureChecked};
use crate::memory::query as memory;
use crate::memory::query::{MemorySizes, Pressure};

impl Operation<'_> {
    /// How full a branch's memory is, and what would help.
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

    /// What the keys of a branch's own are worth: what [`super::Memory::judge`] was told, else what
    /// is stored.
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

    pub(super) fn evaluated(
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
        let (sizes, at_ms) = (MemorySizes::of(self.config()), self.at_ms);
        Ok(memory::pressure(&self.view()?, branch, &sizes, at_ms)?)
    }

    pub(super) fn judged(&self, branch: &str) -> Judged {
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
