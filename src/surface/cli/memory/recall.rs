//! `annals memory recall`: events that a branch sees.

use super::origin::OriginArgs;
use super::{look, print, work};
use crate::query::memory;
use crate::surface::cli::{CliError, Context, Exit};
use crate::surface::wire::memory::RecallEvent;

/// Events that a branch sees, that have all these words; the newest at the bottom
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The branch, or the node it stands for
    #[arg(value_name = "BRANCH")]
    branch: String,
    /// Words; none: every event
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// At most so many, the newest
    #[arg(short, value_name = "COUNT", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    k: u64,
    #[command(flatten)]
    origin: OriginArgs,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let query = args.words.join(" ");
    let found: Vec<RecallEvent> = if look::is_asked(context) {
        let found = look::branch(&args.branch, context, |one, branch| {
            Ok(memory::recall_search(&one.view, branch, &query, look::size(args.k))?)
        })?;
        found.iter().flatten().map(RecallEvent::of).collect()
    } else {
        let done = work::operate(&args.origin, context, |operation| {
            operation.mem_recall_search(&args.branch, &query, Some(args.k))
        })?;
        done.done.iter().map(RecallEvent::of).collect()
    };
    if context.output.is_json() {
        context.output.json_list(&found)?;
    } else if found.is_empty() {
        context.output.line("No event has all these words, as far as the branch sees")?;
    } else {
        print::events(&found, &args.branch, context)?;
    }
    Ok(Exit::Fine)
}
