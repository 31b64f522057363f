//! `annals memory apply`, `render`: what a model asks of memory, and what its prompt has of it.

use super::look::Look;
use super::{OriginArgs, look, operate_judged, text};
use crate::cli::{Context, Exit, Result};
use crate::memory::RenderGiven;
use crate::memory::query::{self, Render as Ask};
use crate::output::escape;
use crate::output::wire::{OfJournal, PipeError};
use crate::parse::reply::{ReplyError, updates_of};

/// Apply a model's <memory_update> from standard input, in one commit
///
/// Also takes the JSON object alone. Exit 1 where part of it could not be done and was left out. What
/// it read is printed, for the model's next round; exit 2 where the reply cannot be used: then what
/// is printed is what to send back to the model.
#[derive(clap::Args, Debug)]
pub struct Apply {
    /// The branch, or the node it stands for
    branch: String,
    #[command(flatten)]
    origin: OriginArgs,
}

impl Apply {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let updates = match updates_of(&text()?) {
            Ok(updates) => updates,
            Err(fault) => return refused(fault, context),
        };
        let (branch, origin) = (self.branch.as_str(), &self.origin);
        let judged = updates.consolidate.then_some((branch, None));
        let done = operate_judged(judged, origin, context, |op| {
            let (node, phase) = (origin.node.as_deref(), origin.phase.as_deref());
            op.apply_llm_memory_updates(branch, &updates, node, phase, None)
        })?;
        let applied = &done.done;
        let asked: Vec<&str> = applied.asked.iter().map(|asked| asked.key()).collect();
        let asked = if asked.is_empty() { "nothing".to_owned() } else { asked.join(", ") };
        done.tell(&format!("Applied to {branch}: {asked}"), context)?;
        if !context.output.is_json() {
            if !applied.reads.is_empty() {
                context.output.line(escape::block(&applied.reads.for_prompt()))?;
            }
            for refusal in &applied.refused {
                context
                    .output
                    .line(escape::line(&format!("left out: {}: {}", refusal.at, refusal.why)))?;
            }
        }
        Ok(if applied.refused.is_empty() { Exit::Fine } else { Exit::Findings })
    }
}

fn refused(fault: ReplyError, context: &mut Context) -> Result<Exit> {
    match context.output.is_json() {
        true => context.output.json(&PipeError::of_reply(&fault))?,
        false => context.output.line(escape::block(&fault.feedback()))?,
    }
    Err(fault.into())
}

/// Render what a branch sees as text for a prompt
#[derive(clap::Args, Debug)]
pub struct Render {
    /// The branch, or the node it stands for
    branch: String,
    /// What the prompt is for: records that say most of it come first
    #[arg(long, value_name = "TEXT")]
    task: Option<String>,
    /// Characters of the whole text [default: what the settings say]
    #[arg(long, value_name = "CHARS")]
    budget: Option<u64>,
    /// Everything, whatever it takes
    #[arg(long, conflicts_with = "budget")]
    no_limit: bool,
    #[command(flatten)]
    origin: OriginArgs,
}

impl Render {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let given = RenderGiven {
            task_hint: self.task,
            budget_chars: self.budget,
            no_limit: self.no_limit,
            prompt: None,
        };
        let look = |one: &Look<'_>, branch: &str| {
            let config = one.config;
            let ask = Ask {
                branch,
                task_hint: given.task_hint.as_deref(),
                budget_chars: look::size(self.budget.unwrap_or(config.prompt_budget_chars)),
                no_limit: self.no_limit,
                now_ms: one.now_ms,
                recall_max_events: look::size(config.recall_max_events),
                retrieval_k: look::size(config.retrieval_k),
            };
            Ok(query::render(&one.view, &ask)?)
        };
        let found = look::seen(&self.branch, &self.origin, context, look, |op| {
            op.render_for_prompt_with_log(&self.branch, &given)
        })?;
        for OfJournal { row: one, .. } in &found {
            match context.output.is_json() {
                true => context.output.json(one)?,
                false => context.output.line(escape::block(&one.text))?,
            }
        }
        Ok(Exit::Fine)
    }
}
