//! `annals repo diff` and `adopt`: what a person made of the files is shown, and taken over.

use super::work;
use crate::cli::recorded::settled;
use crate::cli::rows::short;
use crate::cli::{Context, Exit, Result};
use crate::output::escape;
use crate::output::stream::Colour;
use crate::repo::entry::Entry;
use crate::repo::files::{Change, RepoDifference};

/// How hand-edited memory files differ from the record
///
/// memory.json and summaries.jsonl may be edited by hand.
#[derive(clap::Args, Debug)]
pub struct DiffArgs {
    /// Exit with 1 where they differ
    #[arg(long)]
    exit_code: bool,
}

pub fn diff(args: DiffArgs, repo: Option<&str>, context: &mut Context) -> Result<Exit> {
    let found =
        work::with_files(repo, context, |writer, repo, files| writer.difference(repo, files))?;
    let exit = match args.exit_code && found.differs {
        _ if found.unreadable.is_some() => Exit::Usage,
        true => Exit::Findings,
        false => Exit::Fine,
    };
    if context.output.as_json(&found)? {
        return Ok(exit);
    }
    print(&found, context)?;
    if found.differs {
        context.output.line(escape::line(&next(repo, &found)))?;
    }
    Ok(exit)
}

/// What can be done about it: only what can be read can be taken over.
fn next(repo: Option<&str>, found: &RepoDifference) -> String {
    let discard = "annals rebuild repo_memory --discard overwrites it";
    let adopt = match repo {
        Some(repo) => format!("annals repo adopt --repo {repo}"),
        None => "annals repo adopt".to_owned(),
    };
    if !found.no_files.is_empty() {
        return "Next: move away what is no file, then annals repair writes it anew".to_owned();
    }
    let is_fault =
        found.unreadable.is_some() || found.summaries.iter().any(|it| it.fault.is_some());
    match is_fault {
        true => format!("Next: correct it in the file, then {adopt} takes it over; {discard}"),
        false => format!("Next: {adopt} takes it over; {discard}"),
    }
}

/// Record what was edited by hand in the memory files
///
/// What differs in memory.json and summaries.jsonl, or what another journal left there.
///
/// All of it is one commit, with the file's own times and ids; then the files are written anew. What
/// cannot be read is refused with its field, and nothing is recorded.
#[derive(clap::Args, Debug)]
pub struct AdoptArgs {
    /// Show what would be recorded, and record nothing
    #[arg(long)]
    dry_run: bool,
}

pub fn adopt(args: AdoptArgs, repo: Option<&str>, context: &mut Context) -> Result<Exit> {
    let done = work::with_files(repo, context, |writer, repo, files| {
        writer.adopt(repo, files, args.dry_run)
    })?;
    if done.sequence.is_some() {
        settled(&context.project()?, context)?;
    }
    let is_left = !args.dry_run && !done.published;
    let exit = if is_left { Exit::Findings } else { Exit::Fine };
    if context.output.as_json(&done)? {
        return Ok(exit);
    }
    print(&done.difference, context)?;
    let count = done.items;
    let sentence = match done.sequence {
        _ if !done.difference.differs => return Ok(exit),
        _ if args.dry_run => format!("{count} would be taken over; nothing was recorded"),
        Some(at) => format!("Took over {count} (@{})", at.0),
        None => "Nothing of it is an entry: nothing was recorded".to_owned(),
    };
    context.output.line(sentence)?;
    if done.kept_summaries > 0 {
        let kept = match done.kept_summaries {
            1 => "1 summary comes".to_owned(),
            kept => format!("{kept} summaries come"),
        };
        context.output.line(format_args!("{kept} back: what a step came to stays"))?;
    }
    if is_left {
        context
            .output
            .line("The files were edited once more meanwhile, and left. Next: annals repo diff")?;
    }
    Ok(exit)
}

fn print(it: &RepoDifference, context: &mut Context) -> Result<()> {
    context.output.line(escape::line(&it.folder))?;
    if !it.differs {
        context.output.line("The files say what is recorded.")?;
        return Ok(());
    }
    if let Some(journal) = &it.other_journal {
        line(Colour::Yellow, &format!("! another journal keeps them: {journal}"), context)?;
    }
    for (name, what) in &it.no_files {
        line(Colour::Red, &format!("! {name}: {what}"), context)?;
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
        let text = format!("{sign} {} {}{stale}: {text}", change.kind.as_str(), change.id);
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

fn sign(change: Change) -> (char, Colour) {
    match change {
        Change::Added => ('+', Colour::Green),
        Change::Removed => ('-', Colour::Red),
        Change::Changed => ('~', Colour::Yellow),
        Change::Unreadable => ('!', Colour::Red),
    }
}

pub fn said(entry: &Entry) -> String {
    match entry {
        Entry::Convention(it) => short(&format!("{}: {}", it.title, it.content)),
        Entry::Decision(it) => short(&format!("{}: {}", it.summary, it.rationale)),
        Entry::Note(it) => short(&it.content),
    }
}

fn line(colour: Colour, text: &str, context: &mut Context) -> Result<()> {
    Ok(context.output.coloured(colour, escape::line(text))?)
}
