//! `annals memory read`: what a node's branch sees.

use super::{OriginArgs, look, print, show};
use crate::cli::{CliError, Context, Exit};
use crate::memory::query::NodeScope;
use crate::memory::{MemoryError, query as memory};
use crate::output::wire::memory::NodeMemory;

/// What a node's branch sees, in all layers or in one
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The node, or a branch
    #[arg(value_name = "NODE")]
    node_id: String,
    /// all, core, recall or archival
    #[arg(long, value_name = "LAYER", default_value = "all", value_parser = scope)]
    scope: NodeScope,
    #[command(flatten)]
    origin: OriginArgs,
}

fn scope(text: &str) -> Result<NodeScope, MemoryError> {
    NodeScope::parse(text).ok_or_else(|| MemoryError::Scope { scope: text.to_owned() })
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let found = if look::is_asked(context) {
        look::branch(&args.node_id, context, |one, branch| {
            let config = one.config;
            let sizes = (look::size(config.recall_max_events), look::size(config.retrieval_k));
            let journal = one.journal.map(str::to_owned);
            let seen = memory::node_read(&one.view, branch, args.scope, sizes, one.now_ms)?;
            Ok(seen.map(|seen| NodeMemory { journal, ..NodeMemory::of(&seen) }))
        })?
    } else {
        let done = crate::cli::memory::operate(&args.origin, context, |operation| {
            operation.mem_node_read(&args.node_id, args.scope)
        })?;
        vec![Some(NodeMemory::of(&done.done))]
    };
    let found: Vec<NodeMemory> = found.into_iter().flatten().collect();
    if context.output.is_json() {
        match found.as_slice() {
            [one] => context.output.json(one)?,
            several => context.output.json_list(several)?,
        }
        return Ok(Exit::Fine);
    }
    for one in &found {
        let title = crate::output::escape::line(&one.branch).into_owned();
        print::heading(&title, context)?;
        show::parts(one, context)?;
    }
    Ok(Exit::Fine)
}
