//! `annals memory set`: gives a key its value.

use super::OriginArgs;
use crate::cli::{CliError, Context, Exit};
use crate::output::wire;
use crate::parse::seconds::is_while;

/// Give a key its value on a branch: its ancestors keep theirs
///
/// Where the branch's keys take more than their budget then, the least important go to the archive.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The branch, or the node it stands for
    #[arg(value_name = "BRANCH")]
    branch: String,
    /// The key
    #[arg(value_name = "KEY")]
    key: String,
    /// The value; - reads it from standard input
    #[arg(value_name = "VALUE", allow_hyphen_values = true)]
    value: String,
    /// What it is worth: 1 (goes first) to 5
    #[arg(long, value_name = "1-5", default_value_t = 3, value_parser = clap::value_parser!(i64).range(1..=5))]
    importance: i64,
    /// How long it holds, in seconds [default: for ever]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    ttl: Option<String>,
    #[command(flatten)]
    origin: OriginArgs,
}

fn seconds(text: &str) -> Result<String, String> {
    match is_while(text) {
        true => Ok(text.trim().to_owned()),
        false => Err("must be a number of seconds above 0, as 600 or 0.5".to_owned()),
    }
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let value = crate::cli::memory::or_given(args.value)?;
    let (branch, key) = (&args.branch, &args.key);
    let done = crate::cli::memory::operate(&args.origin, context, |operation| {
        operation.mem_core_set(branch, key, &value, args.ttl.as_deref(), Some(args.importance))
    })?;
    let done = done.map(|it| wire::memory::CoreDone::of(&it));
    let mut sentence = format!("Set {key} on {branch}");
    if let Some(record) = done.done.archived_as {
        sentence += &format!("; the whole value is in the archive, from record {record} on");
    }
    for gone in &done.done.evicted {
        sentence += &format!("; {} went to the archive as {}", gone.key, gone.record);
    }
    crate::cli::memory::tell(&done, &sentence, context)?;
    Ok(Exit::Fine)
}
