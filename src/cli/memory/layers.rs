//! `annals memory show`, `read`: all that a branch sees.

use serde::Serialize;

use super::advice::advice;
use super::{OriginArgs, look, print};
use crate::cli::{Context, Exit, Result, quote};
use crate::memory::MemoryError;
use crate::memory::query::{self, NodeMemory, NodeScope, Pressure};
use crate::output::escape;
use crate::output::wire::OfJournal;

/// One branch: its origin, how full it is, what it sees
#[derive(clap::Args, Debug)]
pub struct Show {
    /// The branch, or the node it stands for
    branch: String,
    /// How many records, the newest [default: what the settings say]
    #[arg(short = 'k', long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
}

#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    memory: OfJournal<NodeMemory>,
    /// The node of a search tree it stands for.
    node: Option<String>,
    /// The branch, its parent, and so on to the root.
    chain: Vec<String>,
    pressure: OfJournal<Pressure>,
}

impl Show {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let found = look::branch(&self.branch, context, |one, branch| {
            let k = self.count.unwrap_or(one.config.retrieval_k);
            let seen = one.layers(branch, NodeScope::All, k)?;
            let chain = query::chain(&one.view, branch)?;
            Ok(Shown {
                memory: OfJournal::of(one.journal, seen),
                node: chain.first().and_then(|link| link.node.clone()),
                chain: chain.into_iter().map(|link| link.branch).collect(),
                pressure: OfJournal::only(one.pressure(branch)?),
            })
        })?;
        if !context.output.as_json_of_journals(&found)? {
            for one in &found {
                one.print(context)?;
            }
        }
        Ok(Exit::Fine)
    }
}

impl Shown {
    fn print(&self, context: &mut Context) -> Result<()> {
        let (memory, pressure) = (&self.memory.row, &self.pressure.row);
        let from = self.memory.journal.as_ref().map(|name| format!(" ({name})"));
        let title = format!("{}{}", memory.branch, from.unwrap_or_default());
        print::heading(&escape::line(&title), context)?;
        let chain = self.chain.join(" < ");
        context.output.line(format_args!("chain        {}", escape::line(&chain)))?;
        if let Some(node) = self.node.as_ref().filter(|node| **node != memory.branch) {
            context.output.line(format_args!("node         {}", escape::line(node)))?;
        }
        context.output.line(format_args!(
            "pressure     {} ({:.0} %): core {} of {} characters, {} of {} events, {} records",
            pressure.level.as_str(),
            100.0 * pressure.overall,
            pressure.core_used,
            pressure.core_max,
            pressure.recall_count,
            pressure.recall_max,
            pressure.archival_count,
        ))?;
        if !pressure.recommendations.is_empty() {
            let text = advice(&pressure.recommendations, &quote::word(&memory.branch));
            context.output.line(format_args!("to do        {}", escape::line(&text)))?;
        }
        print_layers(memory, context)
    }
}

/// What a node's branch sees, in one layer or all
#[derive(clap::Args, Debug)]
pub struct Read {
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

impl Read {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let (node, scope) = (&self.node_id, self.scope);
        let found = look::seen(
            node,
            &self.origin,
            context,
            |one, branch| one.layers(branch, scope, one.config.retrieval_k),
            |op| op.mem_node_read(node, scope),
        )?;
        if !context.output.as_json_of_journals(&found)? {
            for OfJournal { row, .. } in &found {
                print::heading(&escape::line(&row.branch), context)?;
                print_layers(row, context)?;
            }
        }
        Ok(Exit::Fine)
    }
}

/// The layers, each where there is anything in it.
fn print_layers(memory: &NodeMemory, context: &mut Context) -> Result<()> {
    let here = memory.branch.as_str();
    let core = memory.core.iter().flat_map(|core| core.values());
    let recall = memory.recall.clone().unwrap_or_default();
    let records = memory.archival.as_deref().unwrap_or_default();
    let tables = [
        print::core_table(core, here),
        print::summaries_table(&recall.summaries, context),
        print::events_table(&recall.events, here, context),
        print::records_table(records, here, context),
    ];
    let mut any = false;
    for table in tables.into_iter().filter(|table| !table.is_empty()) {
        context.output.blank()?;
        table.print(&mut context.output)?;
        any = true;
    }
    if !any {
        context.output.line("Nothing is remembered there yet. Next: annals memory set")?;
    }
    Ok(())
}
