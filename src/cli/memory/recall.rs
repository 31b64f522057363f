//! `annals memory recall`: events that a branch sees.

use super::{OriginArgs, look, print};
use crate::cli::{CliError, Context, Exit};
use crate::memory::query as memory;
use crate::output::wire::memory::RecallEvent;

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
            let found = memory::recall_search(&one.view, branch, &query, look::size(args.k))?;
            let journal = one.journal.map(str::to_owned);
            let told = |it| RecallEvent { journal: journal.clone(), ..RecallEvent::of(it) };
            Ok(found.iter().map(told).collect::<Vec<_>>())
        })?;
        found.into_iter().flatten().collect()
    } else {
        let done = crate::cli::memory::operate(&args.origin, context, |operation| {
            operation.mem_recall_search(&args.branch, &query, Some(args.k))
        })?;
        done.done.iter().map(RecallEvent::of).collect()
    };
    if context.output.is_json() {
        context.output.json_list(&found)?;
    } else if found.is_empty() {
        context.output.line("No event has all these words, as far as the branch sees")?;
    } else {
        // Those of one journal stand together.
        for of_one in found.chunk_by(|a, b| a.journal == b.journal) {
            print::journal(of_one.first().and_then(|it| it.journal.as_deref()), context)?;
            print::events(of_one, &args.branch, context)?;
        }
    }
    Ok(Exit::Fine)
}
