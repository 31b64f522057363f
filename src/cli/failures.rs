//! `annals failures`: what ran and failed.

use super::query::list::About;
use super::{Context, Exit, Result};

/// Failed calls, newest last (a refused call did not fail)
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Only what was about this symbol
    #[arg(long, value_name = "SYMBOL")]
    symbol: Option<String>,
    #[command(flatten)]
    about: About,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    args.about.answer(
        |stores| match &args.symbol {
            Some(symbol) => stores.all_failed_executions().with_symbol(symbol),
            None => stores.all_failed_executions(),
        },
        "Nothing failed, as far as this asks",
        context,
    )
}
