//! `annals record`: one finished call by flags, or one JSON line a call on standard input.

mod call;
mod events;
mod flags;
mod stream;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{CliError, Context, Exit, catch_up};
use crate::journal::Recorder;

pub use call::Call;
pub use events::{Made, of as made};

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
    catch_up::catch_up(&project, context);
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

// A JSON object's fields, taken one by one, each fault with its field's name.
//
// Values stay raw until they are taken, so that integers beyond 2^53 in arguments survive.

/// Every field a line may have, in the order of the documentation.
pub const NAMES: &[&str] = &[
    "tool",
    "arguments",
    "outcome",
    "success",
    "exit_code",
    "duration_ms",
    "error",
    "stdout",
    "stderr",
    "diagnostics",
    "paths",
    "symbols",
    "changed",
    "at",
    "session",
    "agent",
    "call",
    "execution",
    "native_tool",
    "cwd",
    "branch",
];

/// The contract's own names (spec 000, "Record tool invocations"), taken for ours.
const CONTRACT_NAMES: &[(&str, &str)] = &[
    ("tool_name", "tool"),
    ("timestamp", "at"),
    ("execution_id", "execution"),
    ("error_message", "error"),
    ("target_paths", "paths"),
    ("target_symbols", "symbols"),
];

/// The fields of one line that were not taken yet.
pub struct Fields<'a> {
    left: BTreeMap<String, &'a RawValue>,
}

impl<'a> Fields<'a> {
    /// Reads a line.
    pub fn of(line: &'a [u8]) -> Result<Self, LineError> {
        let mut left: BTreeMap<String, &RawValue> =
            serde_json::from_slice(line).map_err(|source| LineError::NotObject { source })?;
        for (contract, ours) in CONTRACT_NAMES {
            // Where both are given, the contract's stays behind and is refused as unknown.
            if !left.contains_key(*ours)
                && let Some(value) = left.remove(*contract)
            {
                left.insert((*ours).to_owned(), value);
            }
        }
        match left.keys().find(|name| !NAMES.contains(&name.as_str())) {
            Some(field) => Err(LineError::Unknown { field: field.clone() }),
            None => Ok(Self { left }),
        }
    }

    /// Takes a field; `None` where it is absent or null.
    pub fn take<T: Deserialize<'a>>(&mut self, field: &str) -> Result<Option<T>, LineError> {
        match self.left.remove(field) {
            None => Ok(None),
            Some(raw) => serde_json::from_str::<Option<T>>(raw.get())
                .map_err(|source| LineError::Value { field: field.to_owned(), source }),
        }
    }

    /// Takes a field's JSON as it was written; `None` where it is absent or null.
    pub fn take_raw(&mut self, field: &str) -> Option<&'a str> {
        self.left.remove(field).map(RawValue::get).filter(|raw| *raw != "null")
    }
}

/// A longer line is refused; the lines after it are read.
pub const LINE_BYTES_MAX: usize = 16 << 20;

/// Reads one line into `line`, without its newline. `None` at the end of the input; `Some(false)`
/// where the line was longer than [`LINE_BYTES_MAX`] and is not in `line`.
pub fn next(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    let mut fits = true;
    let mut any = false;
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if chunk.is_empty() {
            return Ok(any.then_some(fits));
        }
        any = true;
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let taken = &chunk[..end.unwrap_or(chunk.len())];
        fits &= line.len() + taken.len() <= LINE_BYTES_MAX;
        if fits {
            line.extend_from_slice(taken);
        } else {
            line.clear();
        }
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(Some(fits));
        }
    }
}

/// What is wrong with one line, and in which field.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    #[error("the line has more than {bytes_max} bytes")]
    TooLong { bytes_max: usize },
    #[error("not a JSON object: {source}")]
    NotObject { source: serde_json::Error },
    #[error("{field}: {source}")]
    Value { field: String, source: serde_json::Error },
    #[error("{field}: {expected}")]
    Meaning { field: &'static str, expected: &'static str },
    #[error("{field}: is missing")]
    Missing { field: &'static str },
    #[error("{field}: no such field; fields are {}", NAMES.join(", "))]
    Unknown { field: String },
}

impl LineError {
    /// The field at fault, where it is one.
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::TooLong { .. } | Self::NotObject { .. } => None,
            Self::Value { field, .. } | Self::Unknown { field } => Some(field),
            Self::Meaning { field, .. } | Self::Missing { field } => Some(field),
        }
    }
}
