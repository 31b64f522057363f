//! `annals phases`: nodes of a search tree, run phase by phase.

mod list;
mod print;
mod prompts;
mod run;
mod show;

use super::{CliError, Context, Exit};

/// Run a node of a search tree: ask a model, install, write, compile, run, and remember
///
/// Each node has a branch of memory that sees what its parents remember. What happens is recorded:
/// prompts, replies, commands with their output, the logs of the phases, the result.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    Run(Box<run::Args>),
    List(list::Args),
    Show(show::Args),
    Prompts(prompts::Args),
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    match args.what {
        What::Run(args) => run::run(*args, context),
        What::List(args) => list::run(args, context),
        What::Show(args) => show::run(args, context),
        What::Prompts(args) => prompts::run(args, context),
    }
}
