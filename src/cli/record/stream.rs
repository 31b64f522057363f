//! JSON lines in, one acknowledgement line each out.

use std::io;
use std::path::Path;

use serde::Serialize;

use super::{Call, CliError, Context, Exit, LINE_BYTES_MAX, LineError, events};
use crate::cli::{sort, with_causes};
use crate::event::ExecutionId;
use crate::journal::{RecordError, RecordReport, Recorder, enclosure};

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

pub fn run(
    root: &Path,
    recorder: &mut Recorder<'_>,
    context: &mut Context,
) -> Result<Exit, CliError> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    let (mut number, mut refused) = (0_u64, 0_u64);
    // What it is that the line itself is not to blame for.
    let mut failed = Exit::Fine;
    while let Some(fits) =
        crate::cli::record::next(&mut input, &mut line).map_err(CliError::Input)?
    {
        number += 1;
        if fits && line.trim_ascii().is_empty() {
            continue;
        }
        match take(fits, &line, root, recorder, context) {
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
    root: &Path,
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
    let made = events::of(call, context.session.as_deref(), root);
    let execution = made.execution;
    match made.record(recorder) {
        Ok(report) => Ok((execution, report)),
        Err(error) => {
            let (field, told) = (field_of(&error).map(str::to_owned), with_causes(&error));
            let exit = match enclosure::is_cause_of(&error) {
                true => Exit::Io,
                false => sort::record(&error).0,
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
