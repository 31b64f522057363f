//! `annals debug`, `list`, `show`, `escalations`, `open`, `close`: debug sessions.

use std::path::PathBuf;

use super::{Result, print, work};
use crate::cli::memory::print::journal;
use crate::cli::{Context, Exit, counted};
use crate::debug::query::DebugFilter;
use crate::debug::{DebugShown, OpenGiven};
use crate::event::{DebugStatus, ErrorType, RootCause};
use crate::journal::clock;
use crate::output::{escape, time};

/// Debug sessions, the latest first
#[derive(clap::Args, Debug, Default)]
pub struct ListArgs {
    /// How many
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    number: usize,
    /// Only those of this file
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Only sessions with this status: in_progress, passed, failed or escalated
    #[arg(long, value_name = "STATUS", value_parser = super::status)]
    status: Option<DebugStatus>,
    /// Only those in which a test failed so: AssertionError, TypeError …
    #[arg(long, value_name = "TYPE", value_parser = super::error_type)]
    error_type: Option<ErrorType>,
    /// Only those with such a root cause: null_undefined_access, off_by_one …
    #[arg(long, value_name = "CATEGORY", value_parser = super::root_cause)]
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

pub fn list(args: ListArgs, context: &mut Context) -> Result<Exit> {
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
    let found = super::rows(context, |view| view.list(&filter))?;
    let exit = if args.exit_code && !found.is_empty() { Exit::Findings } else { Exit::Fine };
    print::sessions(found, "No debug session. Next: annals debug run FILE -- COMMAND", context)?;
    Ok(exit)
}

/// One debug session: attempts, analyses, fixes, learnings
///
/// As JSON it is the contract's document.
#[derive(clap::Args, Debug)]
pub struct ShowArgs {
    /// The debug session: its id, the beginning of it, or `last`
    #[arg(value_name = "SESSION", default_value = work::LAST)]
    session: String,
    /// Show stack traces and diffs, too
    #[arg(long)]
    full: bool,
}

pub fn show(args: ShowArgs, context: &mut Context) -> Result<Exit> {
    let found = super::session(&args.session, context, |one, session| {
        let shown = |document| DebugShown { journal: one.journal.map(str::to_owned), document };
        let patterns = one.view.patterns(session)?;
        let shown = one.view.document(session)?.map(shown);
        Ok(shown.into_iter().map(|it| (it, patterns.clone())).collect())
    })?;
    if context.output.is_json() {
        let found: Vec<_> = found.into_iter().map(|(it, _)| it).collect();
        context.output.json_of_journals(&found)?;
        return Ok(Exit::Fine);
    }
    for (it, patterns) in &found {
        journal(it.journal.as_deref(), context)?;
        print::document(&it.document, patterns, args.full, context)?;
    }
    Ok(Exit::Fine)
}

/// Debug sessions escalated to a person, the latest first
#[derive(clap::Args, Debug)]
pub struct EscalationsArgs {
    /// Only those that were worked on since then: an age (2h, 3d), a date or an RFC 3339 time
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// How many
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    number: usize,
    /// End with 1 where there is one
    #[arg(long)]
    exit_code: bool,
}

pub fn escalations(args: EscalationsArgs, context: &mut Context) -> Result<Exit> {
    let since = |text: &String| time::parse(text, clock::now_ms(), &context.zone);
    let since_ms = args.since.as_ref().map(since).transpose()?.unwrap_or_default();
    let found = super::rows(context, |view| view.recent_escalations(since_ms, args.number))?;
    let exit = if args.exit_code && !found.is_empty() { Exit::Findings } else { Exit::Fine };
    let first = found.first().map(|it| it.row.id);
    print::sessions(found, "Nothing is escalated.", context)?;
    if let (Some(session), false) = (first, context.output.is_json()) {
        context.output.line(format_args!("Next: annals debug show {session}"))?;
    }
    Ok(exit)
}

const SHOWN: usize = 5;

/// Bare `annals debug`: what is open, and what is next.
pub fn overview(context: &mut Context) -> Result<Exit> {
    let found = super::rows(context, |view| {
        let mut found = Vec::new();
        for status in [DebugStatus::Escalated, DebugStatus::InProgress] {
            let status = Some(status);
            let filter = DebugFilter { limit: SHOWN, status, ..DebugFilter::default() };
            found.extend(view.list(&filter)?);
        }
        Ok(found)
    })?;
    let (count, first) = (found.len() as u64, found.first().map(|it| (it.row.id, it.row.status)));
    print::sessions(found, "No debug session is open.", context)?;
    if context.output.is_json() {
        return Ok(Exit::Fine);
    }
    if count > 0 {
        context.output.line(format_args!("{} open.", counted(count, "debug session")))?;
    }
    let next = match first {
        None => "annals debug run FILE -- cargo test, or annals debug infer for past sessions"
            .to_owned(),
        Some((id, DebugStatus::Escalated)) => format!("annals debug show {id}"),
        Some((id, _)) => format!("annals debug similar {id}"),
    };
    context.output.line(escape::line(&format!("Next: {next}")))?;
    context.output.line("All there is: annals debug --help")?;
    Ok(Exit::Fine)
}

/// Open a debug session of a file (`debug run` does it by itself)
#[derive(clap::Args, Debug)]
pub struct OpenArgs {
    /// The file that is broken
    file: PathBuf,
    #[command(flatten)]
    of: Of,
}

/// Whose session it is, and its rule
#[derive(clap::Args, Debug, Default)]
pub struct Of {
    /// The agent that works on it
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// The task that it is part of
    #[arg(long, value_name = "ID")]
    task: Option<String>,
    /// The iteration of the agent's loop
    #[arg(long, value_name = "NUMBER")]
    iteration: Option<i64>,
    /// Escalate after this many failed attempts [default: debug.attempts_max of the settings]
    #[arg(long, value_name = "COUNT")]
    attempts_max: Option<u32>,
}

impl Of {
    pub fn given(self, file_path: String) -> OpenGiven {
        OpenGiven {
            session: None,
            file_path,
            attempts_max: self.attempts_max,
            agent: self.agent,
            task_id: self.task,
            ralph_iteration: self.iteration,
        }
    }
}

pub fn open(args: OpenArgs, context: &mut Context) -> Result<Exit> {
    let project = context.project()?;
    let given = args.of.given(work::code_file(&project, &args.file)?);
    let done = work::operate_on(&project, context, |writer| writer.open(given))?;
    let sentence = format!("Opened debug session {} of {}", done.session, done.document.file_path);
    let next = format!("annals debug run {} -- COMMAND", done.document.file_path);
    work::tell(done, &sentence, &next, context)
}

/// Close a debug session: passed, given up, or escalated
#[derive(clap::Args, Debug)]
pub struct CloseArgs {
    /// The debug session: its id, the beginning of it, or `last`
    #[arg(value_name = "SESSION", default_value = work::LAST)]
    session: String,
    /// How it stands from now on: failed, escalated or passed
    #[arg(long, value_name = "STATUS", value_parser = super::status, default_value = "failed")]
    status: DebugStatus,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

pub fn close(args: CloseArgs, context: &mut Context) -> Result<Exit> {
    let (status, reason) = (args.status, args.reason);
    let done =
        work::on(&args.session, context, |writer, session| writer.close(session, status, reason))?;
    if !context.output.as_json(&done)? {
        print::closed(&done, context)?;
    }
    Ok(Exit::Fine)
}
