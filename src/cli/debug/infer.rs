//! `annals debug infer`: debug sessions out of agents' sessions.

use super::Result;
use crate::cli::recorded::settled;
use crate::cli::rows::short;
use crate::cli::{Context, Exit, counted};
use crate::debug::infer;
use crate::output::escape;
use crate::output::table::Table;

/// Infer debug sessions from an agent's test runs and edits
///
/// From the first run that failed until a run of the same runner in the same folder shows those tests
/// passing. The same run with nothing changed in between is no attempt. What the tests came to is read from the recorded output; nobody recorded the code, so that an
/// attempt's code_hash is the SHA-256 of the edits so far. Done twice it adds nothing; where the agent went
/// on, it adds what is new.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The agent's session: its id, the beginning of it, or the agent's own name for it [default: all]
    session: Option<String>,
    /// Only say what would be recorded
    #[arg(long)]
    dry_run: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let project = context.project()?;
    let done = infer::infer(&project, args.session.as_deref(), args.dry_run)?;
    let (found, known) = (done.found, done.known);
    if !args.dry_run {
        settled(&project, context)?;
    }
    if context.output.as_json_list(&found)? {
        return Ok(Exit::Fine);
    }
    if found.is_empty() {
        context.output.line(match known {
            0 => "No run of tests that is understood failed in what is recorded. Next: annals import \
                  auto, for past sessions"
                .to_owned(),
            _ => format!(
                "Nothing new: {} that failed {} in debug sessions already. Next: annals debug list",
                counted(known, "run"),
                if known == 1 { "is" } else { "are" }
            ),
        })?;
        return Ok(Exit::Fine);
    }
    let titles = ["session", "status", ">attempts", ">new", ">fixes", "file", "tests"];
    let mut table = Table::new(&titles);
    for it in &found {
        let cells = [
            it.session.to_string(),
            it.status.as_str().to_owned(),
            it.attempts_all.to_string(),
            it.attempts.to_string(),
            it.fixes.to_string(),
            it.file_path.clone(),
            short(&it.command),
        ];
        table.row(None, &cells);
    }
    table.print(&mut context.output)?;
    let attempts = counted(found.iter().map(|it| u64::from(it.attempts)).sum(), "attempt");
    let fixes = found.iter().map(|it| u64::from(it.fixes)).sum::<u64>();
    let fixes = if fixes == 1 { "1 fix".to_owned() } else { format!("{fixes} fixes") };
    let (verb, next) = match args.dry_run {
        true => ("would be recorded", "annals debug infer"),
        false => ("recorded now", "annals debug list"),
    };
    context.output.line(escape::line(&format!("{attempts} and {fixes} {verb}. Next: {next}")))?;
    Ok(Exit::Fine)
}
