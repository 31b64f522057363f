//! `annals log`: what was done, newest at the bottom.

use std::time::Duration;

use super::{CliError, Context, Exit, feed, rows};
use crate::command::{Project, clock};
use crate::event::Sequence;
use crate::query::{ExecutionSummary, LogFilter};
use crate::surface::output::Colour;
use crate::surface::table::Table;
use crate::surface::{time, wire};

/// How often `--follow` looks.
const POLL: Duration = Duration::from_millis(500);

/// What was done, newest at the bottom
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
    /// Stay, and print what comes
    #[arg(short, long)]
    pub follow: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let project = context.project()?;
    feed::catch_up(&project, context);
    let filter = filter(&args, context)?;
    let stores = feed::stores(&project)?;
    let page = stores.log(&filter)?;
    if context.output.is_json() && !args.follow {
        let list: Vec<wire::Execution> = page.executions.iter().map(rows::execution).collect();
        context.output.json_list(&list)?;
    } else if page.executions.is_empty() && !args.follow {
        context.output.line(nothing(&args))?;
    } else {
        print(&page.executions, true, context)?;
        if page.more && !args.follow && !context.output.is_json() {
            let hint =
                format!("There are earlier ones: annals log -n {}", stores.log_count(&filter)?);
            let hint = context.output.paint(Colour::Dim, &hint);
            context.output.line(hint)?;
        }
    }
    if args.follow {
        let newest = page.executions.iter().map(|row| row.sequence).max();
        follow(&project, filter, newest.unwrap_or(0), context)?;
    }
    Ok(Exit::Fine)
}

fn filter(args: &Args, context: &Context) -> Result<LogFilter, CliError> {
    let since_ms = args
        .since
        .as_deref()
        .map(|text| time::parse(text, clock::now_ms(), &context.zone))
        .transpose()?;
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

fn print(list: &[ExecutionSummary], titles: bool, context: &mut Context) -> Result<(), CliError> {
    if context.output.is_json() {
        for row in list {
            context.output.json_line(&rows::execution(row))?;
        }
        return Ok(());
    }
    let mut table = Table::new(&rows::TITLES);
    for row in list {
        table.row(rows::colour(row.outcome), &rows::cells(row, &context.zone));
    }
    if titles {
        table.print(&mut context.output)?;
    } else {
        table.print_rows(&mut context.output)?;
    }
    Ok(())
}

/// Prints what comes after `newest`, until the reader leaves or somebody interrupts.
fn follow(
    project: &Project,
    filter: LogFilter,
    mut newest: u64,
    context: &mut Context,
) -> Result<(), CliError> {
    loop {
        context.output.flush()?;
        std::thread::sleep(POLL);
        feed::catch_up(project, context);
        let after =
            LogFilter { last: usize::MAX >> 1, after: Some(Sequence(newest)), ..filter.clone() };
        let page = feed::stores(project)?.log(&after)?;
        print(&page.executions, false, context)?;
        newest = page.executions.iter().map(|row| row.sequence).fold(newest, u64::max);
    }
}
