//! Executions as cells of a table, and one in full as JSON.

use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::value::RawValue;

use super::journals::Readings;
use super::{CliError, Context, Exit, Result};
use crate::event::Outcome;
use crate::event::wire::hex_text;
use crate::execution::query::execution::touched;
use crate::execution::query::{ExecutionDetail, ExecutionSummary, PathRole};
use crate::output::stream::Colour;
use crate::output::table::Table;
use crate::output::time;
use crate::output::wire::OfJournal;

/// Prints rows of one journal or of several: as JSON, or as a table; `none` is said where there is no
/// row.
pub fn listed<T: Serialize, C: IntoIterator<Item = String>>(
    found: Vec<OfJournal<T>>,
    titles: &[&'static str],
    none: &str,
    cells: impl Fn(T, &Context) -> (Option<Colour>, C),
    context: &mut Context,
) -> Result<Exit> {
    if context.output.as_json_list(&found)? {
    } else if found.is_empty() {
        context.output.line(none)?;
    } else {
        let several = found.iter().any(|it| it.journal.is_some());
        let mut table = Table::of_journals(several, titles);
        for OfJournal { journal, row } in found {
            let (colour, cells) = cells(row, context);
            table.row_of(journal, colour, cells);
        }
        table.print(&mut context.output)?;
    }
    Ok(Exit::Fine)
}

/// Of a target and of a failure's reason, what a list shows.
const WHAT_CHARS_MAX: usize = 120;

#[derive(Serialize)]
pub struct Detail<'a> {
    #[serde(flatten)]
    execution: &'a ExecutionSummary,
    started_sequence: Option<u64>,
    started: Option<String>,
    /// What the clock read when it began and when it ended (`at`), where that was not believed.
    raw_started: Option<String>,
    raw_at: Option<String>,
    parent: Option<&'a str>,
    error_message: Option<&'a str>,
    #[serde(serialize_with = "touched")]
    paths: &'a [(String, PathRole)],
    arguments: Option<&'a RawValue>,
    artifacts: Vec<Artifact<'a>>,
    /// In a merged journal, where its event comes from.
    origin: Option<OriginRow>,
}

#[derive(Serialize)]
struct OriginRow {
    journal: String,
    sequence: u64,
    /// Of its record there, FORMAT.md §6.
    leaf: String,
}

#[derive(Serialize)]
struct Artifact<'a> {
    artifact_type: &'a str,
    content: &'a RawValue,
}

impl<'a> Detail<'a> {
    pub fn of(found: &'a ExecutionDetail, readings: &Readings) -> Result<Self> {
        let raw = |json: &'a String| {
            serde_json::from_str(json).map_err(|source| CliError::StoredJson { source })
        };
        let artifact = |(artifact_type, json): &'a (String, String)| {
            Ok(Artifact { artifact_type, content: raw(json)? })
        };
        Ok(Self {
            execution: &found.summary,
            started_sequence: found.started_sequence,
            started: found.summary.started_ms.and_then(time::utc),
            raw_started: readings.began_ms.and_then(time::utc),
            raw_at: readings.ended_ms.and_then(time::utc),
            parent: found.parent.as_deref(),
            error_message: found.error_message.as_deref(),
            paths: &found.paths,
            arguments: found.arguments_json.as_ref().map(raw).transpose()?,
            artifacts: found.artifacts.iter().map(artifact).collect::<Result<_>>()?,
            origin: readings.origin.map(|it| OriginRow {
                journal: hex_text(&it.journal),
                sequence: it.sequence.0,
                leaf: hex_text(&it.leaf),
            }),
        })
    }
}

pub const TITLES: [&str; 6] = [">no", "time", "tool", "outcome", ">took", "what"];

/// Those that go where the terminal is narrow.
pub const OPTIONAL: &[&str] = &["took", "tool", "time"];

/// All but the last.
pub fn cells(row: &ExecutionSummary, zone: &TimeZone) -> [String; 5] {
    let tool = match &row.actor {
        Some(actor) => format!("{} ({actor})", row.tool),
        None => row.tool.clone(),
    };
    [
        row.reference(),
        time::local(row.at_ms, zone),
        tool,
        row.ended(),
        row.took().map(time::took).unwrap_or_default(),
    ]
}

/// The last: the target, and why it failed.
pub fn what(row: &ExecutionSummary) -> (String, String) {
    let of = |text: Option<&str>| text.map(short).unwrap_or_default();
    (of(row.target.as_deref()), of(row.why()))
}

/// A table of executions, those of several journals each with its name.
pub fn table<'a>(
    several: bool,
    rows: impl IntoIterator<Item = &'a ExecutionSummary>,
    zone: &TimeZone,
) -> Table {
    let mut table = Table::of_journals(several, &TITLES).narrowing(OPTIONAL);
    for row in rows {
        let journal = row.journal.clone().filter(|_| several);
        let cells: Vec<String> = journal.into_iter().chain(cells(row, zone)).collect();
        let (target, why) = what(row);
        table.row_of_failure(colour(row.outcome), &cells, &target, &why);
    }
    table
}

/// The beginning of a text, its lines run together.
pub fn short(text: &str) -> String {
    let begin = &text[..text.floor_char_boundary(4 * WHAT_CHARS_MAX)];
    let text = begin.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(WHAT_CHARS_MAX - 1) {
        Some((at, last)) if at + last.len_utf8() < text.len() => format!("{}…", &text[..at]),
        _ => text,
    }
}

pub fn colour(outcome: Option<Outcome>) -> Option<Colour> {
    match outcome {
        Some(Outcome::Ok) => None,
        Some(Outcome::Failed) => Some(Colour::Red),
        Some(Outcome::Refused | Outcome::Interrupted) | None => Some(Colour::Yellow),
    }
}
