//! `annals repo show`, `hash`, `list` and `link`: which repositories there are, and what one remembers.

use super::work;
use crate::cli::memory::print;
use crate::cli::recorded;
use crate::cli::rows::listed;
use crate::cli::{Context, Exit, Result};
use crate::event::RepoHash;
use crate::output::wire::OfJournal;
use crate::output::{escape, time};
use crate::repo::RepoAt;
use crate::repo::entry::{Convention, Decision, Note};
use crate::repo::files::RepoFiles;
use crate::repo::query::{RepoListed, RepoMemory, Summary};

const SUMMARIES: usize = 5;
/// Digits of a hash that are shown.
const SHOWN: usize = 12;
const NOTHING: &str = "Nothing is remembered yet. Next: annals repo note add TEXT";

/// Share memory with another branch or worktree
///
/// Whoever asks for either is given both from then on. It cannot be undone.
#[derive(clap::Args, Debug)]
pub struct LinkArgs {
    /// The other one's hash, or four digits or more of its beginning: annals repo list
    #[arg(value_name = "HASH")]
    with: String,
}

pub fn link(args: LinkArgs, repo: Option<&str>, context: &mut Context) -> Result<Exit> {
    let done = work::operate(repo, context, |writer, repo| {
        let with = writer.find(&args.with)?;
        writer.link(repo, with)
    })?;
    let count = done.done.linked.len();
    let linked = if done.sequence.is_some() { "Linked" } else { "Linked already" };
    let sentence = format!("{linked}: {count} repositories have one memory");
    recorded::tell(&done, &sentence, done.sequence, context)
}

pub fn hash(repo: Option<&str>, context: &mut Context) -> Result<Exit> {
    // Of a copy, and without a home, there are none.
    let files = context.project().ok().and_then(|it| RepoFiles::of(&it).ok().flatten());
    let found = super::repo(repo, context, |one, repo| {
        let folder = files.as_ref().map(|it| it.folder(repo).to_string_lossy().into_owned());
        let recorded = one.view.identity(repo)?;
        let known = recorded.is_some();
        let current = one.current.as_ref().filter(|it| it.hash == repo);
        let (path, remote, branch) = match (current, recorded) {
            (Some(it), _) => {
                (Some(it.top.to_string_lossy().into_owned()), it.remote.clone(), it.branch.clone())
            }
            (None, Some(it)) => (it.path, it.remote, it.branch),
            (None, None) => (None, None, None),
        };
        Ok(RepoAt { repo_hash: repo, path, remote, branch, folder, known })
    })?;
    if context.output.as_json_of_journals(&found)? {
        return Ok(Exit::Fine);
    }
    for one in &found {
        context.output.line(one.repo_hash)?;
        let parts = [
            ("path", &one.path),
            ("remote", &one.remote),
            ("branch", &one.branch),
            ("files", &one.folder),
        ];
        for (what, text) in parts {
            let none = if what == "remote" { "none: the path alone tells it" } else { "unknown" };
            let text = text.as_deref().unwrap_or(none);
            context.output.line(format_args!("{what:<7} {}", escape::line(text)))?;
        }
    }
    Ok(Exit::Fine)
}

pub fn list(repo: Option<&str>, context: &mut Context) -> Result<Exit> {
    let found = super::each(context, |one| {
        let current = one.current.as_ref().map(|it| it.hash);
        let row = |row| OfJournal::of(one.journal, row);
        Ok(one.view.listed(current)?.into_iter().map(row).collect::<Vec<_>>())
    })?;
    let mut found: Vec<_> = found.into_iter().flatten().collect();
    if let Some(prefix) = repo {
        let prefix = prefix.to_ascii_lowercase();
        found.retain(|it| it.row.identity.repo.to_string().starts_with(&prefix));
    }
    let short = |hash: &RepoHash| hash.to_string()[..SHOWN].to_owned();
    let cells = |it: RepoListed, _: &Context| {
        let cells = [
            if it.current { "*" } else { "" }.to_owned(),
            short(&it.identity.repo),
            it.identity.branch.unwrap_or_default(),
            it.linked.iter().map(short).collect::<Vec<_>>().join(" "),
            it.identity.remote.unwrap_or_default(),
            it.identity.path.unwrap_or_default(),
        ];
        (None, cells)
    };
    listed(found, &["", "hash", "branch", "linked", "remote", "path"], NOTHING, cells, context)
}

pub fn show(repo: Option<&str>, context: &mut Context) -> Result<Exit> {
    let found = super::repo(repo, context, |one, repo| {
        let memory = one.view.whole_memory(repo, one.current.as_ref())?;
        let summaries = one.view.summaries(repo, SUMMARIES)?;
        Ok(memory.map(|memory| (OfJournal::of(one.journal, memory), summaries)))
    })?;
    let found: Vec<_> = found.into_iter().flatten().collect();
    if context.output.is_json() {
        let found: Vec<_> = found.into_iter().map(|(row, _)| row).collect();
        context.output.json_of_journals(&found)?;
        return Ok(Exit::Fine);
    }
    if found.is_empty() {
        context.output.line(NOTHING)?;
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
) -> Result<()> {
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
    let own = (&memory.conventions, &memory.decisions, &memory.notes);
    any |= entries(own, "", context)?;
    for one in &memory.inherited {
        let from = format!(", {}", one.from(path));
        any |= entries((&one.conventions, &one.decisions, &one.notes), &from, context)?;
    }
    for (number, it) in summaries.iter().enumerate() {
        heading("Latest summaries", number == 0, context)?;
        let at = time::local(it.created_ms, &context.zone);
        entry(&format!("{at} {}", it.step_id), &it.run_id, context)?;
        text(&it.summary, context)?;
        any = true;
    }
    if !any {
        context.output.line(NOTHING)?;
    }
    Ok(())
}

type Entries<'a> = (&'a Vec<Convention>, &'a Vec<Decision>, &'a Vec<Note>);

/// Tells entries, and whom they are of; says whether there were any.
fn entries(all: Entries<'_>, from: &str, context: &mut Context) -> Result<bool> {
    let (conventions, decisions, notes) = all;
    for (number, it) in conventions.iter().enumerate() {
        heading(&format!("Conventions{from}"), number == 0, context)?;
        let tags =
            if it.tags.is_empty() { String::new() } else { format!(" [{}]", it.tags.join(", ")) };
        entry(&format!("{}{tags}", it.title), &it.id, context)?;
        text(&it.content, context)?;
    }
    for (number, it) in decisions.iter().enumerate() {
        heading(&format!("Decisions{from}"), number == 0, context)?;
        entry(&it.summary, &it.id, context)?;
        text(&it.rationale, context)?;
        if !it.impacted_paths.is_empty() {
            text(&format!("about: {}", it.impacted_paths.join(" ")), context)?;
        }
    }
    for (number, it) in notes.iter().enumerate() {
        heading(&format!("Notes{from}"), number == 0, context)?;
        let at = time::local(it.created_ms, &context.zone);
        entry(&format!("{at} ({})", it.source.as_str()), &it.id, context)?;
        text(&it.content, context)?;
    }
    Ok(!(conventions.is_empty() && decisions.is_empty() && notes.is_empty()))
}

/// The heading of a part, before its first entry.
fn heading(part: &str, is_first: bool, context: &mut Context) -> Result<()> {
    if is_first {
        context.output.blank()?;
        print::heading(&escape::line(part), context)?;
    }
    Ok(())
}

fn entry(title: &str, id: &str, context: &mut Context) -> Result<()> {
    let line = format!("- {title}  ({id})");
    Ok(context.output.line(escape::line(&line))?)
}

/// A text, each line of it under its entry.
fn text(text: &str, context: &mut Context) -> Result<()> {
    for line in text.lines() {
        context.output.line(format_args!("  {}", escape::line(line)))?;
    }
    Ok(())
}
