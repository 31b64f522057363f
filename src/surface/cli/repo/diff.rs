//! `annals repo diff`: what a person made of the files.

use super::{told, work};
use crate::surface::cli::{CliError, Context, Exit};
use crate::surface::wire;

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
    let exit = if args.exit_code && found.differs { Exit::Findings } else { Exit::Fine };
    if context.output.is_json() {
        context.output.json(&found)?;
        return Ok(exit);
    }
    told::difference(&found, context)?;
    if found.differs {
        context.output.line("Next: annals repo adopt takes it over; annals rebuild repo_memory --discard overwrites it")?;
    }
    Ok(exit)
}
