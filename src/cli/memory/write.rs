//! `annals memory write`: archives a text.

use super::OriginArgs;
use crate::cli::{CliError, Context, Exit};
use crate::output::wire;
use crate::parse::reply::ArchivalWrite;

/// Archive a text under a branch, to be found by its words and tags
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The branch, or the node it stands for
    #[arg(value_name = "BRANCH")]
    branch: String,
    /// The text; - reads it from standard input
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: String,
    /// A tag; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    #[command(flatten)]
    origin: OriginArgs,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let text = crate::cli::memory::or_given(args.text)?;
    let record = ArchivalWrite { text, tags: args.tags, meta: Vec::new() };
    let branch = &args.branch;
    let done = crate::cli::memory::operate(&args.origin, context, |operation| {
        operation.mem_archival_write(branch, &record)
    })?;
    let done = done.map(|it| wire::memory::ArchivalDone::of(&it));
    let (id, branch) = (done.done.id, &done.done.branch);
    let mut sentence = match done.done.written {
        true => format!("Archived as record {id} of {branch}"),
        false => format!("Record {id} of {branch} says the same: nothing was recorded"),
    };
    if done.done.cut {
        let last = done.done.records.last().copied().unwrap_or(id);
        sentence += &format!("; it goes on up to record {last}");
    }
    crate::cli::memory::tell(&done, &sentence, context)?;
    Ok(Exit::Fine)
}
