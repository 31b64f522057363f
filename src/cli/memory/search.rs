//! `annals memory search`: records that a branch sees.

use super::{OriginArgs, look, print};
use crate::cli::{CliError, Context, Exit};
use crate::memory::query as memory;
use crate::memory::query::ArchivalSearch;
use crate::output::wire::memory::Record;

/// Records that a branch sees, that have all these words and tags; the newest at the bottom
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The branch, or the node it stands for
    #[arg(value_name = "BRANCH")]
    branch: String,
    /// Words; none: every record
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// At most so many, the newest [default: what the settings say]
    #[arg(short, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    k: Option<u64>,
    /// A tag that it must have; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Only the branch's own, not what it inherits
    #[arg(long)]
    own: bool,
    #[command(flatten)]
    origin: OriginArgs,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let (query, tags) = (args.words.join(" "), &args.tags);
    let found: Vec<Record> = if look::is_asked(context) {
        let found = look::branch(&args.branch, context, |one, branch| {
            let search = ArchivalSearch {
                branch,
                query: &query,
                k: look::size(args.k.unwrap_or(one.config.retrieval_k)),
                tags,
                include_ancestors: !args.own,
                use_fts: one.config.use_fts,
            };
            Ok(memory::search(&one.view, &search)?)
        })?;
        found.iter().flatten().map(Record::of).collect()
    } else {
        let done =
            crate::cli::memory::operate(&args.origin, context, |operation| match args.own {
                true => operation.retrieve_archival(&args.branch, &query, args.k, false, tags),
                false => operation.mem_archival_search(&args.branch, &query, tags, args.k),
            })?;
        done.done.iter().map(Record::of).collect()
    };
    if context.output.is_json() {
        context.output.json_list(&found)?;
    } else if found.is_empty() {
        context.output.line("No record has all these words and tags, as far as the branch sees")?;
    } else {
        print::records(&found, &args.branch, context)?;
    }
    Ok(Exit::Fine)
}
