//! Bare `annals debug`: what is open, and what is next.

use super::print;
use crate::cli::{CliError, Context, Exit, counted};
use crate::debug::query::DebugFilter;
use crate::event::DebugStatus;
use crate::output::{escape, wire};

/// Sessions that are shown.
const SHOWN: usize = 5;

pub fn run(context: &mut Context) -> Result<Exit, CliError> {
    let found = crate::cli::debug::each(context, |one| {
        let mut found = Vec::new();
        for status in [DebugStatus::Escalated, DebugStatus::InProgress] {
            let status = Some(status);
            let filter = DebugFilter { limit: SHOWN, status, ..DebugFilter::default() };
            let row = |it| wire::DebugSession::of(it, one.journal);
            found.extend(one.view.list(&filter)?.into_iter().map(row));
        }
        Ok(found)
    })?;
    if context.output.is_json() {
        context.output.json_list(&found)?;
        return Ok(Exit::Fine);
    }
    let next = match found.first() {
        None => {
            context.output.line("No debug session is open.")?;
            "annals debug run FILE -- cargo test, or annals debug infer for past sessions"
                .to_owned()
        }
        Some(first) => {
            print::sessions(&found, context)?;
            let text = counted(found.len() as u64, "debug session");
            context.output.line(format_args!("{text} open."))?;
            match first.status {
                "escalated" => format!("annals debug show {}", first.session_id),
                _ => format!("annals debug similar {}", first.session_id),
            }
        }
    };
    context.output.line(escape::line(&format!("Next: {next}")))?;
    context.output.line("All there is: annals debug --help")?;
    Ok(Exit::Fine)
}
