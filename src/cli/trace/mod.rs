//! `annals trace`: the causal chain of a file or a symbol, or everything around an execution.

mod around;
pub mod chain;
pub mod told;
pub mod what;

use super::{CliError, Context, Exit, feed};
use crate::execution::query::After;
use what::What;

/// What led to what: the whole chain of a file or a symbol, or everything around an execution
///
/// A chain has every execution that the graph links to the file or the symbol, in order of time:
/// what it did there, how it ended, what it changed, which diagnostics it produced, and which of
/// them a later check of the same target no longer showed.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A path, a symbol, or an execution: 142 (its number in `annals log`), @4711 (an event's
    /// sequence), a UUID's beginning, or `last`
    #[arg(value_name = "WHAT")]
    what: String,
    /// WHAT is a symbol, whatever it looks like
    #[arg(long)]
    symbol: bool,
    /// Only the symbol that this file defines
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
    /// Only what came before this diagnostic was first produced: a code (E0425: its newest), or the
    /// name that --json gives
    #[arg(long, value_name = "DIAGNOSTIC")]
    before: Option<String>,
    /// How many steps; around an execution, how many on each side
    #[arg(short = 'n', long, value_name = "COUNT")]
    number: Option<usize>,
    /// The steps before those of the last page, as that told
    #[arg(long, value_name = "PLACE")]
    after: Option<After>,
}

/// Steps of a chain where nobody said how many.
const STEPS: usize = 50;
/// Neighbours on each side where nobody said how many.
const SPAN: usize = 3;

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let opened = feed::open_all(context)?;
    match What::of(&args, &opened)? {
        What::Execution { at, reference } => {
            let found = opened[at].stores.around(&reference, args.number.unwrap_or(SPAN))?;
            around::print(opened[at].name.as_deref(), &found, context)?;
        }
        What::Chain(asked) => chain::print(&asked, &args, &opened, context)?,
    }
    Ok(Exit::Fine)
}
