//! `annals repo adopt`: takes over what a person made of the files.

use super::work;
use crate::cli::{CliError, Context, Exit};
use crate::output::wire;

/// Record what was edited in memory.json and summaries.jsonl by hand, or what another journal left there
///
/// All of it is one commit, with the file's own times and ids; then the files are written anew. What
/// cannot be read is refused with its field, and nothing is recorded.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Show what would be recorded, and record nothing
    #[arg(long)]
    dry_run: bool,
}

pub fn run(args: Args, repo: Option<&str>, context: &mut Context) -> Result<Exit, CliError> {
    let done = work::with_files(repo, context, |writer, repo, files| {
        let done = writer.adopt(repo, files, args.dry_run)?;
        let folder = files.folder(done.repo).to_string_lossy().into_owned();
        Ok(wire::RepoAdopted::of(&done, folder, args.dry_run))
    })?;
    if done.sequence.is_some() {
        work::recorded(&context.project()?, context)?;
    }
    let is_left = !args.dry_run && !done.published;
    let exit = if is_left { Exit::Findings } else { Exit::Fine };
    if context.output.is_json() {
        context.output.json(&done)?;
        return Ok(exit);
    }
    crate::cli::repo::difference(&done.difference, context)?;
    let count = done.items;
    let sentence = match done.sequence {
        _ if !done.difference.differs => return Ok(exit),
        _ if args.dry_run => format!("{count} would be taken over; nothing was recorded"),
        Some(at) => format!("Took over {count} (@{at})"),
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
