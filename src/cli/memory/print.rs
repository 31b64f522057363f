//! What lies in memory, for people.

use crate::cli::rows::short;
use crate::cli::{Context, Result};
use crate::memory::query::{ArchivalRecord, CoreValue, RecallEvent, RecallSummary};
use crate::output::stream::Colour;
use crate::output::table::Table;
use crate::output::{escape, time};
use crate::parse::seconds::is_seconds;

pub fn heading(text: &str, context: &mut Context) -> Result<()> {
    Ok(context.output.coloured(Colour::Bold, text)?)
}

/// Which of several journals what follows is in; nothing where one was asked.
pub fn journal(name: Option<&str>, context: &mut Context) -> Result<()> {
    match name {
        Some(name) => heading(&escape::line(name), context),
        None => Ok(()),
    }
}

pub fn core_table<'c>(values: impl Iterator<Item = &'c CoreValue>, here: &str) -> Table {
    let mut table = Table::new(&["key", ">worth", "value", "from"]);
    for it in values {
        let ttl = match it.ttl.as_deref() {
            None => String::new(),
            Some(ttl) if is_seconds(ttl) => format!(" (for {ttl} s)"),
            Some(ttl) => format!(" (ttl {ttl}: no number of seconds, kept for ever)"),
        };
        let (worth, value) = (it.importance.to_string(), format!("{}{ttl}", short(&it.value)));
        table.row(None, &[it.key.clone(), worth, value, from(&it.branch, here)]);
    }
    table
}

/// Events, the newest at the bottom; `here` is whose they are shown for.
pub fn events_table(events: &[RecallEvent], here: &str, context: &Context) -> Table {
    let mut table = Table::new(&[">event", "time", "kind", "from", "what"]);
    for it in events.iter().rev() {
        let (id, at) = (it.id.to_string(), time::local(it.at_ms, &context.zone));
        table.row(None, &[id, at, it.kind.clone(), from(&it.branch, here), short(&it.text)]);
    }
    table
}

pub fn summaries_table(summaries: &[RecallSummary], context: &Context) -> Table {
    let mut table = Table::new(&[">summary", "time", "kind", ">events", "what"]);
    for it in summaries.iter().rev() {
        let (id, at) = (it.id.to_string(), time::local(it.at_ms, &context.zone));
        table.row(None, &[id, at, it.kind.clone(), it.events.len().to_string(), short(&it.text)]);
    }
    table
}

pub fn records_table(records: &[ArchivalRecord], here: &str, context: &Context) -> Table {
    let mut table = Table::new(&[">record", "time", "from", "tags", "text"]);
    for it in records.iter().rev() {
        let (id, at) = (it.id.to_string(), time::local(it.at_ms, &context.zone));
        let tags = short(&it.tags.join(", "));
        table.row(None, &[id, at, from(&it.branch, here), tags, short(&it.text)]);
    }
    table
}

/// Whose something is, where that is another than whom it is shown for.
fn from(branch: &str, here: &str) -> String {
    if branch == here { String::new() } else { branch.to_owned() }
}

/// A text as it is, any other JSON as it was written.
pub fn json(json: &str) -> String {
    serde_json::from_str(json).unwrap_or_else(|_| json.to_owned())
}

/// A time in UTC, as JSON has it, in Unix milliseconds.
pub fn millis(utc: &str) -> Option<u64> {
    let at: jiff::Timestamp = utc.parse().ok()?; // our own text
    u64::try_from(at.as_millisecond()).ok() // never before 1970
}
