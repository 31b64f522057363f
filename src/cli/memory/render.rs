//! `annals memory render`: memory as a prompt has it.

use super::{OriginArgs, look};
use crate::cli::{CliError, Context, Exit};
use crate::memory::query::Render;
use crate::memory::{RenderGiven, query as memory};
use crate::output::{escape, wire};

/// What a branch sees, as text for a prompt
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The branch, or the node it stands for
    #[arg(value_name = "BRANCH")]
    branch: String,
    /// What the prompt is for: records that have its words come first
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

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let found = if look::is_asked(context) {
        look::branch(&args.branch, context, |one, branch| {
            let config = one.config;
            let budget = args.budget.unwrap_or(config.prompt_budget_chars);
            let render = Render {
                branch,
                task_hint: args.task.as_deref(),
                budget_chars: look::size(budget),
                no_limit: args.no_limit,
                now_ms: one.now_ms,
                recall_max_events: look::size(config.recall_max_events),
                retrieval_k: look::size(config.retrieval_k),
                use_fts: config.use_fts,
            };
            Ok(memory::render(&one.view, &render)?)
        })?
    } else {
        let given = RenderGiven {
            task_hint: args.task,
            budget_chars: args.budget,
            no_limit: args.no_limit,
            prompt: None,
        };
        let done = crate::cli::memory::operate(&args.origin, context, |operation| {
            operation.render_for_prompt_with_log(&args.branch, &given)
        })?;
        vec![done.done]
    };
    for one in &found {
        match context.output.is_json() {
            true => context.output.json(&wire::memory::Rendered::of(one))?,
            false => context.output.line(escape::block(&one.text))?,
        }
    }
    Ok(Exit::Fine)
}
