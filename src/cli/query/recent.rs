//! `annals query recent`: whether an action failed recently.

use std::time::Duration;

use super::{json, list};
use crate::cli::{CliError, Context, Exit, catch_up, rows};
use crate::execution::query::Action;
use crate::journal::clock;
use crate::output::{escape, time};

/// Whether the same call failed recently: the same tool with the same arguments
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The tool, by the contract's name or the agent's
    tool: String,
    /// Its arguments, a JSON object
    arguments: String,
    /// How long ago at most: an age (2h, 7d)
    #[arg(long, value_name = "AGE", default_value = "7d")]
    within: String,
    /// End with 1 where it did
    #[arg(long)]
    exit_code: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let now_ms = clock::now_ms();
    let since_ms = time::parse(&args.within, now_ms, &context.zone)?;
    let within = Duration::from_millis(now_ms.saturating_sub(since_ms));
    let action = Action::with(&args.tool, &args.arguments)?;
    let opened = catch_up::open_all(context)?;
    let several = opened.len() > 1;
    let mut found = Vec::new();
    for one in &opened {
        found.push((one.name.clone(), one.stores.recent_failures(&action, within, now_ms)?));
    }
    let failed = found.iter().any(|(_, failures)| failures.is_some());
    let exit = if failed && args.exit_code { Exit::Findings } else { Exit::Fine };
    if context.output.is_json() {
        let told = found.iter().map(|(name, failures)| json::recent(name, failures.as_ref()));
        let told: Vec<_> = told.collect();
        match told.as_slice() {
            [one] => context.output.json(one)?,
            several => context.output.json_list(several)?,
        }
        return Ok(exit);
    }
    let mut table = rows::table(several);
    let mut last = None;
    for (journal, failures) in &found {
        let executions = failures.iter().flat_map(|failures| failures.executions.iter().rev());
        for row in executions {
            rows::push(&mut table, journal.as_deref(), row, &context.zone);
            last = Some(row);
        }
    }
    let Some(last) = last else {
        let what = format!("{} with these arguments", args.tool);
        let what = escape::line(&what).into_owned();
        context.output.line(format_args!(
            "No: {what} has not failed within {}, or succeeded since. Next: annals query pattern",
            escape::line(&args.within)
        ))?;
        return Ok(exit);
    };
    context.output.line("A known antipattern: it failed, and has not succeeded since")?;
    table.print(&mut context.output)?;
    list::hint(&format!("Next: annals show {}, then another way", list::reference(last)), context)?;
    Ok(exit)
}
