//! Events and prompts, written as they are read from a journal.

use std::borrow::Cow;
use std::io;

use serde::Serialize;
use serde_json::value::RawValue;

use super::destination::Destination;
use super::{Args, Format, What};
use crate::cli::Result;
use crate::cli::journals::Named;
use crate::event::{Body, Event, Kind, Recorded, WithContents};
use crate::execution::replay as walk;
use crate::execution::replay::{Contents, Unshown, Walk, Window, execution_of};
use crate::output::cells::Cell;
use crate::output::stream::Output;
use crate::output::time;

const EVENTS: [&str; 12] = [
    "sequence",
    "at",
    "recorded",
    "session",
    "source",
    "kind",
    "kind_number",
    "execution",
    "tool",
    "outcome",
    "body",
    "problem",
];
const PROMPTS: [&str; 8] =
    ["sequence", "at", "session", "source", "actor", "native_id", "text", "problem"];

#[derive(Serialize)]
struct OfJournal<'a> {
    /// Which journal it is of, where several were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    journal: Option<&'a str>,
    #[serde(flatten)]
    event: WithContents<'a, Recorded>,
}

#[derive(Serialize)]
struct Unreadable<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    journal: Option<&'a str>,
    /// Of lost ones the first, where that is known.
    sequence: Option<u64>,
    /// Of lost ones the last.
    last_sequence: Option<u64>,
    kind: Option<&'a str>,
    kind_number: Option<u16>,
    /// `unknown`, `redacted`, `undecodable` or `lost`.
    what: &'static str,
    problem: String,
}

/// Every event of one journal, or its prompts; what could not be shown, and how many rows are
/// without contents of theirs.
pub fn write(
    args: &Args,
    named: &Named,
    window: Window,
    destination: &mut Destination<'_>,
) -> Result<(Unshown, u64)> {
    let what = args.what;
    let columns: &[&str] = if what == What::Prompts { &PROMPTS } else { &EVENTS };
    let journal = named.name.as_deref();
    let names: Vec<&str> = journal.map(|_| "journal").into_iter().chain(columns.to_vec()).collect();
    destination.head(&names)?;
    let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    let mut walk = Walk::events(&named.journal, named.reading, window)?;
    let mut lacking = 0;
    while let Some(step) = walk.next() {
        let step = step?;
        let is_answer = match &step.what {
            walk::What::Event(recorded) => recorded.event.body.is_answer(),
            // Nor the places of those that a bundle was written without.
            walk::What::Redacted { kind, .. } => Kind::ANSWERS.contains(kind),
            _ => false,
        };
        if args.no_answers && is_answer {
            continue;
        }
        let lead = journal.map(|name| Cell::Text(Cow::Borrowed(name)));
        let mut note = |recorded: &Recorded| {
            lacking += u64::from(walk.contents().missing(&recorded.event.body).is_some());
        };
        match (what, &step.what) {
            (What::Prompts, walk::What::Event(recorded)) => {
                let Some(cells) = prompt(recorded, walk.contents()) else { continue };
                note(recorded);
                let cells: Vec<Cell<'_>> = lead.into_iter().chain(cells).collect();
                destination.row(&names, &cells)?;
            }
            (What::Prompts, _) => {}
            (_, walk::What::Event(recorded)) => {
                note(recorded);
                match destination.format() {
                    Format::Jsonl | Format::Sarif => {
                        let event = walk.contents().with(recorded);
                        destination.json(&OfJournal { journal, event })?;
                    }
                    Format::Csv => {
                        let cells = cells(recorded, walk.contents());
                        let cells: Vec<_> = lead.into_iter().chain(cells).collect();
                        destination.csv(&cells)?;
                    }
                }
            }
            (_, unreadable) => {
                let Some(row) = unread(journal, &step, unreadable) else { continue };
                match destination.format() {
                    Format::Jsonl | Format::Sarif => destination.json(&row)?,
                    Format::Csv => {
                        let cells: Vec<_> = lead.into_iter().chain(problem(&row)).collect();
                        destination.csv(&cells)?;
                    }
                }
            }
        }
    }
    Ok((walk.unshown().clone(), lacking))
}

/// One step of a walk as one line of JSON; nothing where there is nothing to tell of it.
pub fn print_line(step: &walk::Step, contents: &Contents, output: &mut Output) -> io::Result<()> {
    match &step.what {
        walk::What::Event(recorded) => {
            output.json_line(&OfJournal { journal: None, event: contents.with(recorded) })
        }
        unreadable => match unread(None, step, unreadable) {
            Some(row) => output.json_line(&row),
            None => Ok(()),
        },
    }
}

fn text<'a>(text: impl Into<Cow<'a, str>>) -> Cell<'a> {
    Cell::Text(text.into())
}

fn maybe<'a, T: Into<Cow<'a, str>>>(value: Option<T>) -> Cell<'a> {
    value.map_or(Cell::Null, |value| Cell::Text(value.into()))
}

fn number(value: u64) -> Cell<'static> {
    Cell::Integer(i64::try_from(value).unwrap_or(i64::MAX))
}

fn cells<'a>(recorded: &'a Recorded, contents: &Contents) -> Vec<Cell<'a>> {
    let Event { envelope, body } = &recorded.event;
    let (tool, outcome) = match body {
        Body::ExecutionStarted(b) => (Some(b.tool.as_str()), None),
        Body::ExecutionFinished(b) => (Some(b.tool.as_str()), Some(b.closing.outcome.as_str())),
        Body::ExecutionInterrupted(b) => (Some(b.tool.as_str()), Some("interrupted")),
        Body::ExecutionCorrected(b) => (Some(b.tool.as_str()), Some(b.closing.outcome.as_str())),
        _ => (None, None),
    };
    // Serialising what was just decoded cannot fail; if it did, the cell would be empty.
    let document = serde_json::to_string(&contents.with(body)).and_then(RawValue::from_string).ok();
    vec![
        number(recorded.sequence.0),
        maybe(time::utc(envelope.at_ms)),
        maybe(time::utc(recorded.recorded_ms)),
        maybe(envelope.session.map(|session| session.to_string())),
        text(envelope.source.as_str()),
        text(body.name()),
        number(u64::from(body.kind().0)),
        maybe(execution_of(body).map(|id| id.to_string())),
        maybe(tool),
        maybe(outcome),
        document.map_or(Cell::Null, |document| Cell::Json(Cow::Owned(document))),
        Cell::Null,
    ]
}

fn prompt<'a>(recorded: &'a Recorded, contents: &Contents) -> Option<Vec<Cell<'a>>> {
    let Body::PromptSubmitted(prompt) = &recorded.event.body else { return None };
    let envelope = &recorded.event.envelope;
    let brought = contents.bring(&prompt.text);
    let bytes = brought.bytes.as_deref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let tail = brought.tail.map(|tail| String::from_utf8_lossy(tail).into_owned());
    let words = match (bytes, tail) {
        (Some(head), Some(tail)) => Some(format!("{head}\n[…]\n{tail}")),
        (head, _) => head,
    };
    Some(vec![
        number(recorded.sequence.0),
        maybe(time::utc(envelope.at_ms)),
        maybe(envelope.session.map(|session| session.to_string())),
        text(envelope.source.as_str()),
        maybe(prompt.actor.as_deref()),
        maybe(prompt.native_id.as_deref()),
        maybe(words),
        maybe(brought.problem.map(|problem| problem.to_string())),
    ])
}

fn unread<'a>(
    journal: Option<&'a str>,
    step: &walk::Step,
    what: &walk::What,
) -> Option<Unreadable<'a>> {
    let (word, kind, problem) = match what {
        walk::What::Event(_) => return None,
        walk::What::Unknown { kind, .. } => {
            ("unknown", Some(*kind), "a newer annals wrote it".to_owned())
        }
        walk::What::Redacted { kind, .. } => {
            ("redacted", Some(*kind), "its payload was destroyed on purpose".to_owned())
        }
        walk::What::Undecodable { kind, problem, .. } => {
            ("undecodable", Some(*kind), problem.clone())
        }
        walk::What::Lost(finding) => ("lost", None, finding.to_string()),
    };
    let last = match what {
        walk::What::Lost(finding) => finding.lost.map(|(_, last)| last.0),
        _ => None,
    };
    Some(Unreadable {
        journal,
        sequence: step.sequence().map(|at| at.0),
        last_sequence: last,
        kind: kind.and_then(|kind| kind.name()),
        kind_number: kind.map(|kind| kind.0),
        what: word,
        problem,
    })
}

fn problem<'a>(row: &Unreadable<'a>) -> Vec<Cell<'a>> {
    let mut cells = vec![Cell::Null; EVENTS.len()];
    cells[0] = row.sequence.map_or(Cell::Null, number);
    cells[5] = maybe(row.kind);
    cells[6] = row.kind_number.map_or(Cell::Null, |kind| number(u64::from(kind)));
    cells[11] = text(format!("{}: {}", row.what, row.problem));
    cells
}
