//! `annals debug flaky`: tests that fail and pass with the same code.

use super::Result;
use crate::cli::rows;
use crate::cli::{Context, Exit};
use crate::debug::query::FlakyTest;

/// Tests that failed and passed with the same code, those seen last first
///
/// A run of the same tests with nothing edited or run in between that ended otherwise. Nothing is learnt of
/// them.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// How many
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    number: usize,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let found = super::rows(context, |view| view.flaky(args.number))?;
    let titles = ["test", ">seen", "last seen"];
    let cells = |it: FlakyTest, context: &Context| {
        (None, [it.test, it.count.to_string(), super::print::local(&it.last_seen, context)])
    };
    rows::listed(found, &titles, "No test was seen to be flaky.", cells, context)
}
