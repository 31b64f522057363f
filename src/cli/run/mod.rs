//! `annals run`: runs a command, records it, answers with its exit code.

mod child;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use serde_json::json;

use super::checkpoint::by_itself;
use super::{CliError, Context, Exit, Result, catch_up, quote, session};
use crate::event::{Body, Closing, ExecutionId, Outcome};
use crate::execution::live_recorder;
use crate::execution::query::Identity;
use crate::execution::{ToolCall, infer, record_around_with};
use crate::journal::{Project, clock};
use crate::output::escape;
use crate::parse::check;
use crate::parse::check::diagnostic;
use crate::redact::end_of_head;
pub use child::Ended;

/// Run a command and record it: arguments, output, diagnostics, exit code
///
/// The command runs as if annals were not there: its output goes through as it comes, signals reach
/// it, and annals exits with its code (128 plus the signal's number if a signal ended it), whatever
/// happens to the log. Output above 8 MiB is recorded as its first and last MiB.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The tool's name [default: lsp_check for cargo check and cargo clippy, bash_exec for the rest]
    #[arg(long, value_name = "TOOL")]
    tool: Option<String>,
    /// The command and its arguments
    #[arg(
        required = true,
        value_name = "CMD",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    argv: Vec<OsString>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    // Wrong usage of ours is no reason to run the command unrecorded.
    context.must_write()?;
    let ended = execute(&args.argv, args.tool, None, context);
    Ok(match ended {
        Ok(ended) => Exit::Child(ended.code),
        Err(error) => could_not_start(&args.argv, &error, context),
    })
}

/// Says that a command could not be started, and answers as the shell does.
pub fn could_not_start(argv: &[OsString], error: &io::Error, context: &mut Context) -> Exit {
    let program = argv.first().map(|program| program.to_string_lossy()).unwrap_or_default();
    let hint = match program.starts_with('-') {
        true => " (it was taken for the command: annals run [OPTIONS] -- COMMAND)",
        false => "",
    };
    let program = escape::line(&program);
    context.output.note(format_args!("{program} could not be started: {error}{hint}"));
    // As the shell answers for a program that is not there, or that may not be run.
    Exit::Child(if error.kind() == io::ErrorKind::NotFound { 127 } else { 126 })
}

/// Runs and records; what happens to the log is said on standard error and changes nothing else.
pub fn execute(
    argv: &[OsString],
    tool: Option<String>,
    cwd: Option<&Path>,
    context: &mut Context,
) -> io::Result<Ended> {
    let (out, err) = (Box::new(io::stdout()), Box::new(io::stderr()));
    execute_into(argv, tool, cwd, context, out, err).0
}

/// The same; what it prints goes to `out` and `err`. Gives the execution, too, where it was recorded.
pub fn execute_into(
    argv: &[OsString],
    tool: Option<String>,
    cwd: Option<&Path>,
    context: &mut Context,
    out: Box<dyn Write + Send>,
    err: Box<dyn Write + Send>,
) -> (io::Result<Ended>, Option<ExecutionId>) {
    let words: Vec<String> = argv.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let tool = tool.unwrap_or_else(|| infer::tool(&words).to_owned());
    // What was said before is seen before what the child says.
    let _ = context.output.flush();
    // A deleted working folder has no name: the event then has none.
    let folder = cwd.map(Path::to_owned).or_else(|| std::env::current_dir().ok());
    let project = match context.project() {
        Ok(project) => project,
        Err(error) => {
            unrecorded(&error, context);
            return (child::run(argv, cwd, out, err), None);
        }
    };
    let call = ToolCall {
        arguments: arguments(&tool, &words, folder.as_deref()),
        session: Some(context.session_id()),
        cwd: folder.map(|folder| folder.to_string_lossy().into_owned()),
        tool: tool.clone(),
        ..ToolCall::default()
    };
    let closing = |ended: &io::Result<Ended>| closing_of(&tool, ended);
    // Whose session it is goes with the call's end, where nobody has told it yet.
    let introduced = session::named(session::AGENT, context.session_name());
    let also = |_: &_| vec![Body::SessionStarted(introduced)];
    let spawn = || child::run(argv, cwd, out, err);
    let around = record_around_with(Some(&project), call, spawn, closing, also);
    let execution = match around.log {
        Err(error) => {
            unrecorded(&error.into(), context);
            None
        }
        Ok(_) => {
            catch_up::keep_up(&project, around.stores_are_due, context);
            by_itself::follow(&project, context);
            Some(around.execution)
        }
    };
    if around.result.as_ref().is_ok_and(|ended| ended.let_go) {
        context.output.note("something it started still holds its output; not waited for");
    }
    (around.result, execution)
}

/// Tells the journal whose session this is, where nobody has: once in a session's life.
pub fn introduce(project: &Project, context: &mut Context) {
    let known = Identity::open(crate::stores::places(project.root()).index())
        .and_then(|identity| identity.session(context.session_id()));
    // Where the index cannot be asked, its lag was told already.
    let Ok(Some(known)) = known else { return };
    if !known.agent.is_empty() {
        return;
    }
    let (name, now_ms) = (context.session_name().to_owned(), clock::now_ms());
    match session::introduce(&mut live_recorder(project), session::AGENT, &name, now_ms) {
        Ok(()) => catch_up::catch_up(project, context),
        Err(error) => unrecorded(&error.into(), context),
    }
}

/// A check names what it checks, as spec 000 has it; every command has its argument vector.
fn arguments(tool: &str, words: &[String], folder: Option<&Path>) -> String {
    let mut object = json!({ "argv": words, "command": quote::line(words) });
    if let (infer::CHECK, Some(folder)) = (tool, folder) {
        object["path"] = json!(folder.to_string_lossy());
    }
    object.to_string()
}

pub fn unrecorded(error: &CliError, context: &mut Context) {
    let (said, hint) = error.said();
    context.output.note(format_args!("not recorded: {said}"));
    if let Some(hint) = hint {
        context.output.note(format_args!("try: {hint}"));
    }
}

/// Of standard error, what becomes the error message where nothing better is known.
const ERROR_BYTES_MAX: usize = 400;

/// The closing event's content for a child that ended, or that could not be started.
fn closing_of(tool: &str, ended: &io::Result<Ended>) -> Closing {
    let ended = match ended {
        Ok(ended) => ended,
        Err(error) => return never_began(error),
    };
    let found = match tool {
        infer::CHECK => check::diagnostics(check::RUST, ended.stdout.head(), ended.stderr.head()),
        _ => Vec::new(),
    };
    let failed = ended.code != 0;
    let mut paths: Vec<String> = found.iter().filter_map(|one| one.file_name.clone()).collect();
    paths.sort();
    paths.dedup();
    Closing {
        outcome: if failed { Outcome::Failed } else { Outcome::Ok },
        exit_code: Some(i32::from(ended.code)),
        duration_ms: Some(ended.duration_ms),
        error: failed.then(|| error_of(ended, &found)),
        stdout: ended.stdout.content(),
        stderr: ended.stderr.content(),
        // Serialization of these types has no way to fail; without it the text is still there.
        diagnostics: diagnostic::to_json(&found).unwrap_or_default(),
        paths,
        symbols: Vec::new(),
        changed: Vec::new(),
    }
}

fn never_began(error: &io::Error) -> Closing {
    Closing {
        outcome: Outcome::Failed,
        exit_code: None,
        duration_ms: None,
        error: Some(format!("could not be started: {error}")),
        stdout: None,
        stderr: None,
        diagnostics: None,
        paths: Vec::new(),
        symbols: Vec::new(),
        changed: Vec::new(),
    }
}

/// What a person would want to read first: the first error, else the last line on standard error.
fn error_of(ended: &Ended, found: &[diagnostic::Diagnostic]) -> String {
    if let Some(first) = found.iter().find(|one| one.level == "error") {
        let code = first.code.as_ref().map(|code| format!("[{code}]")).unwrap_or_default();
        return format!("error{code}: {}", first.message);
    }
    if let Some(signal) = ended.signal {
        return format!("ended by signal {signal}");
    }
    let head = ended.stderr.head();
    let tail = String::from_utf8_lossy(&head[head.len().saturating_sub(4 << 10)..]);
    let last = tail.lines().rev().map(str::trim).find(|line| !line.is_empty());
    let mut text = last.unwrap_or_default().to_owned();
    if text.is_empty() {
        return format!("exit code {}", ended.code);
    }
    text.truncate(text.floor_char_boundary(end_of_head(text.as_bytes(), ERROR_BYTES_MAX)));
    text
}
