//! `annals sessions`: which sessions there are.

use super::{CliError, Context, Exit, feed, rows};
use crate::query::SessionFilter;
use crate::surface::table::Table;
use crate::surface::{time, wire};

/// Which sessions there are, the latest at the bottom
#[derive(clap::Args, Debug)]
pub struct Args {
    /// How many
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    pub number: usize,
    /// Only this agent's
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let project = context.project()?;
    feed::catch_up(&project, context);
    let filter = SessionFilter { last: Some(args.number), agent: args.agent };
    let found = feed::stores(&project)?.sessions(&filter)?;
    if context.output.is_json() {
        let list: Vec<wire::Session> = found.iter().map(rows::session).collect();
        context.output.json_list(&list)?;
        return Ok(Exit::Fine);
    }
    if found.is_empty() {
        context.output.line("No session is recorded yet. Next: annals import auto")?;
        return Ok(Exit::Fine);
    }
    let titles = ["session", "agent", "last", ">calls", ">failed", ">prompts", "title"];
    let mut table = Table::new(&titles);
    for row in &found {
        let title = row.title.as_ref().or(row.first_prompt.as_ref()).unwrap_or(&row.native_id);
        table.row(
            None,
            &[
                row.id.to_string().chars().take(8).collect(),
                row.agent.clone(),
                time::local(row.last_ms, &context.zone),
                row.calls.to_string(),
                row.failed.to_string(),
                row.prompts.to_string(),
                rows::short(title),
            ],
        );
    }
    table.print(&mut context.output)?;
    Ok(Exit::Fine)
}
