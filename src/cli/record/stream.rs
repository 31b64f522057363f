//! JSON lines in, one acknowledgement line each out.

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Call, made};
use crate::cli::{CliError, Context, Exit, Result};
use crate::event::ExecutionId;
use crate::fault::{Class, Fault, Remedy, Sorted};
use crate::journal::{Project, RecordError, RecordReport, Recorder, enclosure};
use crate::output::remedy;
use crate::parse::json;

/// The answer to a line that was recorded, or was known.
#[derive(Debug, Serialize)]
pub struct Acknowledged {
    pub line: u64,
    pub ok: bool,
    pub execution: String,
    /// The closing event's sequence; `null` for a duplicate.
    pub sequence: Option<u64>,
    /// The call was known already; nothing was recorded.
    pub duplicate: bool,
}

/// The answer to a line that was refused.
#[derive(Debug, Serialize)]
pub struct Refused {
    pub line: u64,
    pub ok: bool,
    /// The field at fault, where it is one.
    pub field: Option<String>,
    pub error: String,
}

pub fn run(project: &Project, recorder: &mut Recorder<'_>, context: &mut Context) -> Result<Exit> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    let (mut number, mut refused) = (0_u64, 0_u64);
    // What it is that the line itself is not to blame for.
    let mut failed = Exit::Fine;
    while let Some(fits) = next(&mut input, &mut line).map_err(CliError::Input)? {
        number += 1;
        if fits && line.trim_ascii().is_empty() {
            continue;
        }
        match take(fits, &line, project, recorder, context) {
            Ok((execution, report)) => {
                context.output.json_line(&acknowledge(number, execution, &report))?;
            }
            Err((refusal, exit)) => {
                refused += 1;
                failed = failed.worse(if exit == Exit::Usage { Exit::Fine } else { exit });
                context.output.json_line(&Refused { line: number, ..refusal })?;
            }
        }
        // A caller waits for its answer before it sends the next line.
        context.output.flush()?;
    }
    if refused == 0 {
        return Ok(Exit::Fine);
    }
    if failed != Exit::Fine {
        context.output.note(format_args!(
            "{refused} of {number} lines were not recorded: send them again once that is mended"
        ));
        context.output.note("try: annals status");
        return Ok(failed);
    }
    context.output.note(format_args!(
        "{refused} of {number} lines refused: correct them and send them again (see `annals record --help`)"
    ));
    Ok(Exit::Usage)
}

fn take(
    fits: bool,
    line: &[u8],
    project: &Project,
    recorder: &mut Recorder<'_>,
    context: &Context,
) -> Result<(ExecutionId, RecordReport), (Refused, Exit)> {
    let mended = crate::agents::import::mended(line);
    let read = if fits {
        Call::parse(mended.as_deref().unwrap_or(line))
    } else {
        Err(LineError::TooLong { bytes_max: LINE_BYTES_MAX })
    };
    let call = read.map_err(|error| {
        let (field, error) = (error.field().map(str::to_owned), error.to_string());
        (Refused { line: 0, ok: false, field, error }, Exit::Usage)
    })?;
    let made = made(call, context.session.as_deref(), project);
    let execution = made.execution;
    match made.record(recorder) {
        Ok(report) => Ok((execution, report)),
        Err(error) => {
            let (field, told) = (field_of(&error).map(str::to_owned), remedy::line(&error));
            let exit = match enclosure::is_cause_of(&error) {
                true => Exit::Io,
                false => error.sorted().0.into(),
            };
            Err((Refused { line: 0, ok: false, field, error: told }, exit))
        }
    }
}

/// The field that a recorder's refusal is about, where it is one.
fn field_of(error: &RecordError) -> Option<&'static str> {
    match error {
        RecordError::Undeclared { .. }
        | RecordError::ToolName { .. }
        | RecordError::Checks { .. }
        | RecordError::Locked { .. } => Some("tool"),
        RecordError::NotAnObject { .. } => Some("arguments"),
        RecordError::Time { .. } => Some("at"),
        RecordError::OtherContent { .. } => Some("execution"),
        _ => None,
    }
}

/// What a caller is told of a recorded call.
pub fn acknowledge(line: u64, execution: ExecutionId, report: &RecordReport) -> Acknowledged {
    let sequence = report.appended.map(|appended| appended.last.0);
    Acknowledged {
        line,
        ok: true,
        execution: execution.to_string(),
        sequence,
        duplicate: sequence.is_none(),
    }
}

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

/// The fields of one line that were not taken yet: raw, so that integers beyond 2^53 in arguments
/// survive.
pub struct Fields<'a> {
    left: BTreeMap<String, &'a RawValue>,
}

impl<'a> Fields<'a> {
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
            Some(raw) => json::read::<Option<T>>(raw.get().as_bytes())
                .map_err(|error| LineError::within(field, error)),
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

impl Fault for LineError {
    fn sorted(&self) -> Sorted {
        Class::Argument.with(Remedy::Do("annals record --help lists the fields"))
    }
}

impl LineError {
    pub fn within(field: &str, error: json::FieldError) -> Self {
        Self::Value { field: error.within(field), source: error.why }
    }

    /// The field at fault, where it is one.
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::TooLong { .. } | Self::NotObject { .. } => None,
            Self::Value { field, .. } | Self::Unknown { field } => Some(field),
            Self::Meaning { field, .. } | Self::Missing { field } => Some(field),
        }
    }
}
