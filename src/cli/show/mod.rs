//! `annals show`: one execution, or another event, in full.

mod event;

use super::journals::{self, Opened, Readings};
use super::{Context, Exit, Result, catch_up, rows};
use crate::event::Sequence;
use crate::event::wire::hex_text;
use crate::execution::json::text_of;
use crate::execution::log::RecordedTexts;
use crate::execution::query::{ExecutionDetail, QueryError, Reference};
use crate::journal::merge::Origin;
use crate::output::stream::Colour;
use crate::output::{escape, time};
use crate::store::JournalFeed;

/// One call in full, or another event: a prompt, an answer
#[derive(clap::Args, Debug)]
pub struct Args {
    /// 142 (its number in `annals log`), @4711 (an event's sequence), a UUID or the beginning of
    /// one, or `last`
    #[arg(value_name = "REF")]
    pub reference: String,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let reference = Reference::parse(&args.reference)?;
    let opened = catch_up::open_all(context)?;
    let at = |found: &ExecutionDetail| (found.summary.at_ms, found.summary.sequence);
    let (place, mut found) = match journals::only(&opened, &reference, |it| it.show(&reference), at)
    {
        Ok(found) => found,
        Err(error) => {
            let is_missing = matches!(error.below(), Some(QueryError::NotFound { .. }));
            return match reference {
                Reference::Sequence(at) if is_missing => {
                    event::show(&opened, at, context)?.ok_or(error)
                }
                _ => Err(error),
            };
        }
    };
    let one = &opened[place];
    tell_texts(&mut found, one)?;
    let readings = Readings::of(&one.journal, one.reading(), &found);
    if context.output.is_json() {
        context.output.json(&rows::Detail::of(&found, &readings)?)?;
    } else {
        print(&found, &readings, context)?;
    }
    Ok(Exit::Fine)
}

/// Adds what the log would say of it, where nobody made a log: it stands in the journal.
fn tell_texts(found: &mut ExecutionDetail, one: &Opened) -> Result<()> {
    let Some(built) = &one.built else { return Ok(()) };
    if found.summary.ordinal.is_none() || found.arguments_json.is_some() {
        return Ok(());
    }
    let through = one.at.unwrap_or(built.through.sequence);
    let feed = JournalFeed::cut(&one.journal, one.reading(), through)?;
    let ended = Sequence(found.summary.sequence);
    if let Some(texts) = RecordedTexts::of(&feed, &one.places, ended)? {
        let RecordedTexts { arguments_json, error_message, artifacts } = texts;
        (found.arguments_json, found.error_message) = (Some(arguments_json), error_message);
        found.artifacts = artifacts;
    }
    Ok(())
}

fn print(found: &ExecutionDetail, readings: &Readings, context: &mut Context) -> Result<()> {
    let row = &found.summary;
    let [no, at, tool, outcome, took] = rows::cells(row, &context.zone);
    let head = format!("{no}  {}  {outcome}", escape::line(&tool));
    context.output.coloured(rows::colour(row.outcome).unwrap_or(Colour::Bold), &head)?;
    let begun = row.started_ms.map(|at_ms| time::local(at_ms, &context.zone));
    let zone = context.zone.clone();
    let with = |at: String, read_ms: Option<u64>| match read_ms {
        Some(read_ms) => format!("{at}, the clock read {}", time::local(read_ms, &zone)),
        None => at,
    };
    for (name, value) in [
        ("journal", row.journal.clone()),
        ("execution", Some(row.id.to_string())),
        ("event", Some(format!("@{}", row.sequence))),
        ("session", row.session.map(|session| session.to_string())),
        ("agent", row.agent.clone()),
        ("native tool", row.native_tool.clone()),
        ("inside", found.parent.clone()),
        ("began", begun.map(|at| with(at, readings.began_ms))),
        ("ended", row.outcome.map(|_| with(at, readings.ended_ms))),
        ("took", Some(took)),
        ("exit code", row.exit_code.map(|code| code.to_string())),
        ("folder", row.cwd.clone()),
        ("branch", row.branch.clone()),
        ("target", row.target.clone()),
        // What a check told says more than the last line that it printed.
        ("error", row.telling.clone().or(found.error_message.clone()).or(row.error.clone())),
        ("corrects", row.corrects.map(|id| id.to_string())),
        ("corrected by", row.corrected_by.map(|id| id.to_string())),
        ("comes from", readings.origin.map(came_from)),
    ] {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            context.output.line(format_args!("{name:<12} {}", escape::line(&value)))?;
        }
    }
    for said in &readings.searched {
        context.output.line(format_args!("{:<12} {said}", "redacted"))?;
    }
    for (path, role) in &found.paths {
        context.output.line(format_args!("{:<12} {}", role.as_str(), escape::line(path)))?;
    }
    if let Some(arguments) = &found.arguments_json {
        section("arguments", &pretty(arguments), context)?;
    }
    for (artifact_type, json) in &found.artifacts {
        let text = text_of(json).unwrap_or_else(|| pretty(json));
        section(artifact_type, &text, context)?;
    }
    Ok(())
}

fn came_from(origin: Origin) -> String {
    let (journal, leaf) = (hex_text(&origin.journal), hex_text(&origin.leaf));
    format!("@{} of journal {journal}, leaf {leaf}", origin.sequence.0)
}

fn section(title: &str, text: &str, context: &mut Context) -> Result<()> {
    context.output.blank()?;
    context.output.coloured(Colour::Dim, escape::line(title))?;
    let text = escape::block(text.trim_end_matches('\n')).into_owned();
    Ok(context.output.line(text)?)
}

/// JSON indented for people; as it is where it cannot be read.
pub fn pretty(json: &str) -> String {
    serde_json::from_str::<serde_json::Value>(json)
        .and_then(|value| serde_json::to_string_pretty(&value))
        .unwrap_or_else(|_| json.to_owned())
}
