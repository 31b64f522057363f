//! `annals query diagnostic`: which executions had a diagnostic.

use super::list::About;
use crate::cli::{Context, Exit, Result};

/// Calls that produced a diagnostic, newest last
///
/// Recorded diagnostics count, and those that a compiler printed where none were recorded.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The code (E0425, unused_variables); of diagnostics without one, the level (error, warning); else text
    /// that is in the message
    #[arg(value_name = "CODE|TEXT")]
    code: String,
    #[command(flatten)]
    about: About,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    args.about.answer(
        |stores| stores.executions_with_diagnostic(&args.code),
        "No execution has it, as far as this asks",
        context,
    )
}
