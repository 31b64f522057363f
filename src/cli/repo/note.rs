//! `annals repo note`: adds, edits, lists and removes notes.

use super::work;
use crate::cli::{CliError, Context, Exit, rows};
use crate::event::NoteSource;
use crate::output::table::Table;
use crate::output::{time, wire};
use crate::repo::query::{EntryKind, Note};
use crate::repo::{Expected, NoteGiven};

/// Notes: what else is to be remembered of the repository
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// Add a note
    Add(Add),
    /// Change a note: what is not given stays as it is
    Edit(Edit),
    /// The notes there are, the oldest first
    List(List),
    /// Remove a note: the journal keeps what it was
    Remove(Remove),
}

#[derive(clap::Args, Debug)]
struct Add {
    /// The note; - reads it from standard input
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    content: String,
    /// Who made it: manual, agent or tool
    #[arg(long, value_name = "SOURCE", default_value = "manual", value_parser = source)]
    source: NoteSource,
    /// Its id: letters, digits and . _ : - [default: a new UUID]
    #[arg(long, value_name = "ID")]
    id: Option<String>,
}

#[derive(clap::Args, Debug)]
struct Edit {
    /// Its id
    #[arg(value_name = "ID")]
    id: String,
    /// The note from now on; - reads it from standard input
    #[arg(value_name = "TEXT", allow_hyphen_values = true, required_unless_present = "source")]
    content: Option<String>,
    /// Who made it: manual, agent or tool
    #[arg(long, value_name = "SOURCE", value_parser = source)]
    source: Option<NoteSource>,
}

#[derive(clap::Args, Debug)]
struct List {
    /// Only those that were made so: manual, agent or tool
    #[arg(long, value_name = "SOURCE", value_parser = source)]
    source: Option<NoteSource>,
}

#[derive(clap::Args, Debug)]
struct Remove {
    /// Its id
    #[arg(value_name = "ID")]
    id: String,
}

fn source(text: &str) -> Result<NoteSource, String> {
    NoteSource::parse(text).ok_or_else(|| "must be manual, agent or tool".to_owned())
}

pub fn run(args: Args, repo: Option<&str>, context: &mut Context) -> Result<Exit, CliError> {
    match args.what {
        What::Add(args) => add(args, repo, context),
        What::Edit(args) => edit(args, repo, context),
        What::List(args) => list(&args, repo, context),
        What::Remove(args) => remove(&args, repo, context),
    }
}

fn add(args: Add, repo: Option<&str>, context: &mut Context) -> Result<Exit, CliError> {
    let content = Some(crate::cli::memory::or_given(args.content)?);
    let given = NoteGiven { id: args.id, content, source: Some(args.source) };
    let done = work::operate(repo, context, |writer, repo| {
        writer.upsert_note(repo, given, Expected::New)
    })?;
    work::tell(done, |it: &Note, _| format!("Added note {}", it.id), |it| it, context)?;
    Ok(Exit::Fine)
}

fn edit(args: Edit, repo: Option<&str>, context: &mut Context) -> Result<Exit, CliError> {
    let content = args.content.map(crate::cli::memory::or_given).transpose()?;
    let given = NoteGiven { id: Some(args.id), content, source: args.source };
    let done = work::operate(repo, context, |writer, repo| {
        writer.upsert_note(repo, given, Expected::Known)
    })?;
    let sentence = |it: &Note, changed: bool| match changed {
        true => format!("Changed note {}", it.id),
        false => format!("Note {} says that already: nothing was changed", it.id),
    };
    work::tell(done, sentence, |it| it, context)?;
    Ok(Exit::Fine)
}

fn list(args: &List, repo: Option<&str>, context: &mut Context) -> Result<Exit, CliError> {
    let found = crate::cli::repo::repo(repo, context, |one, repo| {
        let journal = one.journal.map(str::to_owned);
        let mut found = one.view.notes(repo)?;
        found.retain(|it| args.source.is_none_or(|source| it.source == source));
        let row = |row| wire::RepoRow { journal: journal.clone(), row };
        Ok(found.into_iter().map(row).collect::<Vec<_>>())
    })?;
    let found: Vec<_> = found.into_iter().flatten().collect();
    if context.output.is_json() {
        context.output.json_list(&found)?;
        return Ok(Exit::Fine);
    }
    if found.is_empty() {
        context.output.line("No note yet. Next: annals repo note add TEXT")?;
        return Ok(Exit::Fine);
    }
    let mut titles = vec!["id", "made", "source", "note"];
    if found.iter().any(|it| it.journal.is_some()) {
        titles.insert(0, rows::JOURNAL);
    }
    let mut table = Table::new(&titles);
    for it in found {
        let at = time::local(it.row.created_ms, &context.zone);
        let cells =
            [it.row.id, at, it.row.source.as_str().to_owned(), rows::short(&it.row.content)];
        let cells: Vec<String> = it.journal.into_iter().chain(cells).collect();
        table.row(None, &cells);
    }
    table.print(&mut context.output)?;
    Ok(Exit::Fine)
}

fn remove(args: &Remove, repo: Option<&str>, context: &mut Context) -> Result<Exit, CliError> {
    let done = work::operate(repo, context, |writer, repo| {
        writer.remove(repo, EntryKind::Note, &args.id)
    })?;
    let sentence = |_: &_, _| format!("Removed note {}", args.id);
    work::tell(done, sentence, |it| wire::RepoRemoved::of(&it), context)?;
    Ok(Exit::Fine)
}
