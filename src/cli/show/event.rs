//! An event that is no execution's, in full: a prompt, an answer, what was remembered.

use serde_json::Value;

use super::section;
use crate::cli::journals::Opened;
use crate::cli::{CliError, Context, Exit, Result};
use crate::event::{Recorded, Sequence};
use crate::journal::{JournalError, JournalReader};
use crate::output::stream::Colour;
use crate::output::{escape, time};

/// Shows the event; `None` where no journal has it.
pub fn show(opened: &[Opened], at: Sequence, context: &mut Context) -> Result<Option<Exit>> {
    let mut found = Vec::new();
    for one in opened.iter().filter(|one| one.at.is_none_or(|last| at <= last)) {
        let journal = JournalReader::reading(&one.journal, one.reading())?;
        match journal.get(at) {
            Ok(Some(recorded)) => found.push((one, journal, recorded)),
            // What is lost or cannot be read is told by who looks at the journal.
            Ok(None) | Err(JournalError::Undecodable { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    if found.len() > 1 {
        let journals = found.iter().filter_map(|it| it.0.name.clone()).collect();
        return Err(CliError::InSeveral { reference: at.to_string(), journals });
    }
    let Some((_, journal, recorded)) = found.pop() else { return Ok(None) };
    if !context.output.as_json(&recorded)? {
        print(&journal, &recorded, context)?;
    }
    Ok(Some(Exit::Fine))
}

fn print(journal: &JournalReader, recorded: &Recorded, context: &mut Context) -> Result<()> {
    let (envelope, body) = (&recorded.event.envelope, &recorded.event.body);
    context.output.coloured(Colour::Bold, format!("{}  {}", recorded.sequence, body.name()))?;
    let told = serde_json::to_value(body).map_err(|source| CliError::StoredJson { source })?;
    let fields = told.as_object().cloned().unwrap_or_default();
    let mut lines = vec![("at", time::local(envelope.at_ms, &context.zone))];
    lines.extend(envelope.session.map(|it| ("session", it.to_string())));
    for (name, value) in &fields {
        match value {
            Value::String(text) => lines.push((name, text.clone())),
            Value::Number(_) | Value::Bool(_) => lines.push((name, value.to_string())),
            _ => {}
        }
    }
    for (name, value) in lines {
        context.output.line(format_args!("{name:<12} {}", escape::line(&value)))?;
    }
    let is_content = |it: &Value| it.get("encoding").is_some() && it.get("bytes").is_some();
    let mut contents = body.contents();
    for (name, value) in &fields {
        let text = match value {
            it if is_content(it) => match contents.next().map(|it| journal.bytes(it)) {
                Some(bytes) => String::from_utf8_lossy(&bytes?).into_owned(),
                None => continue,
            },
            Value::Array(all) if all.is_empty() => continue,
            Value::Array(_) | Value::Object(_) => super::pretty(&value.to_string()),
            _ => continue,
        };
        if !text.trim().is_empty() {
            section(name, &text, context)?;
        }
    }
    Ok(())
}
