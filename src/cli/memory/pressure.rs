//! `annals memory pressure`: how full memory is.

use super::{OriginArgs, look};
use crate::cli::{CliError, Context, Exit, counted, quote};
use crate::memory::query as memory;
use crate::memory::query::Pressure;
use crate::output::{escape, wire};

/// How full a branch's memory is, and what would help
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The branch, or the node it stands for
    #[arg(value_name = "BRANCH")]
    branch: String,
    #[command(flatten)]
    origin: OriginArgs,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let found: Vec<wire::memory::Pressure> = if look::is_asked(context) {
        look::branch(&args.branch, context, |one, branch| {
            let sizes = look::sizes(one.config);
            let found = memory::pressure(&one.view, branch, &sizes, one.now_ms)?;
            let journal = one.journal.map(str::to_owned);
            Ok(wire::memory::Pressure { journal, ..wire::memory::Pressure::of(branch, &found) })
        })?
    } else {
        let done = crate::cli::memory::operate(&args.origin, context, |operation| {
            operation.check_memory_pressure(&args.branch)
        })?;
        vec![wire::memory::Pressure::of(&args.branch, &done.done)]
    };
    if context.output.is_json() {
        match found.as_slice() {
            [one] => context.output.json(one)?,
            several => context.output.json_list(several)?,
        }
        return Ok(Exit::Fine);
    }
    for one in &found {
        let percent = 100.0 * one.overall;
        let text = format!("{}: {} ({percent:.0} %)", one.branch, one.level);
        context.output.line(escape::line(&text))?;
        for (what, used, max) in [
            ("characters of its own keys", one.core_used, one.core_max),
            ("events", one.recall_count, one.recall_max),
        ] {
            context.output.line(format_args!("  {used} of {max} {what}"))?;
        }
        let records = counted(one.archival_count, "record");
        let chars = counted(one.archival_chars, "character");
        context.output.line(format_args!("  {records}, {chars}"))?;
        if !one.recommendations.is_empty() {
            let branch = quote::word(&one.branch);
            let next = format!("  to do: {}", Pressure::advice(&one.recommendations, &branch));
            context.output.line(escape::line(&next))?;
        }
    }
    Ok(Exit::Fine)
}
