//! `annals tui`: the timeline on a terminal, followed as it grows.

use std::io::IsTerminal;

use super::{CliError, Context, Exit, Result};

/// The timeline, live in the terminal
///
/// Where the session or the project stands (step, last execution, time since the timeline was
/// read), its recent history, failure loops, sessions, one execution whole, and what led to it. It
/// shows what is recorded while it is recorded; with --at what was known then, with --evidence a
/// copy. Looking records nothing. The last line lists the main keys; ? lists all, q quits.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Only this session: its id, the beginning of it, or the agent's own name for it
    #[arg(long, value_name = "SESSION")]
    pub session: Option<String>,
    /// Only this tool, by the contract's name or the agent's
    #[arg(long, value_name = "TOOL")]
    pub tool: Option<String>,
    /// Only failures (refused is not failed)
    #[arg(long)]
    pub failed: bool,
    /// Only what has this text in its target, arguments, output or error
    #[arg(long, value_name = "TEXT")]
    pub grep: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    if context.output.is_json() {
        let what = "a screen is no JSON: annals log --json, annals log --follow --json";
        return Err(CliError::Refused { what });
    }
    let dumb = std::env::var_os("TERM").is_none_or(|terminal| terminal == "dumb");
    if dumb || !context.output.terminal || !std::io::stdin().is_terminal() {
        let what = "this needs a terminal: annals log prints, annals log --follow goes on";
        return Err(CliError::Refused { what });
    }
    let what = "this build has no screen: build annals with its feature `tui`, or use annals log";
    let show = context.surfaces.screen.ok_or(CliError::Refused { what })?;
    show(args, context)
}
