//! `annals repo list`: the repositories that the journal remembers anything of.

use crate::cli::{CliError, Context, Exit, rows};
use crate::output::table::Table;
use crate::output::wire;

/// Digits of a hash that are shown.
const SHOWN: usize = 12;

/// The repositories that something was recorded for, the one that was worked on last first
#[derive(clap::Args, Debug)]
pub struct Args {}

pub fn run(_: Args, repo: Option<&str>, context: &mut Context) -> Result<Exit, CliError> {
    let found = crate::cli::repo::each(context, |one| {
        let current = one.current.as_ref().map(|it| it.hash);
        let of = |it| wire::Repo::of(one.view, it, one.journal, current);
        let all = one.view.repos()?.into_iter().map(of);
        Ok(all.collect::<Result<Vec<_>, _>>()?)
    })?;
    let mut found: Vec<_> = found.into_iter().flatten().collect();
    if let Some(prefix) = repo {
        found.retain(|row| row.repo_hash.starts_with(&prefix.to_ascii_lowercase()));
    }
    if context.output.is_json() {
        context.output.json_list(&found)?;
        return Ok(Exit::Fine);
    }
    if found.is_empty() {
        context.output.line("Nothing is remembered yet. Next: annals repo note add TEXT")?;
        return Ok(Exit::Fine);
    }
    let mut titles = vec!["", "hash", "branch", "linked", "remote", "path"];
    if found.iter().any(|row| row.journal.is_some()) {
        titles.insert(0, rows::JOURNAL);
    }
    let mut table = Table::new(&titles);
    for row in found {
        let cells = [
            if row.current { "*" } else { "" }.to_owned(),
            row.repo_hash[..SHOWN].to_owned(),
            row.branch.unwrap_or_default(),
            row.linked.iter().map(|hash| &hash[..SHOWN]).collect::<Vec<_>>().join(" "),
            row.remote.unwrap_or_default(),
            row.path.unwrap_or_default(),
        ];
        let cells: Vec<String> = row.journal.into_iter().chain(cells).collect();
        table.row(None, &cells);
    }
    table.print(&mut context.output)?;
    Ok(Exit::Fine)
}
