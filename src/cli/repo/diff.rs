//! `annals repo diff`: what a person made of the files.

use super::work;
use crate::cli::{CliError, Context, Exit};
use crate::output::{escape, wire};

/// How memory.json and summaries.jsonl, which may be edited by hand, differ from what is recorded
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Exit with 1 where they differ
    #[arg(long)]
    exit_code: bool,
}

pub fn run(args: Args, repo: Option<&str>, context: &mut Context) -> Result<Exit, CliError> {
    let found = work::with_files(repo, context, |writer, repo, files| {
        let (repo, difference) = writer.difference(repo, files)?;
        let folder = files.folder(repo).to_string_lossy().into_owned();
        Ok(wire::RepoDifference::of(repo, folder, &difference))
    })?;
    let exit = match args.exit_code && found.differs {
        _ if found.unreadable.is_some() => Exit::Usage,
        true => Exit::Findings,
        false => Exit::Fine,
    };
    if context.output.is_json() {
        context.output.json(&found)?;
        return Ok(exit);
    }
    crate::cli::repo::difference(&found, context)?;
    if found.differs {
        context.output.line(escape::line(&next(repo, &found)))?;
    }
    Ok(exit)
}

/// What can be done about it: only what can be read can be taken over.
fn next(repo: Option<&str>, found: &wire::RepoDifference) -> String {
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
