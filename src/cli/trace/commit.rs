//! A commit: the call and the session that made it, what that was asked for, and what it had changed since the
//! session's commit before.

use serde::Serialize;

use crate::cli::journals::Opened;
use crate::cli::{Context, Result, rows};
use crate::execution::query::diff::Scope;
use crate::execution::query::{Commit, QueryError};
use crate::output::table::Table;
use crate::output::{escape, time};

#[derive(Serialize)]
struct Told<'c> {
    #[serde(flatten)]
    commit: &'c Commit,
    prompt: Option<String>,
    /// The session's commit before it.
    before: Option<String>,
    files: Vec<Changed>,
}

#[derive(Serialize)]
struct Changed {
    path: String,
    added: usize,
    removed: usize,
}

pub fn print(of: &Opened, commit: &Commit, context: &mut Context) -> Result<()> {
    let told = told(of, commit)?;
    if context.output.as_json(&told)? {
        return Ok(());
    }
    let at = time::local(commit.at_ms, &context.zone);
    let call = commit.call.clone().unwrap_or_default();
    let session = commit.session.map(|id| id.to_string().chars().take(8).collect::<String>());
    for (name, value) in [
        ("commit", Some(format!("{}  {at}", commit.commit))),
        ("subject", Some(commit.subject.clone())),
        ("branch", commit.branch.clone()),
        ("call", Some(call.clone())),
        ("session", session),
        ("asked for by", told.prompt.as_deref().map(rows::short)),
        ("before it", told.before.clone()),
    ] {
        if let Some(value) = value {
            context.output.line(format_args!("{name:<12} {}", escape::line(&value)))?;
        }
    }
    if !told.files.is_empty() {
        context.output.blank()?;
        let mut table = Table::new(&[">added", ">removed", "changed since then"]);
        for file in &told.files {
            let numbers = [file.added, file.removed].map(|it| it.to_string());
            table.row(None, &[numbers.to_vec(), vec![file.path.clone()]].concat());
        }
        table.print(&mut context.output)?;
    }
    Ok(())
}

fn told<'c>(of: &Opened, commit: &'c Commit) -> std::result::Result<Told<'c>, QueryError> {
    let stores = &of.stores;
    let mut told = Told { commit, prompt: None, before: None, files: Vec::new() };
    let Some(execution) = &commit.execution else { return Ok(told) };
    told.prompt = stores.prompt_for(execution.id)?.map(|prompt| prompt.text);
    let all = stores.commits(None)?;
    // One call may make several, in their order.
    let own = all.iter().position(|it| it.commit == commit.commit && it.call == commit.call);
    let before = all[..own.unwrap_or(0)].iter().rfind(|it| it.session == commit.session);
    told.before = before.map(|it| it.commit.clone());
    let since = before.and_then(|it| it.execution.as_ref()).map_or(0, |it| it.sequence + 1);
    let Some(session) = commit.session else { return Ok(told) };
    let scope = stores.scope(Some(&session.to_string()))?;
    let scope = Scope { from: since, through: execution.sequence, ..scope };
    let changed = stores.diff(&scope, None, &|_| None)?.files.into_iter();
    told.files = changed
        .filter(|file| !file.is_outside())
        .map(|file| Changed { path: file.path, added: file.added, removed: file.removed })
        .collect();
    Ok(told)
}
