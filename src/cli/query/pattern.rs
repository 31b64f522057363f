//! `annals query pattern` and `annals query recent`: how often the same was tried, and whether it failed
//! recently.

use std::time::Duration;

use super::list::{self, FailedRecently};
use crate::cli::narrow::{NarrowArgs, narrowed};
use crate::cli::{Context, Exit, Result, catch_up, rows};
use crate::execution::query::{Action, Pattern};
use crate::journal::clock;
use crate::output::stream::Colour;
use crate::output::wire::OfJournal;
use crate::output::{escape, time};

/// How often the same was tried, and how often it failed
///
/// The same is: the same tool on the same target. Of a command `cd X &&`, output redirections and a
/// trailing `| head`, `| tail` or `| grep` do not count; a check is another in each folder.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The tool, by the contract's name or the agent's
    tool: String,
    /// What it is about: a command, a path, a symbol
    target: String,
    /// Only if at least this share of runs failed: 0 to 1
    #[arg(long, value_name = "RATE", default_value_t = 0.0)]
    threshold: f64,
    #[command(flatten)]
    narrow: NarrowArgs,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let narrow = args.narrow.resolved(context)?;
    let opened = catch_up::open_all(context)?;
    let action = Action::on(&args.tool, list::from_root(&args.target, context));
    let mut found = Vec::new();
    for one in &opened {
        let query = narrowed!(one.stores.pattern_match(&action), narrow);
        let query = query.filter_failure_rate_threshold(args.threshold);
        let page = query.page(args.narrow.number, None).fetch()?;
        found.extend(page.items.into_iter().map(|pattern| (one.name.clone(), pattern)));
    }
    let failed = found.iter().any(|(_, pattern)| pattern.failed > 0);
    if context.output.is_json() {
        let told = found.iter().map(|(journal, it)| OfJournal::of(journal.as_deref(), it));
        context.output.json_list(&told.collect::<Vec<_>>())?;
        return Ok(args.narrow.exit(failed));
    }
    for (journal, pattern) in &found {
        print(journal.as_deref(), pattern, context)?;
    }
    match found.first().and_then(|(_, pattern)| pattern.last.first()) {
        Some(last) => {
            list::hint(&format!("Next: annals show {}", last.reference()), context)?;
        }
        None => context.output.line("Nothing like it, as far as this asks. Next: annals log")?,
    }
    Ok(args.narrow.exit(failed))
}

/// A sentence and the last executions, the newest at the bottom.
fn print(journal: Option<&str>, one: &Pattern, context: &mut Context) -> Result<()> {
    let from = journal.map(|name| format!(" ({name})")).unwrap_or_default();
    let what = rows::short(one.target().unwrap_or("the same arguments"));
    let title = format!("{} {what}{from}", one.tool);
    context.output.coloured(Colour::Bold, escape::line(&title))?;
    let rate = 100.0 * one.failure_rate();
    let mut said = format!(
        "{} times: {} ok, {} failed ({rate:.0} % of what ran)",
        one.executions(),
        one.ok,
        one.failed
    );
    for (count, what) in [(one.refused, "refused"), (one.interrupted, "interrupted")] {
        if count > 0 {
            said.push_str(&format!(", {count} {what}"));
        }
    }
    let first = time::local(one.first_ms, &context.zone);
    context.output.line(format_args!("{said}, first {first}. The last:"))?;
    let table = rows::table(false, one.last.iter().rev(), &context.zone);
    Ok(table.print(&mut context.output)?)
}

/// Whether the same call failed recently
#[derive(clap::Args, Debug)]
pub struct RecentArgs {
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

pub fn recent(args: RecentArgs, context: &mut Context) -> Result<Exit> {
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
        let told = found.iter().map(|(name, it)| FailedRecently::of(name.as_deref(), it.as_ref()));
        let told: Vec<_> = told.collect();
        context.output.json_of_journals(&told)?;
        return Ok(exit);
    }
    let failures: Vec<_> = found
        .iter()
        .flat_map(|(_, failures)| failures.iter().flat_map(|it| it.executions.iter().rev()))
        .collect();
    let Some(last) = failures.last() else {
        let what = format!("{} with these arguments", args.tool);
        let what = escape::line(&what).into_owned();
        context.output.line(format_args!(
            "No: {what} has not failed within {}, or succeeded since. Next: annals query pattern",
            escape::line(&args.within)
        ))?;
        return Ok(exit);
    };
    context.output.line("A known antipattern: it failed, and has not succeeded since")?;
    rows::table(several, failures.iter().copied(), &context.zone).print(&mut context.output)?;
    list::hint(&format!("Next: annals show {}, then another way", last.reference()), context)?;
    Ok(exit)
}
