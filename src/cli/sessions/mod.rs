//! `annals sessions`: which sessions there are.

pub mod commits;

use super::{Context, Exit, Result, catch_up, rows};
use crate::event::Ordered;
use crate::execution::query::SessionFilter;
use crate::output::stream::Colour;
use crate::output::table::Table;
use crate::output::time;

/// Sessions, newest last
#[derive(clap::Args, Debug)]
pub struct Args {
    /// How many
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    pub number: usize,
    /// Only this agent's
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<String>,
    /// The commits that were made in each: by calls, as git told of them, and meanwhile, as its own log of the
    /// folder has them
    #[arg(long)]
    pub commits: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let is_narrowed = args.agent.is_some() || args.number == 0;
    let filter = SessionFilter { last: Some(args.number.saturating_add(1)), agent: args.agent };
    let opened = catch_up::open_all(context)?;
    let several = opened.len() > 1;
    let mut found = Vec::new();
    for one in &opened {
        found.extend(one.stores.sessions(&filter)?);
    }
    if several {
        found.order_by_key(|row| row.last_ms);
    }
    let earlier = found.len().saturating_sub(args.number);
    found.drain(..earlier);
    if args.commits {
        return commits::print(&opened, &found, context);
    }
    if context.output.as_json_list(&found)? {
        return Ok(Exit::Fine);
    }
    if found.is_empty() {
        context.output.line(match context.damage.is_met() {
            true => "No session is left that can be read",
            false if is_narrowed => "Nothing matches. Next: annals sessions, without options",
            false => "No session is recorded yet. Next: annals import auto",
        })?;
        return Ok(Exit::Fine);
    }
    let titles = ["session", "agent", "last", ">calls", ">failed", ">prompts", "title"];
    let mut table = Table::of_journals(several, &titles);
    for row in found {
        let title = row.title.as_ref().unwrap_or(&row.native_id);
        let cells = [
            row.id.to_string().chars().take(8).collect(),
            row.agent.clone(),
            time::local(row.last_ms, &context.zone),
            row.calls.to_string(),
            row.failed.to_string(),
            row.prompts.to_string(),
            rows::short(title),
        ];
        table.row_of(row.journal, None, cells);
    }
    table.print(&mut context.output)?;
    if earlier > 0 {
        let hint = "There are earlier ones: the same with a larger -n";
        context.output.coloured(Colour::Dim, hint)?;
    }
    Ok(Exit::Fine)
}
