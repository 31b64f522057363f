//! `annals debug list`: the debug sessions.

use std::path::PathBuf;

use super::{print, work};
use crate::cli::{CliError, Context, Exit};
use crate::debug::query::DebugFilter;
use crate::event::{DebugStatus, ErrorType, RootCause};
use crate::journal::clock;
use crate::output::{time, wire};

/// The debug sessions, those that were worked on last first
#[derive(clap::Args, Debug, Default)]
pub struct Args {
    /// How many
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    number: usize,
    /// Only those of this file
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Only those that stand so: in_progress, passed, failed or escalated
    #[arg(long, value_name = "STATUS", value_parser = crate::cli::debug::status)]
    status: Option<DebugStatus>,
    /// Only those in which a test failed so: AssertionError, TypeError …
    #[arg(long, value_name = "TYPE", value_parser = crate::cli::debug::error_type)]
    error_type: Option<ErrorType>,
    /// Only those with such a root cause: null_undefined_access, off_by_one …
    #[arg(long, value_name = "CATEGORY", value_parser = crate::cli::debug::root_cause)]
    category: Option<RootCause>,
    /// Only those in which this pattern was learnt
    #[arg(long, value_name = "NAME")]
    pattern: Option<String>,
    /// Only those that were worked on since then: an age (2h, 3d), a date or an RFC 3339 time
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// End with 1 where there is one
    #[arg(long)]
    exit_code: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let since = |text: &String| time::parse(text, clock::now_ms(), &context.zone);
    let since_ms = args.since.as_ref().map(since).transpose()?;
    let file_path = args.file.map(|file| match context.project() {
        Ok(project) => work::file(&project, &file),
        // A copy, or the past: as it was given.
        Err(_) => file.to_string_lossy().into_owned(),
    });
    let filter = DebugFilter {
        limit: args.number,
        skip: 0,
        status: args.status,
        file_path,
        error_type: args.error_type,
        category: args.category,
        pattern: args.pattern,
        since_ms,
    };
    let found = crate::cli::debug::each(context, |one| {
        let row = |it| wire::DebugSession::of(it, one.journal);
        Ok(one.view.list(&filter)?.into_iter().map(row).collect())
    })?;
    let exit = if args.exit_code && !found.is_empty() { Exit::Findings } else { Exit::Fine };
    if context.output.is_json() {
        context.output.json_list(&found)?;
        return Ok(exit);
    }
    if found.is_empty() {
        context.output.line("No debug session. Next: annals debug run FILE -- COMMAND")?;
        return Ok(exit);
    }
    print::sessions(&found, context)?;
    Ok(exit)
}
