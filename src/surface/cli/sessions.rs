//! `annals sessions`: which sessions there are.

use super::rows::session;
use super::{CliError, Context, Exit, feed};
use crate::query::SessionFilter;
use crate::surface::output::Colour;
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
    let rows: Vec<wire::Session> = found.iter().map(session).collect();
    if context.output.is_json() {
        context.output.json_list(&rows)?;
        return Ok(Exit::Fine);
    }
    if rows.is_empty() {
        context.output.line("No session is recorded yet. Next: annals import auto")?;
        return Ok(Exit::Fine);
    }
    let titles = ["session", "agent", "last", ">calls", ">failed", ">prompts", "title"];
    let mut table = Table::new(&titles);
    for (row, found) in rows.iter().zip(&found) {
        let last = found.last_ms.map(|at_ms| time::local(at_ms, &context.zone));
        table.row(
            (row.failed > 0).then_some(Colour::Yellow),
            &[
                row.session.chars().take(8).collect(),
                row.agent.clone().unwrap_or_default(),
                last.unwrap_or_default(),
                row.executions.to_string(),
                row.failed.to_string(),
                row.prompts.to_string(),
                row.title.clone().or_else(|| row.native_id.clone()).unwrap_or_default(),
            ],
        );
    }
    table.print(&mut context.output)?;
    Ok(Exit::Fine)
}
