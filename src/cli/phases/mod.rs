//! `annals phases`: nodes of a search tree, run phase by phase.

mod prompts;
mod run;
mod story;

use super::command::verbs;
use super::{Context, Exit, Result};
use crate::cli::shown;
use crate::output::escape;
use crate::phases::NodeOutcome;

/// Run a node of a search tree: ask a model, install, write, compile, run, and remember
///
/// Each node has a branch of memory that sees what its parents remember. What happens is recorded:
/// prompts, replies, commands with their output, the logs of the phases, the result.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

verbs! { enum What {
    Run(run::Args) => run::run,
    List(story::ListArgs) => story::list,
    Show(story::ShowArgs) => story::show,
    Prompts(prompts::Args) => prompts::run,
} }

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    args.what.run(context)
}

fn outcome(outcome: &NodeOutcome, context: &mut Context) -> Result<()> {
    for note in &outcome.notes {
        context.output.note(escape::line(note));
    }
    if context.output.is_json() {
        return Ok(context.output.json(outcome)?);
    }
    for phase in &outcome.phases {
        let how = match &phase.error {
            None => "ok".to_owned(),
            Some(error) => format!("failed: {}", escape::line(error)),
        };
        let (name, ms) = (phase.phase.as_str(), phase.duration_ms);
        context.output.line(format_args!("{name:<9} {ms:>7} ms  {how}"))?;
    }
    let node = escape::line(&outcome.place.node).into_owned();
    match (&outcome.error, &outcome.metric) {
        (Some(error), _) => {
            context.output.line(format_args!("{node} is buggy: {}", escape::line(error)))?;
        }
        (None, Some(metric)) => {
            context.output.line(format_args!("{node} reached {}", escape::line(metric)))?;
        }
        (None, None) => context.output.line(format_args!("{node} ran; it printed no metric"))?,
    }
    context.output.line(format_args!("workspace {}", shown(&outcome.workspace)))?;
    Ok(())
}
