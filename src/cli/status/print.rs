//! A project's state for people.

use std::io;

use super::repos::ELSEWHERE;
use super::{Health, Row, SignedSoFar, Status, Unseen, agent_lines};
use crate::cli::counted;
use crate::execution::query::Counts;
use crate::output::escape::line;
use crate::output::stream::{Colour, Output};
use crate::output::time;
use crate::repo::files::REPO_MEMORY;
use crate::store::Quarantined;
use crate::store::evidence::FoundStore;

/// Sessions with such calls that are named; the rest is counted.
const UNSEEN_SHOWN: usize = 5;

pub fn status(status: &Status, output: &mut Output) -> io::Result<()> {
    output.line(format_args!("project        {}", line(&status.root)))?;
    if status.evidence {
        let text = "nothing is written; what is asked is answered from the journal alone";
        output.line(format_args!("evidence       {text}"))?;
    }
    if let Some(at) = status.at {
        output.line(format_args!("as of          event {at}"))?;
    }
    journal(&status.journal, output)?;
    if let Some(signed) = &status.checkpoint {
        checkpoint(signed, output)?;
    }
    for loss in &status.losses {
        let text = format!("               {}, recorded as {}", line(&loss.message), loss.sequence);
        output.coloured(Colour::Red, &text)?;
    }
    for store in &status.stores {
        self::store(store, output)?;
    }
    for store in &status.found {
        found(store, output)?;
    }
    if let Some(settings) = &status.settings {
        output.coloured(Colour::Red, format_args!("settings       {}", line(settings)))?;
    }
    for told in &status.in_the_way {
        output.coloured(Colour::Red, format_args!("in the way     {}", line(told)))?;
    }
    if let Some(quarantine) = &status.quarantine {
        set_aside(quarantine, output)?;
    }
    for agent in &status.agents {
        agent_lines::agent(agent, output)?;
    }
    if let Some(checks) = status.checks.as_ref().filter(|it| it.found > 0) {
        output.line(format_args!("checks         {}", checks.told()))?;
    }
    unseen(&status.unseen, output)?;
    if let Some(counts) = &status.counts {
        self::counts(counts, output)?;
    }
    anomalies(status, output)?;
    output.blank()?;
    output.line(format_args!("Next: {}", status.next))
}

fn journal(journal: &Health, output: &mut Output) -> io::Result<()> {
    let size = format!("{}, {}", counted(journal.segments, "segment"), time::bytes(journal.bytes));
    match (&journal.problem, journal.sequence) {
        (Some(problem), _) => {
            let text = format!("journal        CANNOT BE READ: {}", line(problem));
            output.coloured(Colour::Red, &text)?;
        }
        (None, sequence) => {
            let last = sequence.unwrap_or_default();
            output.line(format_args!("journal        up to event {last}, {size}"))?;
        }
    }
    if journal.archived > 0 {
        let segments = counted(journal.archived, "segment");
        output.line(format_args!("               {segments} more in an archive"))?;
    }
    for file in &journal.archived_away {
        output.coloured(Colour::Red, format_args!("               AWAY: {}", line(file)))?;
    }
    if let Some(found) = &journal.contradiction {
        let text = format_args!("               NOT THE ONE THAT WAS SEEN: {}", line(found));
        output.coloured(Colour::Red, text)?;
    }
    if let Some(why) = &journal.unseen {
        let text = format!("               not held against what was seen: {}", line(why));
        output.coloured(Colour::Yellow, text)?;
    }
    for damage in &journal.damage {
        output.coloured(Colour::Red, format_args!("               DAMAGED: {}", line(damage)))?;
    }
    for flaw in journal
        .flaws
        .iter()
        .map(String::as_str)
        .chain(journal.segment.as_deref())
        .chain(journal.lock)
    {
        output.coloured(Colour::Yellow, format_args!("               {}", line(flaw)))?;
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

/// What was signed last, and why the next is not by itself.
fn checkpoint(signed: &SignedSoFar, output: &mut Output) -> io::Result<()> {
    let last = match (signed.size, signed.sequence) {
        (Some(size), Some(at)) => format!("{} signed, up to event @{at}", counted(size, "record")),
        _ => "nothing was signed yet".to_owned(),
    };
    let asks = match signed.kind {
        None => "; there is no key any more",
        Some("passphrase") => "; not by itself, the key has a passphrase: annals checkpoint",
        Some("ssh") => "; not by itself, ssh has the key: annals checkpoint",
        Some(_) if !signed.automatic => "; not by itself, as the settings say",
        Some(_) => "",
    };
    output.line(format_args!("checkpoint     {last}{asks}"))
}

fn store(store: &Row, output: &mut Output) -> io::Result<()> {
    let name = store.store.trim_end_matches(".db");
    let (state, colour) = match (&store.problem, store.lag) {
        (Some(problem), _) => (line(problem).into_owned(), Some(Colour::Red)),
        (None, Some(0)) if name == REPO_MEMORY && store.path.as_os_str().is_empty() => {
            (ELSEWHERE.to_owned(), None)
        }
        (None, Some(0)) if name == REPO_MEMORY => {
            (format!("caught up, {}", line(&store.path.to_string_lossy())), None)
        }
        (None, Some(0)) => ("caught up".to_owned(), None),
        (None, Some(lag)) => (format!("lags by {lag} events"), Some(Colour::Yellow)),
        (None, None) => ("must be rebuilt".to_owned(), Some(Colour::Yellow)),
    };
    let text = format!("{name:<14} {state}");
    output.coloured(colour, text)?;
    match &store.digest {
        Some(digest) => output.line(format_args!("               digest {digest}")),
        None => Ok(()),
    }
}

/// Calls that stay open until somebody says that their session is over.
fn unseen(sessions: &[Unseen], output: &mut Output) -> io::Result<()> {
    for it in sessions.iter().take(UNSEEN_SHOWN) {
        let text = format!(
            "open           {} of an agent that cannot be seen from here",
            counted(it.calls, "call")
        );
        output.coloured(Colour::Yellow, &text)?;
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
fn set_aside(quarantine: &Quarantined, output: &mut Output) -> io::Result<()> {
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
fn found(store: &FoundStore, output: &mut Output) -> io::Result<()> {
    let upto = store.sequence.map(|at| format!(" up to event {at}")).unwrap_or_default();
    let text =
        format!("in the copy    {}: {}{upto}", store.store, line(&store.verdict.to_string()));
    output.coloured(store.verdict.differs().then_some(Colour::Red), text)
}

fn counts(counts: &Counts, output: &mut Output) -> io::Result<()> {
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

fn anomalies(status: &Status, output: &mut Output) -> io::Result<()> {
    if status.anomalies.is_empty() {
        return Ok(());
    }
    output.blank()?;
    for anomaly in &status.anomalies {
        let (kind, message) = (line(&anomaly.kind), line(&anomaly.message));
        let text = format!("{} {kind}: {message}", anomaly.sequence);
        output.coloured(Colour::Yellow, &text)?;
    }
    let all = status.counts.as_ref().map_or(0, |counts| counts.anomalies);
    if all > status.anomalies.len() as u64 {
        output.line(format_args!("all {all} of them: .annals/errors.jsonl"))?;
    }
    Ok(())
}
