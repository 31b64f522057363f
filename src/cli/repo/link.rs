//! `annals repo link`: joins the memories of two repositories.

use super::work;
use crate::cli::{CliError, Context, Exit};
use crate::output::wire;

/// Join the memory of this repository with another one's: of another branch, another worktree
///
/// Whoever asks for either is given both from then on. It cannot be undone.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The other one's hash, or four digits or more of its beginning: annals repo list
    #[arg(value_name = "HASH")]
    with: String,
}

pub fn run(args: Args, repo: Option<&str>, context: &mut Context) -> Result<Exit, CliError> {
    let done = work::operate(repo, context, |writer, repo| {
        let with = writer.find(&args.with)?;
        writer.link(repo, with)
    })?;
    let sentence = |family: &Vec<_>, is_new| {
        let count = family.len();
        match is_new {
            true => format!("Linked: {count} repositories have one memory"),
            false => format!("Linked already: {count} repositories have one memory"),
        }
    };
    work::tell(done, sentence, |family| wire::RepoLinked::of(&family), context)?;
    Ok(Exit::Fine)
}
