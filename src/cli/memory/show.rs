//! `annals memory show`: a branch, and what it sees.

use super::{look, print};
use crate::cli::{CliError, Context, Exit};
use crate::memory::query as memory;
use crate::memory::query::{NodeScope, Pressure};
use crate::output::{escape, wire};

/// A branch, where it comes from, how full it is, and what it sees
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The branch, or the node it stands for
    #[arg(value_name = "BRANCH")]
    branch: String,
    /// How many records, the newest [default: what the settings say]
    #[arg(short = 'k', long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let found = look::branch(&args.branch, context, |one, branch| {
        let config = one.config;
        let sizes = look::sizes(config);
        let k = look::size(args.count.unwrap_or(config.retrieval_k));
        let window = (look::size(config.recall_max_events), k);
        let seen = memory::node_read(&one.view, branch, NodeScope::All, window, one.now_ms)?;
        let chain = memory::chain(&one.view, branch)?;
        let pressure = memory::pressure(&one.view, branch, &sizes, one.now_ms)?;
        Ok(wire::memory::Shown {
            memory: wire::memory::NodeMemory {
                journal: one.journal.map(str::to_owned),
                ..seen.as_ref().map(wire::memory::NodeMemory::of).unwrap_or_default()
            },
            node: chain.first().and_then(|link| link.node.clone()),
            chain: chain.into_iter().map(|link| link.branch).collect(),
            pressure: wire::memory::Pressure::of(branch, &pressure),
        })
    })?;
    if context.output.is_json() {
        match found.as_slice() {
            [one] => context.output.json(one)?,
            several => context.output.json_list(several)?,
        }
        return Ok(Exit::Fine);
    }
    for one in &found {
        tell(one, context)?;
    }
    Ok(Exit::Fine)
}

fn tell(one: &wire::memory::Shown, context: &mut Context) -> Result<(), CliError> {
    let (memory, pressure) = (&one.memory, &one.pressure);
    let from = memory.journal.as_ref().map(|name| format!(" ({name})")).unwrap_or_default();
    let title = escape::line(&format!("{}{from}", memory.branch)).into_owned();
    print::heading(&title, context)?;
    let chain = one.chain.join(" < ");
    context.output.line(format_args!("chain        {}", escape::line(&chain)))?;
    if let Some(node) = one.node.as_ref().filter(|node| **node != memory.branch) {
        context.output.line(format_args!("node         {}", escape::line(node)))?;
    }
    context.output.line(format_args!(
        "pressure     {} ({:.0} %): core {} of {} characters, {} of {} events, {} records",
        pressure.level,
        100.0 * pressure.overall,
        pressure.core_used,
        pressure.core_max,
        pressure.recall_count,
        pressure.recall_max,
        pressure.archival_count,
    ))?;
    if !pressure.recommendations.is_empty() {
        let branch = super::super::quote::word(&memory.branch);
        let text = Pressure::advice(&pressure.recommendations, &branch);
        context.output.line(format_args!("to do        {}", escape::line(&text)))?;
    }
    parts(memory, context)
}

/// The layers, each where there is anything in it.
pub fn parts(memory: &wire::memory::NodeMemory, context: &mut Context) -> Result<(), CliError> {
    let mut any = false;
    if let Some(values) = memory.core.as_ref().filter(|it| !it.is_empty()) {
        context.output.blank()?;
        print::core(values, &memory.branch, context)?;
        any = true;
    }
    if let Some(summaries) = memory.summaries.as_ref().filter(|it| !it.is_empty()) {
        context.output.blank()?;
        print::summaries(summaries, context)?;
        any = true;
    }
    if let Some(events) = memory.recall.as_ref().filter(|it| !it.is_empty()) {
        context.output.blank()?;
        print::events(events, &memory.branch, context)?;
        any = true;
    }
    if let Some(records) = memory.archival.as_ref().filter(|it| !it.is_empty()) {
        context.output.blank()?;
        print::records(records, &memory.branch, context)?;
        any = true;
    }
    if !any {
        context.output.line("Nothing is remembered there yet. Next: annals memory set")?;
    }
    Ok(())
}
