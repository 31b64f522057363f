//! `annals tool`: the tools themselves, and the names on the contract's list.

mod call;
mod declare;
mod list;

pub use list::is_here;

use super::{CliError, Context, Exit};

/// Read, search, edit and check the project's files, behind the gate and recorded
///
/// A tool that changes files needs a read of the timeline not longer ago than 10 seconds: `annals tool
/// memory_query`. Paths stay inside the project, and no link is followed. The exit code is 1 where the
/// tool failed or the gate refused, 2 where what was asked for is not allowed.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    List(list::Args),
    Declare(declare::Args),
    #[command(flatten)]
    Call(call::Call),
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    match args.what {
        What::List(args) => list::run(args, context),
        What::Declare(args) => declare::run(args, context),
        What::Call(call) => call::run(call, context),
    }
}
