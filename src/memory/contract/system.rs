//! Layer 3, system functions, and what keeps a memory small ("Automatic/Internal Operations").

use serde_json::Value;

use super::{BranchMemory, Result};
use crate::event::{Importance, PressureLevel};
use crate::memory::query::{Pressure, Rendered};
use crate::memory::{Applied, ImportanceModel, MemoryConsolidation, RenderGiven};
use crate::parse::reply::Updates;

impl BranchMemory {
    /// Applies a model's `<memory_update>`, as one commit.
    pub fn apply_llm_memory_updates(
        &mut self,
        branch_id: &str,
        updates: &Value,
        node_id: Option<&str>,
        phase: Option<&str>,
    ) -> Result<Applied> {
        let updates = Updates::of(updates)?;
        if updates.consolidate {
            self.memory().judge(branch_id, phase)?;
        }
        self.operate(|op| op.apply_llm_memory_updates(branch_id, &updates, node_id, phase, None))
    }

    /// What a branch sees, as text for a prompt of at most so many characters.
    pub fn render_for_prompt(
        &mut self,
        branch_id: &str,
        task_hint: Option<&str>,
        budget_chars: u64,
        no_limit: bool,
    ) -> Result<String> {
        Ok(self.render_for_prompt_with_log(branch_id, task_hint, budget_chars, no_limit)?.0)
    }

    /// As [`Self::render_for_prompt`], with what is in the text.
    pub fn render_for_prompt_with_log(
        &mut self,
        branch_id: &str,
        task_hint: Option<&str>,
        budget_chars: u64,
        no_limit: bool,
    ) -> Result<(String, Rendered)> {
        let given = RenderGiven {
            task_hint: task_hint.map(str::to_owned),
            budget_chars: Some(budget_chars),
            no_limit,
            prompt: None,
        };
        let rendered = self.operate(|op| op.render_for_prompt_with_log(branch_id, &given))?;
        Ok((rendered.text.clone(), rendered))
    }

    /// How full a branch's memory is, and what would help.
    pub fn check_memory_pressure(
        &mut self,
        branch_id: &str,
        phase: Option<&str>,
    ) -> Result<Pressure> {
        self.of_node(None, phase, |op| op.check_memory_pressure(branch_id))
    }

    /// Puts a branch's memory in order, as far as the pressure asks for.
    pub fn auto_consolidate_memory(
        &mut self,
        branch_id: &str,
        pressure_level: PressureLevel,
        task_hint: Option<&str>,
    ) -> Result<MemoryConsolidation> {
        self.memory().judge(branch_id, task_hint)?;
        self.operate(|op| op.auto_consolidate_memory(branch_id, pressure_level, task_hint))
    }

    /// Puts a branch's own older events into the archive; how many.
    pub fn consolidate_recall_events(&mut self, branch_id: &str) -> Result<u64> {
        let done = self.operate(|op| op.consolidate_recall_events(branch_id))?;
        Ok(done.map_or(0, |done| done.events))
    }

    /// Sums up what a branch inherits of older events, for it alone; how many.
    pub fn consolidate_inherited_memory(&mut self, branch_id: &str) -> Result<u64> {
        let done = self.operate(|op| op.consolidate_inherited_memory(branch_id))?;
        Ok(done.map_or(0, |done| done.events))
    }

    /// Lets a model judge what the keys of a branch's own are worth; without one, the settings'
    /// command, or what is stored.
    pub fn evaluate_importance_with_llm(
        &mut self,
        branch_id: &str,
        task_hint: Option<&str>,
        model: Option<&mut dyn ImportanceModel>,
    ) -> Result<Vec<Importance>> {
        match model {
            Some(model) => self.memory().judge_by(model, branch_id, task_hint)?,
            None => self.memory().judge(branch_id, task_hint)?,
        }
        self.operate(|op| op.evaluate_importance_with_llm(branch_id, task_hint))
    }
}
