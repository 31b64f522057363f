//! `annals status`: how the journal and the stores stand, and what to run next.

mod gather;
mod print;

use super::{CliError, Context, Exit, feed};

/// How the journal and the stores stand, and what to run next
///
/// The exit code is 1 where a store lags or something is wrong, 3 where the journal cannot be read.
#[derive(clap::Args, Debug, Default)]
pub struct Args {
    /// Digest the stores' content too: equal digests, equal content
    #[arg(long)]
    pub digest: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let project = context.project()?;
    feed::catch_up(&project, context);
    let (status, exit) = gather::status(&project, args.digest)?;
    if context.output.is_json() {
        context.output.json(&status)?;
    } else {
        print::status(&status, &mut context.output)?;
    }
    Ok(exit)
}
