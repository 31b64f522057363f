//! `annals debug close`: ends a session.

use super::{verdict, work};
use crate::cli::{CliError, Context, Exit};
use crate::event::DebugStatus;
use crate::output::wire;

/// End a debug session: given up, escalated to a person, or passed
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The debug session: its id, the beginning of it, or `last`
    #[arg(value_name = "SESSION", default_value = work::LAST)]
    session: String,
    /// How it stands from now on: failed, escalated or passed
    #[arg(long, value_name = "STATUS", value_parser = crate::cli::debug::status, default_value = "failed")]
    status: DebugStatus,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let (status, reason) = (args.status, args.reason);
    let done =
        work::on(&args.session, context, |writer, session| writer.close(session, status, reason))?;
    if context.output.is_json() {
        context.output.json(&wire::DebugClosed::of(done))?;
    } else {
        verdict::closed(&done, context)?;
    }
    Ok(Exit::Fine)
}
