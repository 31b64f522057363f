//! `annals memory del`: deletes a key.

use serde::Serialize;

use super::OriginArgs;
use crate::cli::{CliError, Context, Exit};

/// Delete a key on a branch: what is inherited under it is hidden from there on down
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The branch, or the node it stands for
    #[arg(value_name = "BRANCH")]
    branch: String,
    /// The key
    #[arg(value_name = "KEY")]
    key: String,
    #[command(flatten)]
    origin: OriginArgs,
}

/// Printed for `--json`.
#[derive(Serialize)]
struct Deleted {
    /// Whether anything was seen under it.
    deleted: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let (branch, key) = (&args.branch, &args.key);
    let done = crate::cli::memory::operate(&args.origin, context, |operation| {
        operation.mem_core_del(branch, key)
    })?;
    let done = done.map(|deleted| Deleted { deleted });
    let sentence = match done.done.deleted {
        true => format!("Deleted {key} on {branch}"),
        false => format!("{branch} sees no {key}: nothing was changed"),
    };
    crate::cli::memory::tell(&done, &sentence, context)?;
    Ok(Exit::Fine)
}
