//! `annals memory update`: changes a record.

use serde::Serialize;

use super::OriginArgs;
use crate::cli::{CliError, Context, Exit};
use crate::parse::reply::ArchivalChange;

/// Change a record of the archive: its text, its tags, or both
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "annals memory update <--text <TEXT>|--tag <TAG>...> [OPTIONS] <RECORD>"
)]
pub struct Args {
    /// Its number
    #[arg(value_name = "RECORD")]
    id: u64,
    /// The new text; - reads it from standard input
    #[arg(long, value_name = "TEXT", required_unless_present = "tags", allow_hyphen_values = true)]
    text: Option<String>,
    /// All of its new tags; may be repeated
    #[arg(long = "tag", id = "tags", value_name = "TAG")]
    tags: Vec<String>,
    /// Only where it is this branch's own
    #[arg(long, value_name = "BRANCH")]
    branch: Option<String>,
    #[command(flatten)]
    origin: OriginArgs,
}

/// Printed for `--json`.
#[derive(Serialize)]
struct Updated {
    id: u64,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let text = args.text.map(crate::cli::memory::or_given).transpose()?;
    let tags = Some(args.tags).filter(|tags| !tags.is_empty());
    let id = args.id;
    let change = ArchivalChange { id, text, tags, meta: Vec::new() };
    let branch = args.branch.as_deref();
    let done = crate::cli::memory::operate(&args.origin, context, |operation| {
        operation.mem_archival_update(branch, &change)
    })?;
    let done = done.map(|()| Updated { id });
    crate::cli::memory::tell(&done, &format!("Changed record {id}"), context)?;
    Ok(Exit::Fine)
}
