//! `annals query`: what the history says about a diagnostic, an action, a file.

mod diagnostic;
pub mod list;
mod pattern;
mod recurring;
mod resolving;

use super::command::verbs;
use super::{Context, Exit, Result};

/// Query the history of a diagnostic, an action or a file
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    question: Question,
}

verbs! { enum Question {
    Diagnostic(diagnostic::Args) => diagnostic::run,
    Resolving(resolving::Args) => resolving::run,
    Resolutions(resolving::SuccessfulArgs) => resolving::run_successful,
    Pattern(pattern::Args) => pattern::run,
    Recent(pattern::RecentArgs) => pattern::recent,
    Recurring(recurring::Args) => recurring::run,
    Latest(recurring::LatestArgs) => recurring::latest,
} }

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    args.question.run(context)
}
