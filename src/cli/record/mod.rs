//! `annals record`: one finished call by flags, or one JSON line a call on standard input.

mod call;
mod events;
mod fields;
mod flags;
mod line_error;
mod lines;
mod stream;
#[cfg(test)]
mod tests;

use std::path::Path;

use super::{CliError, Context, Exit, feed};
use crate::journal::Recorder;

pub use call::Call;
pub use events::{Made, of as made};
pub use line_error::LineError;

/// Record finished tool calls: one by flags, or JSON lines on standard input
///
/// Without --tool, every line of standard input is one call, a JSON object: `tool` (the only one
/// required), `arguments` (object), `outcome` (ok, failed, refused, interrupted; else told by
/// `success`, or by `exit_code` and `error`), `success` (true or false), `exit_code`, `duration_ms`, `error`, `stdout`, `stderr`, `diagnostics`
/// (array of {level, message, file_name, line_start, code}), `paths`, `symbols`, `changed` (array of
/// {path, created}), `at` (Unix milliseconds or RFC 3339; when it ended), `session`, `agent`, `call`
/// (the agent's own id), `execution` (a UUID), `native_tool`, `cwd`, `branch`. The same report again
/// under either id is a duplicate; one with another tool, arguments, outcome, exit code or output is
/// refused. Only hooks and imports may tell one call otherwise: of those the first stands. The contract's names `tool_name`, `timestamp`, `execution_id`, `error_message`,
/// `target_paths` and `target_symbols` are taken too. Where neither paths nor symbols are given they are
/// read from the arguments (`path`, `file`, `file_path`, `symbol`); where an lsp_check has no diagnostics
/// they are read from what it printed. Every line is answered by one line once it is durable:
/// {"line":1,"ok":true,"execution":"…","sequence":7,"duplicate":false} or
/// {"line":2,"ok":false,"field":"tool","error":"…"}. Good lines are recorded whatever the others
/// are; the exit code is then 2.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    flags: flags::Flags,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let call = args.flags.call()?;
    // Here it says when the call ended, and asks about no past.
    context.at = None;
    let project = context.project()?;
    let mut recorder = Recorder::live(&project)?;
    let exit = match call {
        Some(call) => one(call, project.root(), &mut recorder, context)?,
        None => stream::run(project.root(), &mut recorder, context)?,
    };
    recorder.finish()?;
    feed::catch_up(&project, context);
    Ok(exit)
}

fn one(
    call: Call,
    root: &Path,
    recorder: &mut Recorder<'_>,
    context: &mut Context,
) -> Result<Exit, CliError> {
    let made = events::of(call, context.session.as_deref(), root);
    let execution = made.execution;
    let report = made.record(recorder)?;
    let acknowledged = stream::acknowledge(1, execution, &report);
    if context.output.is_json() {
        context.output.json_line(&acknowledged)?;
    } else if acknowledged.duplicate {
        context.output.line(format_args!("Known already: {execution}. Nothing was recorded."))?;
    } else {
        context.output.line(format_args!("Recorded {execution}"))?;
    }
    Ok(Exit::Fine)
}
