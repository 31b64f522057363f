//! `annals query`: what the history says about a diagnostic, an action, a file.

mod diagnostic;
pub mod list;
mod pattern;
mod recurring;
mod resolving;

use super::{CliError, Context, Exit};

/// What the history says of a diagnostic, an action or a file
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    question: Question,
}

#[derive(clap::Subcommand, Debug)]
enum Question {
    Diagnostic(diagnostic::Args),
    Resolving(resolving::Args),
    Resolutions(resolving::SuccessfulArgs),
    Pattern(pattern::Args),
    Recent(pattern::RecentArgs),
    Recurring(recurring::Args),
    Latest(recurring::LatestArgs),
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    match args.question {
        Question::Diagnostic(args) => diagnostic::run(args, context),
        Question::Resolving(args) => resolving::run(args, context),
        Question::Resolutions(args) => resolving::run_successful(args, context),
        Question::Pattern(args) => pattern::run(args, context),
        Question::Recent(args) => pattern::recent(args, context),
        Question::Recurring(args) => recurring::run(args, context),
        Question::Latest(args) => recurring::latest(args, context),
    }
}
