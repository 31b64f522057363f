//! `annals memory consolidate`: puts a branch's memory in order.

use super::OriginArgs;
use crate::cli::{CliError, Context, Exit, counted};
use crate::event::PressureLevel;
use crate::output::wire;

/// Put a branch's memory in order: unimportant keys to the archive, older events into summaries
///
/// What it does depends on how full memory is; without --level also what `annals memory pressure`
/// recommends is done. Its ancestors keep theirs, and no text is lost.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The branch, or the node it stands for
    #[arg(value_name = "BRANCH")]
    branch: String,
    /// As if memory were so full: low, medium, high or critical [default: as full as it is]
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    level: Option<PressureLevel>,
    /// What memory is wanted for: a model judges by it
    #[arg(long, value_name = "TEXT")]
    task: Option<String>,
    #[command(flatten)]
    origin: OriginArgs,
}

fn level(text: &str) -> Result<PressureLevel, String> {
    PressureLevel::parse(text).ok_or_else(|| "must be low, medium, high or critical".to_owned())
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let (branch, task) = (&args.branch, args.task.as_deref());
    let done = crate::cli::memory::operate_judged(
        Some((branch, task)),
        &args.origin,
        context,
        |operation| match args.level {
            Some(level) => operation.auto_consolidate_memory(branch, level, task),
            None => operation.consolidate_memory(branch, task),
        },
    )?;
    let done = done.map(|it| wire::memory::Consolidation::of(&it));
    let it = &done.done;
    let freed = counted(it.freed_chars, "character");
    let did = match it.actions_taken.as_slice() {
        [] => "nothing was to be done".to_owned(),
        actions => actions.join(", "),
    };
    let mut sentence = format!("{branch}: {did}; {freed} freed, {} now", it.new_pressure_level);
    if let Some(why) = &it.importance_failed {
        sentence += &format!("; importance stays as it is: {why}");
    }
    crate::cli::memory::tell(&done, &sentence, context)?;
    Ok(Exit::Fine)
}
