//! `annals debug fix`: what was changed.

use super::work;
use crate::cli::{CliError, Context, Exit, catch_up};
use crate::debug::{DebugError, FixGiven};
use crate::event::{DebugSessionId, DebugStatus, Fix, TemplateRef, Verification};
use crate::journal::Project;

/// Record what was changed after an attempt; the next attempt verifies it
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The debug session: its id, the beginning of it, or `last`
    #[arg(value_name = "SESSION", default_value = work::LAST)]
    session: String,
    /// The attempt that it follows [default: the last]
    #[arg(long, value_name = "NUMBER")]
    attempt: Option<u32>,
    /// All of it as JSON in the schema's shape; - reads it from standard input
    #[arg(long, value_name = "JSON", conflicts_with_all = ["description", "diff_summary", "files", "diff", "verification"])]
    fix: Option<String>,
    /// What was changed
    #[arg(long, value_name = "TEXT", required_unless_present = "fix")]
    description: Option<String>,
    /// How much, as `+5/-2 lines`
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    diff_summary: Option<String>,
    /// A file that was changed; may be repeated
    #[arg(long = "file", value_name = "FILE")]
    files: Vec<String>,
    /// The diff; - reads it from standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    diff: Option<String>,
    /// Whether it helped: pending, passed or failed [default: pending]
    #[arg(long, value_name = "WORD", value_parser = crate::cli::debug::verification)]
    verification: Option<Verification>,
    /// The template that it was made from: SESSION:PATTERN, as `annals debug templates` has them
    #[arg(long, value_name = "TEMPLATE", value_parser = crate::cli::debug::template)]
    template: Option<TemplateRef>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let fix = match &args.fix {
        Some(json) => crate::cli::debug::json("fix_applied", json)?,
        None => Fix {
            description: args.description.unwrap_or_default(),
            diff_summary: args.diff_summary,
            files_changed: (!args.files.is_empty()).then_some(args.files),
            diff: args.diff.map(crate::cli::debug::text).transpose()?,
            verification: args.verification,
        },
    };
    let given = FixGiven { fix, template: args.template };
    let project = context.project()?;
    let session = work::find(&project, &args.session, context)?;
    not_over(&project, session, context)?;
    let done =
        work::operate_on(&project, context, |writer| writer.fix(session, args.attempt, given))?;
    let sentence = format!("Recorded a fix in debug session {}", done.session);
    let next = format!("annals debug run {} -- COMMAND", done.document.file_path);
    work::tell(done, &sentence, &next, context)?;
    Ok(Exit::Fine)
}

/// Refuses a fix that no attempt would verify any more.
fn not_over(
    project: &Project,
    session: DebugSessionId,
    context: &mut Context,
) -> Result<(), CliError> {
    catch_up::catch_up(project, context);
    match catch_up::stores(project, context)?.debug().session(session)? {
        Some(it) if matches!(it.status, DebugStatus::Passed | DebugStatus::Failed) => {
            let (status, file_path) = (it.status, it.file_path);
            Err(DebugError::Final { session, status, file_path }.into())
        }
        _ => Ok(()), // where there is none, the operation says so
    }
}
