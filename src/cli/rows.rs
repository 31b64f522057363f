//! What queries answer, as JSON and as cells of a table.

use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::value::RawValue;

use super::journals::Readings;
use super::{CliError, Context};
use crate::event::Outcome;
use crate::execution::query::{ExecutionDetail, ExecutionSummary, SessionSummary};
use crate::output::stream::Colour;
use crate::output::table::{Table, cut};
use crate::output::wire::OfJournal;
use crate::output::{time, wire};

/// Prints rows of one journal or of several: as JSON, or as a table; `none` is said where there is no
/// row.
pub fn listed<T: Serialize>(
    found: Vec<OfJournal<T>>,
    titles: &[&'static str],
    none: &str,
    cells: impl Fn(T, &Context) -> Vec<String>,
    context: &mut Context,
) -> Result<(), CliError> {
    if context.output.is_json() {
        return Ok(context.output.json_list(&found)?);
    }
    if found.is_empty() {
        return Ok(context.output.line(none)?);
    }
    let mut titles = titles.to_vec();
    if found.iter().any(|it| it.journal.is_some()) {
        titles.insert(0, JOURNAL);
    }
    let mut table = Table::new(&titles);
    for OfJournal { journal, row } in found {
        let cells = cells(row, context);
        table.row(None, &journal.into_iter().chain(cells).collect::<Vec<_>>());
    }
    Ok(table.print(&mut context.output)?)
}

/// An execution that has not ended.
const OPEN: &str = "open";
/// Of a target and of a failure's reason, what a list shows.
const WHAT_CHARS_MAX: usize = 120;

/// The title of the column that names a row's journal, where there are several.
pub const JOURNAL: &str = "journal";

/// An execution in a list, as JSON.
pub fn execution(row: &ExecutionSummary) -> wire::Execution {
    wire::Execution {
        journal: None,
        no: row.ordinal,
        execution: row.id.to_string(),
        sequence: row.sequence,
        session: row.session.map(|session| session.to_string()),
        agent: row.agent.clone(),
        actor: row.actor.clone(),
        at: time::utc(row.at_ms),
        tool: row.tool.clone(),
        native_tool: row.native_tool.clone(),
        outcome: row.outcome.map_or(OPEN, Outcome::as_str).to_owned(),
        exit_code: row.exit_code,
        duration_ms: row.duration_ms,
        target: row.target.clone(),
        error: row.error.clone(),
        diagnostic: row.diagnostic.clone(),
        cwd: row.cwd.clone(),
        branch: row.branch.clone(),
        corrects: row.corrects.map(|id| id.to_string()),
        corrected_by: row.corrected_by.map(|id| id.to_string()),
    }
}

/// One execution in full, as JSON.
pub fn detail(
    found: &ExecutionDetail,
    readings: &Readings,
) -> Result<wire::ExecutionDetail, CliError> {
    let raw = |json: &String| {
        RawValue::from_string(json.clone()).map_err(|source| CliError::StoredJson { source })
    };
    let artifacts = found.artifacts.iter().map(|(artifact_type, json)| {
        Ok(wire::Artifact { artifact_type: artifact_type.clone(), content: raw(json)? })
    });
    let paths = found
        .paths
        .iter()
        .map(|(path, role)| wire::Touched { path: path.clone(), role: role.as_str().to_owned() });
    Ok(wire::ExecutionDetail {
        execution: execution(&found.summary),
        started_sequence: found.started_sequence,
        started: found.summary.started_ms.and_then(time::utc),
        raw_started: readings.began_ms.and_then(time::utc),
        raw_at: readings.ended_ms.and_then(time::utc),
        parent: found.parent.clone(),
        error_message: found.error_message.clone(),
        paths: paths.collect(),
        arguments: found.arguments_json.as_ref().map(raw).transpose()?,
        artifacts: artifacts.collect::<Result<_, CliError>>()?,
    })
}

/// A session in a list, as JSON.
pub fn session(row: &SessionSummary) -> wire::Session {
    wire::Session {
        journal: None,
        session: row.id.to_string(),
        agent: Some(row.agent.clone()).filter(|agent| !agent.is_empty()),
        native_id: Some(row.native_id.clone()).filter(|name| !name.is_empty()),
        title: row.title.clone().or_else(|| row.first_prompt.clone()),
        model: row.model.clone(),
        parent: row.parent.map(|parent| parent.to_string()),
        cwd: row.cwd.clone(),
        branch: row.branch.clone(),
        began: time::utc(row.first_ms),
        last: time::utc(row.last_ms),
        ended: row.ended,
        prompts: row.prompts,
        calls: row.calls,
        failed: row.failed,
        refused: row.refused,
        interrupted: row.interrupted,
    }
}

/// The titles of [`cells`].
pub const TITLES: [&str; 6] = [">no", "time", "tool", "outcome", ">took", "what"];

/// An execution as a row of the log.
pub fn cells(row: &ExecutionSummary, zone: &TimeZone) -> [String; 6] {
    let why = row.diagnostic.as_deref().or(row.error.as_deref());
    let what = match (row.target.as_deref(), why) {
        (Some(target), Some(why)) => format!("{}: {}", short(target), short(why)),
        (target, why) => target.or(why).map(short).unwrap_or_default(),
    };
    let tool = match &row.actor {
        Some(actor) => format!("{} ({actor})", row.tool),
        None => row.tool.clone(),
    };
    [
        row.ordinal.map_or_else(|| format!("@{}", row.sequence), |no| no.to_string()),
        time::local(row.at_ms, zone),
        tool,
        row.outcome.map_or(OPEN, Outcome::as_str).to_owned(),
        row.duration_ms.map(time::duration).unwrap_or_default(),
        what,
    ]
}

/// A table of executions, those of several journals each with its name.
pub fn table(several: bool) -> Table {
    let mut titles = TITLES.to_vec();
    if several {
        titles.insert(0, JOURNAL);
    }
    Table::new(&titles)
}

/// An execution as a row of such a table.
pub fn push(table: &mut Table, journal: Option<&str>, row: &ExecutionSummary, zone: &TimeZone) {
    let cells = cells(row, zone);
    let cells: Vec<String> = journal.map(str::to_owned).into_iter().chain(cells).collect();
    table.row(colour(row.outcome), &cells);
}

/// The beginning of a text, its lines run together.
pub fn short(text: &str) -> String {
    let begin = &text[..text.floor_char_boundary(4 * WHAT_CHARS_MAX)];
    cut(&begin.split_whitespace().collect::<Vec<_>>().join(" "), WHAT_CHARS_MAX)
}

/// The colour of an outcome.
pub fn colour(outcome: Option<Outcome>) -> Option<Colour> {
    match outcome {
        Some(Outcome::Ok) => None,
        Some(Outcome::Failed) => Some(Colour::Red),
        Some(Outcome::Refused | Outcome::Interrupted) | None => Some(Colour::Yellow),
    }
}
