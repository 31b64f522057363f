//! Layer 3: system functions.

use serde_json::Value;

use super::{BranchMemory, Result};
use crate::memory::query::Rendered;
use crate::memory::{Applied, RenderGiven};
use crate::parse::reply::Updates;

impl BranchMemory {
    /// Applies a model's `<memory_update>`, as one commit.
    ///
    /// # Errors
    /// Where it cannot be read, there is no such branch, or something of it cannot be.
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
    ///
    /// # Errors
    /// Where there is no such branch.
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
    ///
    /// # Errors
    /// Where there is no such branch.
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
}
