//! Events and prompts, written as they are read from a journal.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::destination::Destination;
use super::{Format, What};
use crate::cli::CliError;
use crate::cli::journals::Named;
use crate::event::{Body, Recorded};
use crate::execution::replay as walk;
use crate::execution::replay::{Contents, Unshown, Walk, Window, execution_of};
use crate::output::cells::{Cell, JsonRow};
use crate::output::time;
use crate::output::wire::event::{Content, Event, Unreadable, source};

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

/// Every event of one journal, or its prompts; what could not be shown, and how many rows are
/// without contents of theirs.
pub fn write(
    what: What,
    named: &Named,
    window: Window,
    destination: &mut Destination<'_>,
) -> Result<(Unshown, u64), CliError> {
    let columns: &[&str] = if what == What::Prompts { &PROMPTS } else { &EVENTS };
    let journal = named.name.as_deref();
    let names: Vec<&str> = journal.map(|_| "journal").into_iter().chain(columns.to_vec()).collect();
    destination.head(&names)?;
    let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    let mut walk = Walk::events(&named.journal, named.reading, window)?;
    let mut lacking = 0;
    while let Some(step) = walk.next() {
        let step = step?;
        let lead = journal.map(|name| Cell::Text(Cow::Borrowed(name)));
        let mut note = |recorded: &Recorded| {
            lacking += u64::from(walk.contents().missing(&recorded.event.body).is_some());
        };
        match (what, &step.what) {
            (What::Prompts, walk::What::Event(recorded)) => {
                let Some(cells) = prompt(recorded, walk.contents()) else { continue };
                note(recorded);
                let cells: Vec<Cell<'_>> = lead.into_iter().chain(cells).collect();
                match destination.format() {
                    Format::Csv => destination.csv(&cells)?,
                    Format::Jsonl => {
                        destination.json(&JsonRow { names: &names, cells: &cells })?;
                    }
                }
            }
            (What::Prompts, _) => {}
            (_, walk::What::Event(recorded)) => {
                note(recorded);
                let event = Event::of(journal, recorded, walk.contents());
                match destination.format() {
                    Format::Jsonl => destination.json(&event)?,
                    Format::Csv => {
                        let cells: Vec<_> =
                            lead.into_iter().chain(cells(recorded, event)).collect();
                        destination.csv(&cells)?;
                    }
                }
            }
            (_, unreadable) => {
                let Some(row) = unread(journal, &step, unreadable) else { continue };
                match destination.format() {
                    Format::Jsonl => destination.json(&row)?,
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

fn text<'a>(text: impl Into<Cow<'a, str>>) -> Cell<'a> {
    Cell::Text(text.into())
}

fn maybe<'a, T: Into<Cow<'a, str>>>(value: Option<T>) -> Cell<'a> {
    value.map_or(Cell::Null, |value| Cell::Text(value.into()))
}

fn number(value: u64) -> Cell<'static> {
    Cell::Integer(i64::try_from(value).unwrap_or(i64::MAX))
}

fn cells<'a>(recorded: &'a Recorded, event: Event<'a>) -> Vec<Cell<'a>> {
    let body = &recorded.event.body;
    let (tool, outcome) = match body {
        Body::ExecutionStarted(b) => (Some(b.tool.as_str()), None),
        Body::ExecutionFinished(b) => (Some(b.tool.as_str()), Some(b.closing.outcome.as_str())),
        Body::ExecutionInterrupted(b) => (Some(b.tool.as_str()), Some("interrupted")),
        Body::ExecutionCorrected(b) => (Some(b.tool.as_str()), Some(b.closing.outcome.as_str())),
        _ => (None, None),
    };
    // Serialising what was just decoded cannot fail; if it did, the cell would be empty.
    let document = serde_json::to_string(&event.body).and_then(RawValue::from_string).ok();
    vec![
        number(event.sequence),
        maybe(event.at),
        maybe(event.recorded),
        maybe(event.session),
        text(event.source),
        text(event.kind),
        number(u64::from(event.kind_number)),
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
    let said = Content::of(&prompt.text, contents);
    let words = match (bytes, tail) {
        (Some(head), Some(tail)) => Some(format!("{head}\n[…]\n{tail}")),
        (head, _) => head,
    };
    Some(vec![
        number(recorded.sequence.0),
        maybe(time::utc(envelope.at_ms)),
        maybe(envelope.session.map(|session| session.to_string())),
        text(source(envelope.source)),
        maybe(prompt.actor.as_deref()),
        maybe(prompt.native_id.as_deref()),
        maybe(words),
        maybe(said.problem),
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
