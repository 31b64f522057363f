//! `annals debug escalations`: what a person is to look at.

use super::print;
use crate::cli::{CliError, Context, Exit};
use crate::journal::clock;
use crate::output::{time, wire};

/// The debug sessions that were escalated to a person, the latest first
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Only those that were worked on since then: an age (2h, 3d), a date or an RFC 3339 time
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// How many
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    number: usize,
    /// End with 1 where there is one
    #[arg(long)]
    exit_code: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let since = |text: &String| time::parse(text, clock::now_ms(), &context.zone);
    let since_ms = args.since.as_ref().map(since).transpose()?.unwrap_or_default();
    let found = crate::cli::debug::each(context, |one| {
        let row = |it| wire::DebugSession::of(it, one.journal);
        Ok(one.view.recent_escalations(since_ms, args.number)?.into_iter().map(row).collect())
    })?;
    let exit = if args.exit_code && !found.is_empty() { Exit::Findings } else { Exit::Fine };
    if context.output.is_json() {
        context.output.json_list(&found)?;
    } else if found.is_empty() {
        context.output.line("Nothing is escalated.")?;
    } else {
        print::sessions(&found, context)?;
        let session = &found[0].session_id;
        context.output.line(format_args!("Next: annals debug show {session}"))?;
    }
    Ok(exit)
}
