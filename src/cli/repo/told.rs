//! A difference, for people: a line a change.

use crate::cli::rows::short;
use crate::cli::{CliError, Context};
use crate::output::escape;
use crate::output::stream::Colour;
use crate::output::wire::{RepoDifference, RepoEntry};

/// Tells how files differ.
///
/// # Errors
/// Where the output cannot be written.
pub fn difference(it: &RepoDifference, context: &mut Context) -> Result<(), CliError> {
    context.output.line(escape::line(&it.folder))?;
    if !it.differs {
        context.output.line("The files say what is recorded.")?;
        return Ok(());
    }
    if let Some(journal) = &it.other_journal {
        line(Colour::Yellow, &format!("! another journal keeps them: {journal}"), context)?;
    }
    for what in &it.no_files {
        line(Colour::Red, &format!("! {what}"), context)?;
    }
    if let Some(fault) = &it.unreadable {
        line(Colour::Red, &format!("! memory.json: {}: {}", fault.field, fault.why), context)?;
    }
    for name in it.fields.iter() {
        line(
            Colour::Yellow,
            &format!("! {name} was edited: it tells whose memory it is, and comes back"),
            context,
        )?;
    }
    for name in &it.indexes {
        line(
            Colour::Yellow,
            &format!("! {name} was edited: it is made from the tree, and comes back"),
            context,
        )?;
    }
    for change in &it.entries {
        let (sign, colour) = sign(change.change);
        let text = change.is.as_ref().or(change.was.as_ref()).map(said).unwrap_or_default();
        let stale = if change.stale { " (changed in the journal since, too)" } else { "" };
        let text = format!("{sign} {} {}{stale}: {text}", change.kind, change.id);
        line(colour, &text, context)?;
    }
    for change in &it.summaries {
        let (sign, colour) = sign(change.change);
        let text = match (&change.summary, &change.fault) {
            (Some(it), _) => format!("{} of {}: {}", it.step_id, it.run_id, short(&it.summary)),
            (None, Some(fault)) => {
                let number = change.line.unwrap_or_default();
                format!("line {number}: {}: {}", fault.field, fault.why)
            }
            (None, None) => String::new(),
        };
        line(colour, &format!("{sign} summary {text}"), context)?;
    }
    Ok(())
}

fn sign(change: &str) -> (char, Colour) {
    match change {
        "added" => ('+', Colour::Green),
        "removed" => ('-', Colour::Red),
        "changed" => ('~', Colour::Yellow),
        _ => ('!', Colour::Red),
    }
}

fn said(entry: &RepoEntry) -> String {
    match entry {
        RepoEntry::Convention(it) => short(&format!("{}: {}", it.title, it.content)),
        RepoEntry::Decision(it) => short(&format!("{}: {}", it.summary, it.rationale)),
        RepoEntry::Note(it) => short(&it.content),
    }
}

fn line(colour: Colour, text: &str, context: &mut Context) -> Result<(), CliError> {
    let text = context.output.paint(colour, &escape::line(text));
    Ok(context.output.line(text)?)
}
