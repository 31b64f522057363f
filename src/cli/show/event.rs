//! An event that is no execution's, in full: a prompt, an answer, what was remembered.

use serde::Serialize;
use serde_json::Value;

use super::section;
use crate::cli::journals::Opened;
use crate::cli::{CliError, Context, Exit, Result};
use crate::event::{EventError, Kind, Recorded, Sequence};
use crate::journal::redaction::{Ordered, Orders};
use crate::journal::{JournalError, JournalReader};
use crate::output::stream::Colour;
use crate::output::{escape, time};

/// Shows the event; `None` where no journal has it.
pub fn show(opened: &[Opened], at: Sequence, context: &mut Context) -> Result<Option<Exit>> {
    let (mut found, mut redacted) = (Vec::new(), Vec::new());
    for one in opened.iter().filter(|one| one.at.is_none_or(|last| at <= last)) {
        let journal = JournalReader::reading(&one.journal, one.reading())?;
        match journal.get(at) {
            Ok(Some(recorded)) => found.push((one, journal, recorded)),
            Err(JournalError::Undecodable { source: EventError::Redacted { kind }, .. }) => {
                redacted.push((journal, kind));
            }
            // What is lost or cannot be read is told by who looks at the journal.
            Ok(None) | Err(JournalError::Undecodable { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    if found.len() > 1 {
        let journals = found.iter().filter_map(|it| it.0.name.clone()).collect();
        return Err(CliError::InSeveral { reference: at.to_string(), journals });
    }
    let Some((_, journal, recorded)) = found.pop() else {
        let Some((journal, kind)) = redacted.pop() else { return Ok(None) };
        return gone(&journal, at, kind, context).map(Some);
    };
    if !context.output.as_json(&recorded)? {
        print(&journal, &recorded, context)?;
    }
    Ok(Some(Exit::Fine))
}

#[derive(Serialize)]
struct Gone {
    sequence: u64,
    kind: Option<&'static str>,
    /// What its event says; `null` where no event orders it, or the bundle was written without it.
    redacted: Option<Ordered>,
}

/// What is left of one whose payload was destroyed: its place, its kind, and why.
fn gone(journal: &JournalReader, at: Sequence, kind: Kind, context: &mut Context) -> Result<Exit> {
    let redacted = Orders::of(journal)?.by(at).cloned();
    let gone = Gone { sequence: at.0, kind: kind.name(), redacted };
    if context.output.as_json(&gone)? {
        return Ok(Exit::Fine);
    }
    let kind = gone.kind.unwrap_or("of an unknown kind");
    context.output.coloured(Colour::Bold, format!("{at}  {kind}, redacted"))?;
    let Some(order) = gone.redacted else {
        let line = "no event of the journal says by which order";
        return Ok(context.output.line(line).map(|()| Exit::Fine)?);
    };
    for (name, value) in [
        ("at", time::local(order.at_ms, &context.zone)),
        ("by", order.by),
        ("reason", order.reason),
        ("rule", order.rule.unwrap_or_default()),
        ("order", order.order.to_string()),
        ("told by", order.at.to_string()),
    ] {
        if !value.is_empty() {
            context.output.line(format_args!("{name:<12} {}", escape::line(&value)))?;
        }
    }
    Ok(Exit::Fine)
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
