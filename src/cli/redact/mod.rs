//! `annals redact`: destroys what records hold, and nothing that vouches for them.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{CliError, Context, Exit, Result, counted, shown};
use crate::event::{OrderId, Sequence};
use crate::journal::redaction::{begin, plan};
use crate::journal::{clock, id};
use crate::stores::redaction::{Redacted, finish};

/// Destroy what records hold, for good
///
/// What goes is named by an event with its reason; everything else still verifies.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Events, as @4711
    #[arg(value_name = "REF", required = true)]
    refs: Vec<String>,
    /// Why; it stays in the journal
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

#[derive(Serialize)]
struct Done {
    order: String,
    /// Records whose payloads were destroyed.
    records: Vec<u64>,
    /// Files, folders and caches that do not hold it any more.
    cleaned: Vec<String>,
    /// What may still hold it, and why.
    left: Vec<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    let project = context.project()?;
    let chosen: Option<BTreeSet<_>> = args.refs.iter().map(|it| sequence(it)).collect();
    let chosen = chosen.ok_or(CliError::Refused { what: "name events as @4711" })?;
    let planned = plan(&project.reader()?, &chosen)?;
    if !args.yes {
        return Err(CliError::Refused { what: "nothing is redacted without --yes" });
    }
    let (order, at_ms) =
        (OrderId(id::entropy()[..16].try_into().unwrap_or_default()), clock::now_ms());
    if !planned.is_empty() {
        begin(&project, &planned.order(order, at_ms, "user".to_owned(), args.reason, None))?;
    }
    let Redacted { journal, cleaned, left } = finish(&project, &context.cache)?;
    let done = Done {
        order: order.to_string(),
        records: journal.records.iter().map(|it| it.0).collect(),
        cleaned: cleaned.iter().map(|it| format!("{}: {}", it.what, shown(&it.path))).collect(),
        left: left.iter().map(|it| format!("{}: {}", shown(&it.path), it.why)).collect(),
    };
    let exit = if left.is_empty() { Exit::Fine } else { Exit::Findings };
    if context.output.as_json(&done)? {
        return Ok(exit);
    }
    let records = counted(done.records.len() as u64, "record");
    context.output.line(format_args!("{records} redacted by order {order}"))?;
    for line in &done.left {
        context.output.line(format_args!("  may still hold it: {line}"))?;
    }
    Ok(exit)
}

fn sequence(text: &str) -> Option<Sequence> {
    text.strip_prefix('@')?.parse().ok().map(Sequence) // no reference of ours
}
