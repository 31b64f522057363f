//! `annals gate`: what the gate would say, for agents without hooks and for people.

mod check;
mod plan;

use super::{CliError, Context, Exit};

/// Ask the gate: may this call be made, does this plan read before it edits (spec 001)
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    Check(check::Args),
    Plan(plan::Args),
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    match args.what {
        What::Check(args) => check::run(args, context),
        What::Plan(args) => plan::run(args, context),
    }
}
