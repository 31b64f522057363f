//! A project's state for people.

use std::io;

use super::repos::ELSEWHERE;
use super::{Health, Row, SignedSoFar, Status, Unseen};
use crate::cli::counted;
use crate::execution::query::Counts;
use crate::output::escape::line;
use crate::output::stream::{Colour, Output};
use crate::output::time::zone;
use crate::output::{time, wire};
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
    for told in &status.in_the_way {
        output.coloured(Colour::Red, format_args!("in the way     {}", line(told)))?;
    }
    if let Some(quarantine) = &status.quarantine {
        set_aside(quarantine, output)?;
    }
    for agent in &status.agents {
        self::agent(agent, output)?;
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

pub fn agent(agent: &wire::Agent, output: &mut Output) -> io::Result<()> {
    let mut title = agent.agent.as_str();
    let mut say = |text: String, colour: Option<Colour>, output: &mut Output| {
        let text = format!("{:<14} {}", std::mem::take(&mut title), line(&text));
        output.coloured(colour, text)
    };
    for problem in &agent.problems {
        say(problem.clone(), Some(Colour::Red), output)?;
    }
    for it in &agent.installed {
        let gate = agent.gate.as_ref().filter(|gate| **gate != it.mode);
        let gate = gate.map(|gate| format!("; here {gate}, by .annals/config.toml"));
        let text = format!("hooks in {} ({}{})", it.path, it.mode, gate.unwrap_or_default());
        say(text, None, output)?;
        if !it.missing.is_empty() {
            let text = format!("without {}: annals enable adds them", it.missing.join(", "));
            say(text, Some(Colour::Yellow), output)?;
        }
    }
    if agent.installed.is_empty() {
        say(format!("no hooks: annals enable {}", agent.agent), None, output)?;
    } else if agent.installed.len() > 1 {
        let text = "each call runs all of them: annals disable, then annals enable";
        say(text.to_owned(), Some(Colour::Yellow), output)?;
    }
    if agent.last_fired.is_some() || !agent.installed.is_empty() {
        say(fired(agent), None, output)?;
    }
    if let Some(fault) = &agent.last_fault {
        let at = fault.at.as_deref().map(local).unwrap_or_default();
        let lost = if fault.not_recorded { ", not recorded" } else { "" };
        let count = counted(agent.faults, "fault");
        let text = format!("{count}, the last at {at} in {}{lost}: {}", fault.hook, fault.what);
        say(text, Some(Colour::Yellow), output)?;
    }
    if let Some(it) = &agent.coverage {
        let of = match it.read == it.transcripts {
            true => counted(it.transcripts, "transcript"),
            false => format!("the newest {} of {}", it.read, counted(it.transcripts, "transcript")),
        };
        let text = format!("{} of {} in {of} on record", it.recorded, counted(it.calls, "call"));
        let colour = (it.recorded < it.calls).then_some(Colour::Yellow);
        say(text, colour, output)?;
    }
    if agent.denied + agent.advised > 0 {
        let text = format!("the gate denied {}, and advised {}", agent.denied, agent.advised);
        say(text, None, output)?;
    }
    if let Some(last) = &agent.last_bypass {
        let count = agent.bypassed;
        let text = format!("{count} of them ran although denied: annals show {last}");
        say(text, Some(Colour::Red), output)?;
    }
    Ok(())
}

/// When a hook last fired, and how often each did.
fn fired(agent: &wire::Agent) -> String {
    let Some(last) = &agent.last_fired else {
        return match agent.agent.as_str() {
            "codex" => "none has fired here yet: trust them in codex, /hooks".to_owned(),
            _ => "none has fired here yet: begin a new session".to_owned(),
        };
    };
    let hooks = agent.hooks.iter().map(|it| format!("{} {}", it.hook, it.fired));
    format!("last fired {}: {}", local(last), hooks.collect::<Vec<_>>().join(", "))
}

/// A time of the JSON shape as a screen shows it.
fn local(utc: &str) -> String {
    let zone = zone::system();
    time::parse(utc, 0, &zone).map_or_else(|_| utc.to_owned(), |at_ms| time::local(at_ms, &zone))
}
