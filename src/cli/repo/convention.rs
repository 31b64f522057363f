//! `annals repo convention`: adds, edits, lists and removes conventions.

use super::work;
use crate::cli::{CliError, Context, Exit, rows};
use crate::output::table::Table;
use crate::output::{time, wire};
use crate::repo::query::{Convention, EntryKind};
use crate::repo::{ConventionGiven, Expected};

/// Conventions: what holds in the repository
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// Add a convention
    Add(Add),
    /// Change a convention: what is not given stays as it is
    Edit(Edit),
    /// The conventions there are, the oldest first
    List(List),
    /// Remove a convention: the journal keeps what it was
    Remove(Remove),
}

#[derive(clap::Args, Debug)]
struct Add {
    /// What it is about, one line
    #[arg(value_name = "TITLE")]
    title: String,
    /// What holds; - reads it from standard input
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    content: String,
    /// What it is found by; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Its id: letters, digits and . _ : - [default: a new UUID]
    #[arg(long, value_name = "ID")]
    id: Option<String>,
}

#[derive(clap::Args, Debug)]
struct Edit {
    /// Its id
    #[arg(value_name = "ID")]
    id: String,
    /// What it is about from now on, one line
    #[arg(long, value_name = "TITLE", required_unless_present_any = ["content", "tags", "no_tags"])]
    title: Option<String>,
    /// What holds from now on; - reads it from standard input
    #[arg(long = "text", value_name = "TEXT", allow_hyphen_values = true)]
    content: Option<String>,
    /// What it is found by from now on; may be repeated
    #[arg(long = "tag", value_name = "TAG", conflicts_with = "no_tags")]
    tags: Vec<String>,
    /// It is found by no tag any more
    #[arg(long)]
    no_tags: bool,
}

#[derive(clap::Args, Debug)]
struct List {
    /// Only those with this tag
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
}

#[derive(clap::Args, Debug)]
struct Remove {
    /// Its id
    #[arg(value_name = "ID")]
    id: String,
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
    let (title, tags) = (Some(args.title), Some(args.tags));
    let given = ConventionGiven { id: args.id, title, content, tags };
    let done = work::operate(repo, context, |writer, repo| {
        writer.upsert_convention(repo, given, Expected::New)
    })?;
    work::tell(done, |it: &Convention, _| format!("Added convention {}", it.id), |it| it, context)?;
    Ok(Exit::Fine)
}

fn edit(args: Edit, repo: Option<&str>, context: &mut Context) -> Result<Exit, CliError> {
    let content = args.content.map(crate::cli::memory::or_given).transpose()?;
    let tags = (args.no_tags || !args.tags.is_empty()).then_some(args.tags);
    let given = ConventionGiven { id: Some(args.id), title: args.title, content, tags };
    let done = work::operate(repo, context, |writer, repo| {
        writer.upsert_convention(repo, given, Expected::Known)
    })?;
    let sentence = |it: &Convention, changed: bool| match changed {
        true => format!("Changed convention {}", it.id),
        false => format!("Convention {} says that already: nothing was changed", it.id),
    };
    work::tell(done, sentence, |it| it, context)?;
    Ok(Exit::Fine)
}

fn list(args: &List, repo: Option<&str>, context: &mut Context) -> Result<Exit, CliError> {
    let found = crate::cli::repo::repo(repo, context, |one, repo| {
        let journal = one.journal.map(str::to_owned);
        let mut found = one.view.conventions(repo)?;
        found.retain(|it| args.tag.as_ref().is_none_or(|tag| it.tags.contains(tag)));
        let row = |row| wire::RepoRow { journal: journal.clone(), row };
        Ok(found.into_iter().map(row).collect::<Vec<_>>())
    })?;
    let found: Vec<_> = found.into_iter().flatten().collect();
    if context.output.is_json() {
        context.output.json_list(&found)?;
        return Ok(Exit::Fine);
    }
    if found.is_empty() {
        context.output.line("No convention yet. Next: annals repo convention add TITLE TEXT")?;
        return Ok(Exit::Fine);
    }
    let mut titles = vec!["id", "updated", "tags", "title", "content"];
    if found.iter().any(|it| it.journal.is_some()) {
        titles.insert(0, rows::JOURNAL);
    }
    let mut table = Table::new(&titles);
    for it in found {
        let at = time::local(it.row.updated_ms, &context.zone);
        let cells =
            [it.row.id, at, it.row.tags.join(", "), it.row.title, rows::short(&it.row.content)];
        let cells: Vec<String> = it.journal.into_iter().chain(cells).collect();
        table.row(None, &cells);
    }
    table.print(&mut context.output)?;
    Ok(Exit::Fine)
}

fn remove(args: &Remove, repo: Option<&str>, context: &mut Context) -> Result<Exit, CliError> {
    let done = work::operate(repo, context, |writer, repo| {
        writer.remove(repo, EntryKind::Convention, &args.id)
    })?;
    let sentence = |_: &_, _| format!("Removed convention {}", args.id);
    work::tell(done, sentence, |it| wire::RepoRemoved::of(&it), context)?;
    Ok(Exit::Fine)
}
