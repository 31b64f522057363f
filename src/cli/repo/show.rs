//! `annals repo show`: all that a repository remembers.

use crate::cli::memory::print;
use crate::cli::{CliError, Context, Exit};
use crate::output::{escape, time, wire};
use crate::repo::query::{RepoMemory, Summary};

/// Summaries that are shown.
const SUMMARIES: usize = 5;

/// All that a repository remembers: conventions, decisions, notes, and its latest summaries
///
/// As JSON it is what memory.json holds, without the summaries.
#[derive(clap::Args, Debug)]
pub struct Args {}

pub fn run(_: Args, repo: Option<&str>, context: &mut Context) -> Result<Exit, CliError> {
    let found = crate::cli::repo::repo(repo, context, |one, repo| {
        let journal = one.journal.map(str::to_owned);
        let memory = match (one.view.memory(repo)?, &one.current) {
            (Some(memory), _) => memory,
            (None, Some(current)) => current.remembers_nothing(),
            (None, None) => return Ok(None),
        };
        let summaries = one.view.summaries(repo, SUMMARIES)?;
        Ok(Some((wire::RepoRow { journal, row: memory }, summaries)))
    })?;
    let found: Vec<_> = found.into_iter().flatten().collect();
    if context.output.is_json() {
        let found: Vec<_> = found.into_iter().map(|(row, _)| row).collect();
        match found.as_slice() {
            [one] => context.output.json(one)?,
            several => context.output.json_list(several)?,
        }
        return Ok(Exit::Fine);
    }
    if found.is_empty() {
        context.output.line("Nothing is remembered yet. Next: annals repo note add TEXT")?;
    }
    for (row, summaries) in &found {
        tell(row.journal.as_deref(), &row.row, summaries, context)?;
    }
    Ok(Exit::Fine)
}

fn tell(
    journal: Option<&str>,
    memory: &RepoMemory,
    summaries: &[Summary],
    context: &mut Context,
) -> Result<(), CliError> {
    let from = journal.map(|name| format!(" ({name})")).unwrap_or_default();
    let path = memory.path.as_deref().unwrap_or("a repository whose beginning is lost");
    let title = escape::line(&format!("{path}{from}")).into_owned();
    print::heading(&title, context)?;
    context.output.line(format_args!("hash    {}", memory.repo_hash))?;
    for (what, text) in [("branch", &memory.branch), ("remote", &memory.remote)] {
        if let Some(text) = text {
            context.output.line(format_args!("{what:<7} {}", escape::line(text)))?;
        }
    }
    for hash in &memory.linked {
        context.output.line(format_args!("linked  {hash}"))?;
    }
    let mut any = false;
    for it in &memory.conventions {
        heading("Conventions", it.id == memory.conventions[0].id, context)?;
        let tags =
            if it.tags.is_empty() { String::new() } else { format!(" [{}]", it.tags.join(", ")) };
        entry(&format!("{}{tags}", it.title), &it.id, context)?;
        text(&it.content, context)?;
        any = true;
    }
    for it in &memory.decisions {
        heading("Decisions", it.id == memory.decisions[0].id, context)?;
        entry(&it.summary, &it.id, context)?;
        text(&it.rationale, context)?;
        if !it.impacted_paths.is_empty() {
            text(&format!("about: {}", it.impacted_paths.join(" ")), context)?;
        }
        any = true;
    }
    for it in &memory.notes {
        heading("Notes", it.id == memory.notes[0].id, context)?;
        let at = time::local(it.created_ms, &context.zone);
        entry(&format!("{at} ({})", it.source.as_str()), &it.id, context)?;
        text(&it.content, context)?;
        any = true;
    }
    for (number, it) in summaries.iter().enumerate() {
        heading("Latest summaries", number == 0, context)?;
        let at = time::local(it.created_ms, &context.zone);
        entry(&format!("{at} {}", it.step_id), &it.run_id, context)?;
        text(&it.summary, context)?;
        any = true;
    }
    if !any {
        context.output.line("Nothing is remembered yet. Next: annals repo note add TEXT")?;
    }
    Ok(())
}

/// The heading of a part, before its first entry.
fn heading(part: &str, is_first: bool, context: &mut Context) -> Result<(), CliError> {
    if is_first {
        context.output.blank()?;
        print::heading(part, context)?;
    }
    Ok(())
}

fn entry(title: &str, id: &str, context: &mut Context) -> Result<(), CliError> {
    let line = format!("- {title}  ({id})");
    Ok(context.output.line(escape::line(&line))?)
}

/// A text, each line of it under its entry.
fn text(text: &str, context: &mut Context) -> Result<(), CliError> {
    for line in text.lines() {
        context.output.line(format_args!("  {}", escape::line(line)))?;
    }
    Ok(())
}
