//! `annals query`: what the history says about a diagnostic, an action, a file.

mod diagnostic;
pub mod json;
mod latest;
pub mod list;
mod pattern;
mod recent;
mod recurring;
mod resolving;

use super::{CliError, Context, Exit};

/// What the history says about a diagnostic, an action or a file
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
    Recent(recent::Args),
    Recurring(recurring::Args),
    Latest(latest::Args),
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    match args.question {
        Question::Diagnostic(args) => diagnostic::run(args, context),
        Question::Resolving(args) => resolving::run(args, context),
        Question::Resolutions(args) => resolving::run_successful(args, context),
        Question::Pattern(args) => pattern::run(args, context),
        Question::Recent(args) => recent::run(args, context),
        Question::Recurring(args) => recurring::run(args, context),
        Question::Latest(args) => latest::run(args, context),
    }
}
