//! Memory in a prompt (spec 003, "Memory Injection").

use super::book::{Remembered, remember};
use super::{NodeRun, PhasesError};
use crate::event::PromptPlace;
use crate::memory::RenderGiven;
use crate::phases::prompt::Prompt;

impl NodeRun<'_> {
    /// Puts what the node's branch sees into a prompt, and what a model can do about it; remembers
    /// that it did. Without memory nothing.
    ///
    /// # Errors
    /// Where memory cannot be read, or it could not be recorded.
    pub fn inject_memory(
        &mut self,
        prompt: &mut Prompt,
        hint: &str,
        place: &PromptPlace,
    ) -> Result<(), PhasesError> {
        let budget = self.book.project().config().memory.phase_prompt_budget_chars;
        let given = RenderGiven {
            task_hint: Some(hint.to_owned()),
            budget_chars: Some(budget),
            no_limit: false,
            prompt: Some(place.clone()),
        };
        let (node, stage) = (self.book.place.clone(), self.book.stage.clone());
        // The same words each time: the window is for what happened, not for how often this did.
        let summary = format!("Memory context injected for {hint}");
        let injected = Remembered::Recall { kind: "memory_context_injected", summary };
        let rendered = self.book.with_memory(|operation| {
            let rendered = operation.render_for_prompt(&node.branch, &given)?;
            remember(operation, &node, &stage, &injected)?;
            Ok(rendered)
        })?;
        if let Some(rendered) = rendered {
            let operations = self.texts.text("prompt/config/memory/operations.txt")?;
            prompt.set("Memory", format!("{}\n\n{operations}", rendered.trim_end()));
        }
        Ok(())
    }
}
