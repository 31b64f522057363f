//! `annals failures`: what ran and failed.

use super::narrow::{NarrowArgs, narrowed};
use super::query::list;
use super::{CliError, Context, Exit, catch_up};

/// Failed calls, newest last (a refused call did not fail)
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Only what was about this symbol
    #[arg(long, value_name = "SYMBOL")]
    symbol: Option<String>,
    /// Only what worked on this path, or below it
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    /// Only this tool, by the contract's name or the agent's
    #[arg(long, value_name = "TOOL")]
    tool: Option<String>,
    #[command(flatten)]
    narrow: NarrowArgs,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let narrow = args.narrow.resolved(context)?;
    let opened = catch_up::open_all(context)?;
    let path = args.path.as_deref().map(|path| list::from_root(path, context));
    let found = list::newest(&opened, &args.narrow, |stores| {
        let mut query = narrowed!(stores.all_failed_executions(), narrow);
        if let Some(tool) = &args.tool {
            query = query.with_tool(tool);
        }
        if let Some(symbol) = &args.symbol {
            query = query.with_symbol(symbol);
        }
        if let Some(path) = &path {
            query = query.with_path(path);
        }
        query
    })?;
    list::print(&found, opened.len() > 1, "Nothing failed, as far as this asks", context)?;
    Ok(args.narrow.exit(!found.items.is_empty()))
}
