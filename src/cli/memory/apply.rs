//! `annals memory apply`: does what a model's reply asks for.

use super::OriginArgs;
use crate::cli::{CliError, Context, Exit};
use crate::output::{escape, wire};
use crate::parse::reply::{ReplyError, updates_of};
use crate::pipe::PipeError;

/// Do what a model's reply asks of memory: its <memory_update>, from standard input, in one commit
///
/// Also takes the JSON object alone. Exit 1 where part of it could not be done and was left out. What
/// it read is printed, for the model's next round; exit 2 where the reply cannot be used: then what
/// is printed is what to send back to the model.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The branch, or the node it stands for
    #[arg(value_name = "BRANCH")]
    branch: String,
    #[command(flatten)]
    origin: OriginArgs,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let updates = match updates_of(&crate::cli::memory::text()?) {
        Ok(updates) => updates,
        Err(fault) => return refused(fault, context),
    };
    let (branch, node) = (&args.branch, args.origin.node());
    let judged = updates.consolidate.then_some((branch.as_str(), None));
    let done = crate::cli::memory::operate_judged(judged, &args.origin, context, |operation| {
        operation.apply_llm_memory_updates(branch, &updates, node, args.origin.phase(), None)
    })?;
    let done = done.map(|it| wire::memory::Applied::of(&it));
    let applied = &done.done;
    let exit = if applied.refused.is_empty() { Exit::Fine } else { Exit::Findings };
    let asked = match applied.asked.as_slice() {
        [] => "nothing".to_owned(),
        asked => asked.join(", "),
    };
    crate::cli::memory::tell(&done, &format!("Applied to {branch}: {asked}"), context)?;
    if context.output.is_json() {
        return Ok(exit);
    }
    if done.done.has_reads {
        context.output.line(escape::block(&done.done.reads_text))?;
    }
    for refusal in &done.done.refused {
        let text = format!("left out: {}: {}", refusal.at, refusal.why);
        context.output.line(escape::line(&text))?;
    }
    Ok(exit)
}

/// Prints what to send back to the model.
fn refused(fault: ReplyError, context: &mut Context) -> Result<Exit, CliError> {
    match context.output.is_json() {
        true => context.output.json(&PipeError::of_reply(&fault))?,
        false => context.output.line(escape::block(&fault.feedback()))?,
    }
    Err(fault.into())
}
