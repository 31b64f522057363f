//! What lies in memory, for people.

use crate::cli::rows::short;
use crate::cli::{CliError, Context};
use crate::output::stream::Colour;
use crate::output::table::Table;
use crate::output::wire::memory::{CoreValue, RecallEvent, RecallSummary, Record};
use crate::output::{escape, time};
use crate::parse::seconds::is_seconds;

/// A heading of a part.
pub fn heading(text: &str, context: &mut Context) -> Result<(), CliError> {
    let text = context.output.paint(Colour::Bold, text);
    Ok(context.output.line(text)?)
}

/// Which of several journals what follows is in; nothing where one was asked.
pub fn journal(name: Option<&str>, context: &mut Context) -> Result<(), CliError> {
    match name {
        Some(name) => heading(&escape::line(name), context),
        None => Ok(()),
    }
}

/// Keys and their values; `here` is whose they are shown for.
pub fn core(values: &[CoreValue], here: &str, context: &mut Context) -> Result<(), CliError> {
    let mut table = Table::new(&["key", ">worth", "value", "from"]);
    for it in values {
        let from = if it.branch == here { String::new() } else { it.branch.clone() };
        let ttl = match it.ttl.as_deref() {
            None => String::new(),
            Some(ttl) if is_seconds(ttl) => format!(" (for {ttl} s)"),
            Some(ttl) => format!(" (ttl {ttl}: no number of seconds, kept for ever)"),
        };
        let value = format!("{}{ttl}", short(&it.value));
        table.row(None, &[it.key.clone(), it.importance.to_string(), value, from]);
    }
    Ok(table.print(&mut context.output)?)
}

/// Events, the newest at the bottom.
pub fn events(events: &[RecallEvent], here: &str, context: &mut Context) -> Result<(), CliError> {
    let mut table = Table::new(&[">event", "time", "kind", "from", "what"]);
    for it in events.iter().rev() {
        let from = if it.branch == here { String::new() } else { it.branch.clone() };
        let at = local(it.ts, context);
        table.row(None, &[it.id.to_string(), at, it.kind.clone(), from, short(&it.text)]);
    }
    Ok(table.print(&mut context.output)?)
}

/// Summaries, the newest at the bottom.
pub fn summaries(summaries: &[RecallSummary], context: &mut Context) -> Result<(), CliError> {
    let mut table = Table::new(&[">summary", "time", "kind", ">events", "what"]);
    for it in summaries.iter().rev() {
        let (at, events) = (local(it.ts, context), it.events.len().to_string());
        table.row(None, &[it.id.to_string(), at, it.kind.clone(), events, short(&it.text)]);
    }
    Ok(table.print(&mut context.output)?)
}

/// Records, the newest at the bottom.
pub fn records(records: &[Record], here: &str, context: &mut Context) -> Result<(), CliError> {
    let mut table = Table::new(&[">record", "time", "from", "tags", "text"]);
    for it in records.iter().rev() {
        let from = if it.branch == here { String::new() } else { it.branch.clone() };
        let (at, tags) = (local(it.ts, context), short(&it.tags.join(", ")));
        table.row(None, &[it.id.to_string(), at, from, tags, short(&it.text)]);
    }
    Ok(table.print(&mut context.output)?)
}

/// A time in UTC, as JSON has it, in Unix milliseconds.
pub fn millis(utc: &str) -> Option<u64> {
    let at: jiff::Timestamp = utc.parse().ok()?; // our own text
    u64::try_from(at.as_millisecond()).ok() // never before 1970
}

/// Spec 003's seconds as local time.
pub fn local(ts: f64, context: &Context) -> String {
    // Milliseconds of the journal: whole, and never negative.
    time::local((ts * 1_000.0).round() as u64, &context.zone)
}
