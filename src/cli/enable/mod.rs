//! `annals enable`: a project, its past sessions, and the agents' hooks, each shown and confirmed.

mod carry_out;
mod gather;
pub mod made;
mod plan;
mod print;
mod program;

use super::{CliError, Context, Exit};
use crate::agents::settings::Agent;

/// Record what your coding agents do here from now on, and import what they did
///
/// Makes this folder a project if it is none, imports the past sessions of Claude Code and Codex in
/// it, and installs the agents' hooks. Each step is shown, with the file and the very lines, and
/// asked for. Hooks advise: an edit without a read of the timeline goes on, and the agent is given
/// the timeline. Run twice it changes nothing; `annals disable` takes the hooks out again and leaves
/// every settings file as it was.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Which agents [default: those found on this machine]
    #[arg(value_enum, value_name = "AGENT")]
    agents: Vec<Agent>,
    /// Do everything without asking
    #[arg(long, short = 'y')]
    yes: bool,
    /// Show what would be done, and do nothing
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    /// Hooks deny an edit that has no read of the timeline before it
    #[arg(long)]
    enforce: bool,
    /// Install in your own settings, for all projects; where there is no journal hooks are silent
    #[arg(long)]
    user: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    context.must_write()?;
    let plan = gather::plan(&args, context)?;
    let asks = super::ask::is_possible(context);
    let mut told = plan.told();
    if args.dry_run || !(args.yes || asks) {
        if context.output.is_json() {
            context.output.json(&told)?;
        } else {
            print::plan(&plan, &mut context.output)?;
            let again = print::again(&args);
            let text = match args.dry_run {
                true => format!("Nothing was done. Next: {again}"),
                false => {
                    format!("Nothing was done: there is no terminal to ask on. Next: {again} --yes")
                }
            };
            context.output.line(text)?;
        }
        return Ok(if args.dry_run { Exit::Fine } else { Exit::Usage });
    }
    let exit = carry_out::all(&plan, args.yes, &mut told, context)?;
    if context.output.is_json() {
        context.output.json(&told)?;
    }
    Ok(exit)
}
