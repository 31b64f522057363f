//! `annals log`: what was done, newest at the bottom.

use std::time::Duration;

use super::rows::{self, execution};
use super::{CliError, Context, Exit, feed, reference};
use crate::command::{Project, clock};
use crate::event::Sequence;
use crate::query::{LogFilter, Stores};
use crate::surface::table::Table;
use crate::surface::{time, wire};

/// How often `--follow` looks.
const POLL: Duration = Duration::from_millis(500);

/// What was done, newest at the bottom
#[derive(clap::Args, Debug)]
pub struct Args {
    /// How many
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    pub number: usize,
    /// Only this session: its UUID or the beginning of it
    #[arg(long, value_name = "SESSION")]
    pub session: Option<String>,
    /// Only this tool
    #[arg(long, value_name = "TOOL")]
    pub tool: Option<String>,
    /// Only what worked on this path, or below it
    #[arg(long, value_name = "PATH")]
    pub path: Option<String>,
    /// Only failures (refused is not failed)
    #[arg(long)]
    pub failed: bool,
    /// Only what has this text in its arguments, error or output
    #[arg(long, value_name = "TEXT")]
    pub grep: Option<String>,
    /// Only since then: an age (2h, 3d), a date or an RFC 3339 time
    #[arg(long, value_name = "TIME")]
    pub since: Option<String>,
    /// Stay, and print what comes
    #[arg(short, long)]
    pub follow: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let project = context.project()?;
    feed::catch_up(&project, context);
    let filter = filter(&args, &project, context)?;
    let page = feed::stores(&project)?.log(&filter)?;
    let rows: Vec<wire::Execution> = page.executions.iter().map(execution).collect();
    let more = page.total.saturating_sub(rows.len() as u64);
    if context.output.is_json() {
        context.output.json_list(&rows)?;
    } else if rows.is_empty() {
        context.output.line(nothing(&args))?;
    } else {
        print(&rows, true, context)?;
        if more > 0 && !args.follow {
            let all = page.total;
            let hint = format!("{more} earlier: annals log -n {all}");
            let hint = context.output.paint(crate::surface::output::Colour::Dim, &hint);
            context.output.line(hint)?;
        }
    }
    if args.follow {
        follow(&project, filter, page.total, context)?;
    }
    Ok(Exit::Fine)
}

fn filter(args: &Args, project: &Project, context: &Context) -> Result<LogFilter, CliError> {
    let since_ms = args
        .since
        .as_deref()
        .map(|text| time::parse(text, clock::now_ms(), &context.zone))
        .transpose()?;
    Ok(LogFilter {
        last: args.number,
        session: reference::session(args.session.as_deref(), project)?,
        tool: args.tool.clone(),
        path: args.path.clone(),
        failed: args.failed,
        grep: args.grep.clone(),
        since_ms,
        ..LogFilter::default()
    })
}

fn nothing(args: &Args) -> &'static str {
    let filtered = args.session.is_some()
        || args.tool.is_some()
        || args.path.is_some()
        || args.failed
        || args.grep.is_some()
        || args.since.is_some();
    if filtered {
        "Nothing matches. Next: annals log, without filters"
    } else {
        "Nothing is recorded yet. Next: annals run -- COMMAND, or annals import auto"
    }
}

fn print(rows: &[wire::Execution], titles: bool, context: &mut Context) -> Result<(), CliError> {
    let mut table = Table::new(&[">no", "time", "tool", "outcome", ">took", "what"]);
    for row in rows {
        table.row(rows::colour(&row.outcome), &rows::cells(row, &context.zone));
    }
    if titles {
        table.print(&mut context.output)?;
    } else {
        table.print_rows(&mut context.output)?;
    }
    Ok(())
}

/// Prints what comes after `seen` executions, until the reader leaves or somebody interrupts.
fn follow(
    project: &Project,
    filter: LogFilter,
    mut seen: u64,
    context: &mut Context,
) -> Result<(), CliError> {
    loop {
        context.output.flush()?;
        std::thread::sleep(POLL);
        feed::catch_up(project, context);
        let page = feed::stores(project)?.log(&LogFilter { last: 0, ..filter.clone() })?;
        let new = usize::try_from(page.total.saturating_sub(seen)).unwrap_or(usize::MAX);
        if new == 0 {
            continue;
        }
        seen = page.total;
        let page = feed::stores(project)?.log(&LogFilter { last: new, ..filter.clone() })?;
        let rows: Vec<wire::Execution> = page.executions.iter().map(execution).collect();
        if context.output.is_json() {
            rows.iter().try_for_each(|row| context.output.json_line(row))?;
        } else {
            print(&rows, false, context)?;
        }
    }
}
