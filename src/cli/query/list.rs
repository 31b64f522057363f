//! Lists of executions that a question found, out of one journal or several.

use std::path::Path;

use serde::Serialize;

use crate::cli::journals::Gathered;
use crate::cli::narrow::{NarrowArgs, narrowed};
use crate::cli::{Context, Exit, Result, catch_up, journals, rows};
use crate::execution::query::{After, ExecutionQuery, ExecutionSummary, Resolution, Stores};
use crate::grounding::recent::RecentFailures;
use crate::output::stream::Colour;
use crate::output::wire::OfJournal;

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

/// Which executions a question is about
#[derive(clap::Args, Debug)]
pub struct About {
    /// Only what worked on this path, or below it
    #[arg(long, value_name = "PATH")]
    pub path: Option<String>,
    /// Only this tool, by the contract's name or the agent's
    #[arg(long, value_name = "TOOL")]
    pub tool: Option<String>,
    #[command(flatten)]
    pub narrow: NarrowArgs,
}

impl About {
    /// Answers it: the newest of all journals, and how the command ends.
    pub fn answer(
        &self,
        query: impl Fn(&Stores) -> ExecutionQuery<'_>,
        nothing: &str,
        context: &mut Context,
    ) -> Result<Exit> {
        let narrow = self.narrow.resolved(context)?;
        let opened = catch_up::open_all(context)?;
        journals::must_mean_one(&opened, narrow.session.as_deref())?;
        let path = self.path.as_deref().map(|path| from_root(path, context));
        let (number, before) = (self.narrow.number, self.narrow.before);
        let found = journals::newest(&opened, number, before, place, |stores, limit, after| {
            let mut query = narrowed!(query(stores), narrow);
            if let Some(tool) = &self.tool {
                query = query.with_tool(tool);
            }
            if let Some(path) = &path {
                query = query.with_path(path);
            }
            query.page(limit, after).fetch()
        })?;
        if found.items.is_empty() && !context.damage.is_met() {
            journals::must_know(&opened, narrow.session.as_deref(), self.tool.as_deref())?;
        }
        print(&found, opened.len() > 1, nothing, context)?;
        Ok(self.narrow.exit(!found.items.is_empty()))
    }
}

/// Prints them, and the next command.
fn print(
    found: &Gathered<ExecutionSummary>,
    several: bool,
    nothing: &str,
    context: &mut Context,
) -> Result<()> {
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

pub fn hint(text: &str, context: &mut Context) -> Result<()> {
    Ok(context.output.coloured(Colour::Dim, text)?)
}

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
