//! Lists of executions that a question found, out of one journal or several.

use std::path::Path;

use super::json;
use crate::cli::journals::Gathered;
use crate::cli::journals::Opened;
use crate::cli::narrow::NarrowArgs;
use crate::cli::{CliError, Context, journals, rows};
use crate::execution::query::{After, ExecutionQuery, ExecutionSummary, Stores};
use crate::output::stream::Colour;

/// The newest executions of all journals that a question lets through.
pub fn newest<'s>(
    opened: &'s [Opened],
    args: &NarrowArgs,
    query: impl Fn(&'s Stores) -> ExecutionQuery<'s>,
) -> Result<Gathered<ExecutionSummary>, CliError> {
    journals::newest(opened, args.number, args.before, place, |stores, limit, after| {
        query(stores).page(limit, after).fetch()
    })
}

/// Prints them, and the next command.
pub fn print(
    found: &Gathered<ExecutionSummary>,
    several: bool,
    nothing: &str,
    context: &mut Context,
) -> Result<(), CliError> {
    if context.output.is_json() {
        let told = found.items.iter().map(|(journal, row)| json::found(journal, row));
        context.output.json_list(&told.collect::<Vec<_>>())?;
        return Ok(());
    }
    let Some((_, last)) = found.items.last() else {
        context.output.line(format_args!("{nothing}. Next: annals log"))?;
        return Ok(());
    };
    let mut table = rows::table(several);
    for (journal, row) in &found.items {
        rows::push(&mut table, journal.as_deref(), row, &context.zone);
    }
    table.print(&mut context.output)?;
    if let Some(before) = found.before {
        hint(&format!("There are earlier ones: the same with --before {before}"), context)?;
    }
    hint(&format!("Next: annals show {}", reference(last)), context)
}

/// Prints what to do next.
pub fn hint(text: &str, context: &mut Context) -> Result<(), CliError> {
    let text = context.output.paint(Colour::Dim, text);
    Ok(context.output.line(text)?)
}

/// How `annals show` takes an execution.
pub fn reference(row: &ExecutionSummary) -> String {
    row.ordinal.map_or_else(|| format!("@{}", row.sequence), |no| no.to_string())
}

/// Where an execution stands in a list.
pub fn place(row: &ExecutionSummary) -> After {
    After { at_ms: row.at_ms, sequence: row.sequence }
}

/// A path as it is found whatever it was recorded from: told from the project's folder where it is
/// inside.
pub fn from_root(path: &str, context: &Context) -> String {
    // Where there is none to ask, opening them has said so.
    let sources = context.sources().unwrap_or_default();
    let mut roots = sources.iter().filter_map(|source| source.root.as_deref());
    let inside = roots.find_map(|root| Path::new(path).strip_prefix(root).ok());
    inside.map_or_else(|| path.to_owned(), |inside| inside.to_string_lossy().into_owned())
}
