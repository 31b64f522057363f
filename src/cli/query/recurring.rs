//! `annals query recurring` and `annals query latest`: diagnostics that come again and again, and how the
//! last thing went that had to do with a file.

use std::cmp::Reverse;

use super::list;
use crate::cli::{Context, Exit, Result, catch_up, quote, rows};
use crate::event::Ordered;
use crate::output::stream::Colour;
use crate::output::table::Table;
use crate::output::time;

/// Recurring diagnostics, the most frequent first
///
/// A diagnostic is still there until a check that would show it no longer does.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// How many
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    number: usize,
    /// Only diagnostics of at least this many executions
    #[arg(long, value_name = "COUNT", default_value_t = 2)]
    least: u64,
    /// Only diagnostics of this session
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    /// End with 1 where one is still there
    #[arg(long)]
    exit_code: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let opened = catch_up::open_all(context)?;
    let mut found = Vec::new();
    for one in &opened {
        let mut query = one.stores.recurring_diagnostics().at_least(args.least);
        if let Some(session) = &args.session {
            query = query.with_session(session);
        }
        found.extend(query.page(args.number, None).fetch()?.items);
    }
    found.order_by_key(|row| Reverse(row.executions));
    found.truncate(args.number);
    let present = found.iter().any(|row| row.still_present);
    let exit = if present && args.exit_code { Exit::Findings } else { Exit::Fine };
    if context.output.is_json() {
        let told = list::answers(&found, |one| one.last.journal.as_deref());
        context.output.json_list(&told)?;
        return Ok(exit);
    }
    let Some(first) = found.first() else {
        context.output.line("No diagnostic came again. Next: annals failures")?;
        return Ok(exit);
    };
    let next = format!("Next: annals query resolving {}", quote::word(&first.code));
    let titles = ["code", ">executions", ">sessions", "first", "last", "now", "what"];
    let mut table = Table::of_journals(opened.len() > 1, &titles);
    for row in &found {
        let cells = [
            row.code.clone(),
            row.executions.to_string(),
            row.sessions.to_string(),
            time::local(row.first.at_ms, &context.zone),
            time::local(row.last.at_ms, &context.zone),
            if row.still_present { "still there" } else { "gone" }.to_owned(),
            rows::short(row.what.as_deref().unwrap_or_default()),
        ];
        let colour = row.still_present.then_some(Colour::Red);
        table.row_of(row.last.journal.clone(), colour, cells);
    }
    table.print(&mut context.output)?;
    list::hint(&next, context)?;
    Ok(exit)
}

/// The latest call about a file, and how it ended
#[derive(clap::Args, Debug)]
pub struct LatestArgs {
    /// Files, by their path or the end of it
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
}

pub fn latest(args: LatestArgs, context: &mut Context) -> Result<Exit> {
    let opened = catch_up::open_all(context)?;
    let several = opened.len() > 1;
    let mut found = Vec::new();
    for path in &args.paths {
        let path = list::from_root(path, context);
        for one in &opened {
            found.extend(one.stores.latest_outcome_for_file(&path)?);
        }
    }
    if context.output.is_json() {
        let told = list::answers(&found, |one| one.last.journal.as_deref());
        context.output.json_list(&told)?;
        return Ok(Exit::Fine);
    }
    let Some(first) = found.first() else {
        context.output.line("Nothing had to do with it. Next: annals log")?;
        return Ok(Exit::Fine);
    };
    let next = format!("Next: annals show {}", first.last.reference());
    let titles: Vec<_> = ["path"].into_iter().chain(rows::TITLES).collect();
    let mut table = Table::of_journals(several, &titles).narrowing(rows::OPTIONAL);
    for file in &found {
        let change = file.last_change.as_ref().filter(|change| change.id != file.last.id);
        for row in change.into_iter().chain([&file.last]) {
            let before = row.journal.iter().chain([&file.path]).map(|text| rows::short(text));
            let cells: Vec<String> = before.chain(rows::cells(row, &context.zone)).collect();
            let (target, why) = rows::what(row);
            table.row_of_failure(rows::colour(row.outcome), &cells, &target, &why);
        }
    }
    table.print(&mut context.output)?;
    list::hint(&next, context).map(|()| Exit::Fine)
}
