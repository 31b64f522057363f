//! `annals memory evict`: events go to the archive.

use super::OriginArgs;
use crate::cli::{CliError, Context, Exit, counted};
use crate::output::wire;
use crate::parse::reply::RecallEvict;

/// Put events of a branch's own into the archive, their texts kept
///
/// Exit 1 where an event was named that is another branch's (those stay) or that is not there.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The branch, or the node it stands for
    #[arg(value_name = "BRANCH")]
    branch: String,
    /// The events' numbers
    #[arg(value_name = "EVENT", required_unless_present_any = ["kind", "oldest"])]
    ids: Vec<u64>,
    /// Those of this kind
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// So many of the oldest
    #[arg(long, value_name = "COUNT")]
    oldest: Option<u64>,
    #[command(flatten)]
    origin: OriginArgs,
}

/// Of events that did not go so many are named.
const NAMED_MAX: usize = 10;

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let which =
        RecallEvict { ids: args.ids, kind: args.kind, oldest: args.oldest.unwrap_or_default() };
    let branch = &args.branch;
    let done = crate::cli::memory::operate(&args.origin, context, |operation| {
        operation.evict(branch, &which)
    })?;
    let whys: Vec<String> = done.done.refused.iter().take(NAMED_MAX).map(|it| it.why()).collect();
    let done = done.map(|it| wire::memory::Evicted::of(&it));
    let gone = counted(done.done.ids.len() as u64, "event");
    let mut sentence = format!("{gone} of {branch} went to the archive");
    let stay = done.done.refused.len() as u64;
    if stay > 0 {
        sentence += &format!("; {}", whys.join("; "));
        if stay > whys.len() as u64 {
            sentence += &format!("; … {} more", stay - whys.len() as u64);
        }
    }
    crate::cli::memory::tell(&done, &sentence, context)?;
    Ok(if stay > 0 { Exit::Findings } else { Exit::Fine })
}
