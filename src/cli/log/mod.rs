//! `annals log`: what was done, newest at the bottom.

mod follow;

use super::journals::Opened;
use super::{CliError, Context, Exit, Result, catch_up, journals, rows};
use crate::event::{Ordered, Sequence};
use crate::execution::query::{ExecutionSummary, LogFilter};
use crate::journal::clock;
use crate::output::stream::Colour;
use crate::output::time;

/// Calls, newest last
///
/// With --follow it goes on with every call that ends, once that is on disk, until its reader leaves or it is
/// interrupted; with --json, one line each.
#[derive(clap::Args, Debug, Default)]
pub struct Args {
    /// How many
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    pub number: usize,
    /// Only this session: its id, the beginning of it, or the agent's own name for it
    #[arg(long, value_name = "SESSION")]
    pub session: Option<String>,
    /// Only this tool, by the contract's name or the agent's
    #[arg(long, value_name = "TOOL")]
    pub tool: Option<String>,
    /// Only what worked on this path, or below it
    #[arg(long, value_name = "PATH")]
    pub path: Option<String>,
    /// Only failures (refused is not failed)
    #[arg(long)]
    pub failed: bool,
    /// Only what has this text in its target, arguments, output or error
    #[arg(long, value_name = "TEXT")]
    pub grep: Option<String>,
    /// Only since then: an age (2h, 3d), a date or an RFC 3339 time
    #[arg(long, value_name = "TIME")]
    pub since: Option<String>,
    /// Keep running, and print new calls
    #[arg(short, long)]
    pub follow: bool,
    /// With --follow: every event, one line of JSON each, as `annals export jsonl events` writes it; with --since from then on
    #[arg(
        long,
        requires = "follow",
        conflicts_with_all = ["session", "tool", "path", "failed", "grep", "number"]
    )]
    pub events: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let filter = filter(&args, context)?;
    if args.events {
        return events(&filter, context);
    }
    let opened = catch_up::open_all(context)?;
    journals::must_mean_one(&opened, args.session.as_deref())?;
    let several = opened.len() > 1;
    let followed = match opened.as_slice() {
        [one] if one.built.is_none() => Some(&one.journal),
        _ => None,
    };
    if args.follow && followed.is_none() {
        let what = "--follow waits for what is recorded: it is for one project, as it stands now";
        return Err(CliError::Refused { what });
    }
    let (list, more) = newest(&opened, &filter)?;
    if list.is_empty() && !args.follow && !context.damage.is_met() {
        journals::must_know(&opened, args.session.as_deref(), args.tool.as_deref())?;
    }
    if context.output.is_json() && !args.follow {
        context.output.json_list(&list)?;
    } else if list.is_empty() && !args.follow {
        context.output.line(nothing(&args, context))?;
    } else {
        print(&list, several, true, context)?;
        if more && !args.follow && !context.output.is_json() {
            let count = opened.iter().map(|one| one.stores.log_count(&filter));
            let count = count.sum::<Result<u64, _>>()?;
            let hint = format!("There are earlier ones: the same with -n {count}");
            context.output.coloured(Colour::Dim, &hint)?;
        }
    }
    if args.follow {
        let newest = list.iter().map(|row| row.sequence).max();
        drop(opened);
        context.output.flush()?;
        return follow::calls(&context.project()?, &filter, newest.unwrap_or(0), context);
    }
    Ok(Exit::Fine)
}

fn events(filter: &LogFilter, context: &mut Context) -> Result<Exit> {
    if context.sources()?.len() != 1 || context.evidence {
        let what = "--follow waits for what is recorded: it is for one project, as it stands now";
        return Err(CliError::Refused { what });
    }
    context.must_be_now()?;
    let project = context.project()?;
    let before = |since_ms| project.reader()?.before_time(since_ms);
    let from = filter.since_ms.map(before).transpose()?.map(|it| Sequence(it.0 + 1));
    follow::all_events(&project, from, context)
}

/// The newest of all journals by time, then sequence, the oldest first; and whether there are more.
fn newest(opened: &[Opened], filter: &LogFilter) -> Result<(Vec<ExecutionSummary>, bool)> {
    let (mut list, mut more) = (Vec::new(), false);
    for one in opened {
        let page = one.stores.log(filter)?;
        more |= page.more;
        list.extend(page.executions);
    }
    if opened.len() > 1 {
        list.order_by_key(|row| (row.at_ms, row.sequence));
        let surplus = list.len().saturating_sub(filter.last);
        more |= surplus > 0;
        list.drain(..surplus);
    }
    Ok((list, more))
}

fn filter(args: &Args, context: &Context) -> Result<LogFilter> {
    let read = |text: &String| time::parse(text, clock::now_ms(), &context.zone);
    let since_ms = args.since.as_ref().map(read).transpose()?;
    Ok(LogFilter {
        last: args.number,
        session: args.session.clone(),
        tool: args.tool.clone(),
        path: args.path.clone(),
        failed: args.failed,
        grep: args.grep.clone(),
        since_ms,
        ..LogFilter::default()
    })
}

fn nothing(args: &Args, context: &Context) -> &'static str {
    let filtered = args.session.is_some()
        || args.tool.is_some()
        || args.path.is_some()
        || args.failed
        || args.grep.is_some()
        || args.since.is_some()
        || args.number == 0;
    if context.damage.is_met() {
        "Nothing is left of it that can be read"
    } else if context.at.is_some() {
        "Nothing like that was recorded by then. Next: annals log, without --at"
    } else if filtered {
        "Nothing matches. Next: annals log, without filters"
    } else {
        "Nothing is recorded yet. Next: annals run -- COMMAND, or annals import auto"
    }
}

fn print(
    list: &[ExecutionSummary],
    several: bool,
    titles: bool,
    context: &mut Context,
) -> Result<()> {
    if context.output.is_json() {
        for row in list {
            context.output.json_line(row)?;
        }
        return Ok(());
    }
    let table = rows::table(several, list, &context.zone);
    if titles {
        table.print(&mut context.output)?;
    } else {
        table.print_rows(&mut context.output)?;
    }
    Ok(())
}
