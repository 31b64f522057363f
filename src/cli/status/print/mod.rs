//! A project's state for people.

mod agent;

use std::io;

use crate::cli::counted;
use crate::cli::status::repos::ELSEWHERE;
use crate::output::escape::line;
use crate::output::stream::{Colour, Output};
use crate::output::{time, wire};
use crate::repo::files::REPO_MEMORY;

/// Sessions with such calls that are named; the rest is counted.
const UNSEEN_SHOWN: usize = 5;

/// Prints it, the next command last.
pub fn status(status: &wire::Status, output: &mut Output) -> io::Result<()> {
    output.line(format_args!("project        {}", line(&status.root)))?;
    if status.evidence {
        let text = "nothing is written; what is asked is answered from the journal alone";
        output.line(format_args!("evidence       {text}"))?;
    }
    if let Some(at) = status.at {
        output.line(format_args!("as of          event @{at}"))?;
    }
    journal(&status.journal, output)?;
    for loss in &status.losses {
        let text =
            format!("               {}, recorded as @{}", line(&loss.message), loss.sequence);
        let text = output.paint(Colour::Red, &text);
        output.line(text)?;
    }
    for store in &status.stores {
        self::store(store, output)?;
    }
    for store in &status.found {
        found(store, output)?;
    }
    for told in &status.in_the_way {
        let text = output.paint(Colour::Red, &format!("in the way     {}", line(told)));
        output.line(text)?;
    }
    if let Some(quarantine) = &status.quarantine {
        set_aside(quarantine, output)?;
    }
    for agent in &status.agents {
        self::agent::agent(agent, output)?;
    }
    unseen(&status.unseen, output)?;
    if let Some(counts) = &status.counts {
        self::counts(counts, output)?;
    }
    anomalies(status, output)?;
    output.blank()?;
    output.line(format_args!("Next: {}", status.next))
}

fn journal(journal: &wire::JournalHealth, output: &mut Output) -> io::Result<()> {
    let size = format!("{}, {}", counted(journal.segments, "segment"), time::bytes(journal.bytes));
    match (&journal.problem, journal.sequence) {
        (Some(problem), _) => {
            let text = format!("journal        CANNOT BE READ: {}", line(problem));
            let text = output.paint(Colour::Red, &text);
            output.line(text)?;
        }
        (None, sequence) => {
            let last = sequence.unwrap_or(0);
            output.line(format_args!("journal        up to event @{last}, {size}"))?;
        }
    }
    for damage in &journal.damage {
        let text = output.paint(Colour::Red, &format!("               DAMAGED: {}", line(damage)));
        output.line(text)?;
    }
    for flaw in journal.flaws.iter().chain(&journal.segment).chain(&journal.lock) {
        let text = output.paint(Colour::Yellow, &format!("               {}", line(flaw)));
        output.line(text)?;
    }
    if journal.quarantined > 0 {
        let (count, bytes) = (journal.quarantined, time::bytes(journal.quarantined_bytes));
        let count = counted(count, "file");
        output.line(format_args!(
            "               {count} cut by recovery in journal/quarantine/, {bytes}"
        ))?;
    }
    Ok(())
}

fn store(store: &wire::Store, output: &mut Output) -> io::Result<()> {
    let name = store.store.trim_end_matches(".db");
    let (state, colour) = match (&store.problem, store.lag) {
        (Some(problem), _) => (line(problem).into_owned(), Some(Colour::Red)),
        (None, Some(0)) if name == REPO_MEMORY && store.path.is_empty() => {
            (ELSEWHERE.to_owned(), None)
        }
        (None, Some(0)) if name == REPO_MEMORY => {
            (format!("caught up, {}", line(&store.path)), None)
        }
        (None, Some(0)) => ("caught up".to_owned(), None),
        (None, Some(lag)) => (format!("lags by {lag} events"), Some(Colour::Yellow)),
        (None, None) => ("must be rebuilt".to_owned(), Some(Colour::Yellow)),
    };
    let text = format!("{name:<14} {state}");
    let text = colour.map_or(text.clone(), |colour| output.paint(colour, &text));
    output.line(text)?;
    match &store.digest {
        Some(digest) => output.line(format_args!("               digest {digest}")),
        None => Ok(()),
    }
}

/// Calls that stay open until somebody says that their session is over.
fn unseen(sessions: &[wire::Unseen], output: &mut Output) -> io::Result<()> {
    for it in sessions.iter().take(UNSEEN_SHOWN) {
        let text = format!(
            "open           {} of an agent that cannot be seen from here",
            counted(it.calls, "call")
        );
        let text = output.paint(Colour::Yellow, &text);
        output.line(text)?;
        output.line(format_args!("               once it is gone: {}", line(&it.close)))?;
    }
    match sessions.len().saturating_sub(UNSEEN_SHOWN) {
        0 => Ok(()),
        more => {
            output.line(format_args!("               and {}", counted(more as u64, "more session")))
        }
    }
}

/// Stores that were set aside: what can go, and what stays until a person takes it away.
fn set_aside(quarantine: &wire::Quarantine, output: &mut Output) -> io::Result<()> {
    let (files, bytes) = (quarantine.files, time::bytes(quarantine.bytes));
    if files > 0 {
        let files = counted(files, "file");
        let how = "annals repair --empty-quarantine drops them";
        output.line(format_args!("quarantine     {files} of replaced stores, {bytes}: {how}"))?;
    }
    let (files, bytes) = (quarantine.evidence_files, time::bytes(quarantine.evidence_bytes));
    if files > 0 {
        let files = counted(files, "file");
        let how = "annals salvage --from-store . NEW-FILE saves what only they have";
        output.line(format_args!("               {files} kept as evidence, {bytes}: {how}"))?;
    }
    Ok(())
}

/// A store that lies in the copy: a verdict, never an answer.
fn found(store: &wire::FoundStore, output: &mut Output) -> io::Result<()> {
    let upto = store.sequence.map(|at| format!(" up to event @{at}")).unwrap_or_default();
    let text = format!("in the copy    {}: {}{upto}", store.store, line(&store.why));
    let text = if store.differs { output.paint(Colour::Red, &text) } else { text };
    output.line(text)
}

fn counts(counts: &wire::Counts, output: &mut Output) -> io::Result<()> {
    output.blank()?;
    for (name, count) in [
        ("sessions", counts.sessions),
        ("prompts", counts.prompts),
        ("calls", counts.calls),
        ("results", counts.results),
        ("errors", counts.errors),
        ("  failed", counts.failed),
        ("  refused", counts.refused),
        ("interrupted", counts.interrupted),
        ("open", counts.open),
        ("corrected", counts.corrected),
        ("anomalies", counts.anomalies),
        ("  unreadable lines", counts.unreadable_lines),
        ("  results without call", counts.results_without_call),
    ] {
        output.line(format_args!("{name:<24}{count:>9}"))?;
    }
    Ok(())
}

fn anomalies(status: &wire::Status, output: &mut Output) -> io::Result<()> {
    if status.anomalies.is_empty() {
        return Ok(());
    }
    output.blank()?;
    for anomaly in &status.anomalies {
        let (kind, message) = (line(&anomaly.kind), line(&anomaly.message));
        let text = format!("@{} {kind}: {message}", anomaly.sequence);
        let text = output.paint(Colour::Yellow, &text);
        output.line(text)?;
    }
    let all = status.counts.as_ref().map_or(0, |counts| counts.anomalies);
    if all > status.anomalies.len() as u64 {
        output.line(format_args!("all {all} of them: .annals/errors.jsonl"))?;
    }
    Ok(())
}
