//! `annals query diagnostic`: which executions had a diagnostic.

use super::list;
use crate::cli::narrow::{NarrowArgs, narrowed};
use crate::cli::{CliError, Context, Exit, catch_up};

/// Which executions produced a diagnostic, the newest at the bottom
///
/// Recorded diagnostics count, and those that a compiler printed where none were recorded.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The code (E0425, unused_variables); of diagnostics without one, the level (error, warning)
    code: String,
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
        let mut query = narrowed!(stores.executions_producing_diagnostic(&args.code), narrow);
        if let Some(tool) = &args.tool {
            query = query.with_tool(tool);
        }
        if let Some(path) = &path {
            query = query.with_path(path);
        }
        query
    })?;
    list::print(&found, opened.len() > 1, "No execution has it, as far as this asks", context)?;
    Ok(args.narrow.exit(!found.items.is_empty()))
}
