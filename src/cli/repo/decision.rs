//! `annals repo decision`: adds, edits, lists and removes decisions.

use super::work;
use crate::cli::{CliError, Context, Exit, rows};
use crate::output::table::Table;
use crate::output::{time, wire};
use crate::repo::query::{Decision, EntryKind};
use crate::repo::{DecisionGiven, Expected};

/// Decisions: what was decided for the repository, and why
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// Add a decision
    Add(Add),
    /// Change a decision: what is not given stays as it is
    Edit(Edit),
    /// The decisions there are, the oldest first
    List(List),
    /// Remove a decision: the journal keeps what it was
    Remove(Remove),
}

#[derive(clap::Args, Debug)]
struct Add {
    /// What was decided, one line
    #[arg(value_name = "SUMMARY")]
    summary: String,
    /// Why; - reads it from standard input
    #[arg(value_name = "WHY", allow_hyphen_values = true)]
    rationale: String,
    /// A file, a folder or a pattern that it is about, from the repository's top; may be repeated
    #[arg(long = "path", value_name = "PATH")]
    paths: Vec<String>,
    /// Its id: letters, digits and . _ : - [default: a new UUID]
    #[arg(long, value_name = "ID")]
    id: Option<String>,
}

#[derive(clap::Args, Debug)]
struct Edit {
    /// Its id
    #[arg(value_name = "ID")]
    id: String,
    /// What was decided, one line
    #[arg(long, value_name = "SUMMARY", required_unless_present_any = ["rationale", "paths", "no_paths"])]
    summary: Option<String>,
    /// Why; - reads it from standard input
    #[arg(long = "why", value_name = "WHY", allow_hyphen_values = true)]
    rationale: Option<String>,
    /// A file, a folder or a pattern that it is about from now on; may be repeated
    #[arg(long = "path", value_name = "PATH", conflicts_with = "no_paths")]
    paths: Vec<String>,
    /// It is about no path any more
    #[arg(long)]
    no_paths: bool,
}

#[derive(clap::Args, Debug)]
struct List {}

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
    let rationale = Some(crate::cli::memory::or_given(args.rationale)?);
    let (summary, impacted_paths) = (Some(args.summary), Some(args.paths));
    let given = DecisionGiven { id: args.id, summary, rationale, impacted_paths };
    let done = work::operate(repo, context, |writer, repo| {
        writer.upsert_decision(repo, given, Expected::New)
    })?;
    work::tell(done, |it: &Decision, _| format!("Added decision {}", it.id), |it| it, context)?;
    Ok(Exit::Fine)
}

fn edit(args: Edit, repo: Option<&str>, context: &mut Context) -> Result<Exit, CliError> {
    let rationale = args.rationale.map(crate::cli::memory::or_given).transpose()?;
    let impacted_paths = (args.no_paths || !args.paths.is_empty()).then_some(args.paths);
    let (id, summary) = (Some(args.id), args.summary);
    let given = DecisionGiven { id, summary, rationale, impacted_paths };
    let done = work::operate(repo, context, |writer, repo| {
        writer.upsert_decision(repo, given, Expected::Known)
    })?;
    let sentence = |it: &Decision, changed: bool| match changed {
        true => format!("Changed decision {}", it.id),
        false => format!("Decision {} says that already: nothing was changed", it.id),
    };
    work::tell(done, sentence, |it| it, context)?;
    Ok(Exit::Fine)
}

fn list(_: &List, repo: Option<&str>, context: &mut Context) -> Result<Exit, CliError> {
    let found = crate::cli::repo::repo(repo, context, |one, repo| {
        let journal = one.journal.map(str::to_owned);
        let found = one.view.decisions(repo)?;
        let row = |row| wire::RepoRow { journal: journal.clone(), row };
        Ok(found.into_iter().map(row).collect::<Vec<_>>())
    })?;
    let found: Vec<_> = found.into_iter().flatten().collect();
    if context.output.is_json() {
        context.output.json_list(&found)?;
        return Ok(Exit::Fine);
    }
    if found.is_empty() {
        context.output.line("No decision yet. Next: annals repo decision add SUMMARY WHY")?;
        return Ok(Exit::Fine);
    }
    let mut titles = vec!["id", "decided", "paths", "summary", "why"];
    if found.iter().any(|it| it.journal.is_some()) {
        titles.insert(0, rows::JOURNAL);
    }
    let mut table = Table::new(&titles);
    for it in found {
        let at = time::local(it.row.created_ms, &context.zone);
        let cells = [
            it.row.id,
            at,
            rows::short(&it.row.impacted_paths.join(" ")),
            it.row.summary,
            rows::short(&it.row.rationale),
        ];
        let cells: Vec<String> = it.journal.into_iter().chain(cells).collect();
        table.row(None, &cells);
    }
    table.print(&mut context.output)?;
    Ok(Exit::Fine)
}

fn remove(args: &Remove, repo: Option<&str>, context: &mut Context) -> Result<Exit, CliError> {
    let done = work::operate(repo, context, |writer, repo| {
        writer.remove(repo, EntryKind::Decision, &args.id)
    })?;
    let sentence = |_: &_, _| format!("Removed decision {}", args.id);
    work::tell(done, sentence, |it| wire::RepoRemoved::of(&it), context)?;
    Ok(Exit::Fine)
}
