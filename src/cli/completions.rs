//! `annals completions`: what a shell completes.

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, Context, Exit, Result};

/// Print a completion script for a shell
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The shell
    shell: Shell,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut <Cli>::command(), "annals", &mut script);
    context.output.raw(&script)?;
    Ok(Exit::Fine)
}
