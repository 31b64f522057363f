//! Memory as a prompt shows it.

use super::Result;
use super::operation::Operation;
use crate::event::{Body, Content, PromptPlace, PromptRendered};
use crate::memory::query::{self as memory, Render, Rendered};

/// What a prompt is to show of memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RenderGiven {
    /// What the prompt is for: records that say most of it come first.
    pub task_hint: Option<String>,
    /// Characters; `None`: what the settings say.
    pub budget_chars: Option<u64>,
    /// Everything, whatever it takes.
    pub no_limit: bool,
    /// The query of a model that it is for.
    pub prompt: Option<PromptPlace>,
}

impl Operation<'_> {
    /// What a branch sees, as text for a prompt.
    pub fn render_for_prompt(&mut self, branch: &str, given: &RenderGiven) -> Result<String> {
        Ok(self.render_for_prompt_with_log(branch, given)?.text)
    }

    /// As [`Self::render_for_prompt`], with what is in the text.
    pub fn render_for_prompt_with_log(
        &mut self,
        branch: &str,
        given: &RenderGiven,
    ) -> Result<Rendered> {
        let branch = self.branch(branch)?;
        let began_ms = self.now();
        let budget_chars = given.budget_chars.unwrap_or(self.config().prompt_budget_chars);
        let (config, at_ms) = (self.config().clone(), self.at_ms);
        let whole = |size: u64| usize::try_from(size).unwrap_or(usize::MAX);
        let ask = Render {
            branch: &branch,
            task_hint: given.task_hint.as_deref(),
            budget_chars: whole(budget_chars),
            no_limit: given.no_limit,
            now_ms: at_ms,
            recall_max_events: whole(config.recall_max_events),
            retrieval_k: whole(config.retrieval_k),
        };
        let rendered = memory::render(&self.view_with_words()?, &ask)?;
        let count = |it: usize| it as u64;
        let body = PromptRendered {
            branch: branch.clone(),
            task_hint: given.task_hint.clone(),
            budget_chars,
            no_limit: given.no_limit,
            rendered: Content::Inline(rendered.text.clone().into_bytes()),
            rendered_chars: count(rendered.chars),
            core_count: count(rendered.core.len()),
            recall_count: count(rendered.recall.len()),
            archival_count: count(rendered.archival.len()),
            began_ms,
            ended_ms: self.now().max(began_ms),
            prompt: given.prompt.clone(),
            origin: self.origin(),
        };
        self.record(Body::PromptRendered(body))?;
        Ok(rendered)
    }
}
