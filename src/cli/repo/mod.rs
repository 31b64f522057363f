//! `annals repo`: what a repository remembers (spec 004).

mod adopt;
mod convention;
mod decision;
mod diff;
mod hash;
mod link;
mod list;
mod look;
mod map;
mod note;
mod show;
mod summary;
mod told;
mod work;

use super::{CliError, Context, Exit};

/// What a repository remembers: conventions, decisions, notes, and what steps came to
///
/// A repository is its top folder, the URL of its origin and its branch: each branch and each worktree
/// has a memory of its own, until they are linked. What is changed is in the journal; the files below
/// ~/.codex-toolloop/repos/ are made from there.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Another repository of this journal: its hash, or four digits or more of its beginning
    #[arg(long, global = true, value_name = "HASH")]
    repo: Option<String>,
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    Show(show::Args),
    Hash(hash::Args),
    List(list::Args),
    Convention(convention::Args),
    Decision(decision::Args),
    Note(note::Args),
    Summary(summary::Args),
    Link(link::Args),
    Map(map::Args),
    Diff(diff::Args),
    Adopt(adopt::Args),
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let repo = args.repo.as_deref();
    match args.what {
        What::Show(args) => show::run(args, repo, context),
        What::Hash(args) => hash::run(args, repo, context),
        What::List(args) => list::run(args, repo, context),
        What::Convention(args) => convention::run(args, repo, context),
        What::Decision(args) => decision::run(args, repo, context),
        What::Note(args) => note::run(args, repo, context),
        What::Summary(args) => summary::run(args, repo, context),
        What::Link(args) => link::run(args, repo, context),
        What::Map(args) => map::run(args, repo, context),
        What::Diff(args) => diff::run(args, repo, context),
        What::Adopt(args) => adopt::run(args, repo, context),
    }
}
