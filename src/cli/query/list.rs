//! Lists of executions that a question found, out of one journal or several.

use std::path::Path;

use serde::Serialize;

use crate::cli::journals::{Gathered, Opened};
use crate::cli::narrow::NarrowArgs;
use crate::cli::{CliError, Context, journals, rows};
use crate::execution::query::{After, ExecutionQuery, ExecutionSummary, Resolution, Stores};
use crate::grounding::recent::RecentFailures;
use crate::output::stream::Colour;
use crate::output::wire::OfJournal;

/// Answers, each with its journal.
pub fn answers<T>(all: &[T], journal: impl Fn(&T) -> Option<&str>) -> Vec<OfJournal<&T>> {
    all.iter().map(|answer| OfJournal::of(journal(answer), answer)).collect()
}

/// Something in a list that is read in pages, as JSON.
#[derive(Serialize)]
pub struct Paged<T> {
    #[serde(flatten)]
    pub item: T,
    /// What `--before` takes for what is earlier.
    pub cursor: String,
}

/// A resolution, as JSON.
pub fn resolution(one: &Resolution) -> Paged<OfJournal<&Resolution>> {
    let journal = one.resolved_by.journal.as_deref();
    let cursor = place(&one.last_seen).to_string();
    Paged { item: OfJournal::of(journal, one), cursor }
}

/// Whether an action failed recently, as JSON.
#[derive(Serialize)]
pub struct FailedRecently<'a> {
    journal: Option<&'a str>,
    has_failed_recently: bool,
    more: bool,
    /// The newest first.
    executions: &'a [ExecutionSummary],
}

impl<'a> FailedRecently<'a> {
    pub fn of(journal: Option<&'a str>, found: Option<&'a RecentFailures>) -> Self {
        Self {
            journal,
            has_failed_recently: found.is_some(),
            more: found.is_some_and(|found| found.more),
            executions: found.map(|found| found.executions.as_slice()).unwrap_or_default(),
        }
    }
}

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
        let paged = |item| Paged { item, cursor: place(item).to_string() };
        context.output.json_list(&found.items.iter().map(paged).collect::<Vec<_>>())?;
        return Ok(());
    }
    let Some(last) = found.items.last() else {
        context.output.line(format_args!("{nothing}. Next: annals log"))?;
        return Ok(());
    };
    rows::table(several, &found.items, &context.zone).print(&mut context.output)?;
    if let Some(before) = found.before {
        hint(&format!("There are earlier ones: the same with --before {before}"), context)?;
    }
    hint(&format!("Next: annals show {}", last.reference()), context)
}

/// Prints what to do next.
pub fn hint(text: &str, context: &mut Context) -> Result<(), CliError> {
    let text = context.output.paint(Colour::Dim, text);
    Ok(context.output.line(text)?)
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
