//! Running the commands of a phase: each recorded as an execution, all of it in one log.

mod executor;
#[cfg(test)]
mod tests;

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde_json::json;

use crate::event::{Closing, Content, ExecutionId, Outcome, SessionId};
use crate::execution::{ToolCall, record_around};
use crate::journal::capture::Capture;
use crate::journal::{Project, RecordError};
use crate::phases::artifacts::PlannedCommand;
use crate::phases::limits::{
    ERROR_CHARS_MAX, LOG_BYTES_MAX, LOG_HEAD_BYTES, LOG_TAIL_BYTES, end_of,
};
use crate::redact::{end_of_head, start_of_tail};

pub use executor::{CommandRan, Executor, words};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandsRan {
    pub log: PhaseLog,
    pub executions: Vec<ExecutionId>,
    /// What the last command printed on its standard output.
    pub stdout: String,
    /// The standard outputs of all of them.
    pub printed: String,
    /// Why the last one failed, with what it said; `None`: all of them ran.
    pub error: Option<String>,
    pub exit_code: Option<i32>,
    pub duration_ms: u64,
    /// Nobody waits any more.
    pub unwanted: bool,
    /// Why the program that commands run through is not to be had: no fault of theirs.
    pub no_executor: Option<String>,
}

const TOOL: &str = "bash_exec";

/// Runs commands one after the other, until one fails; each is recorded as an execution.
pub fn run_commands_with_logging(
    project: Option<&Project>,
    session: Option<SessionId>,
    executor: &Executor,
    commands: &[PlannedCommand],
    workdir: &[String],
    stop: &AtomicBool,
) -> Result<CommandsRan, RecordError> {
    let mut all = CommandsRan::default();
    let began = Instant::now();
    for planned in commands {
        run_one(project, session, executor, planned, workdir, stop, &mut all)?;
        if all.error.is_some() {
            break;
        }
    }
    all.duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(all)
}

fn run_one(
    project: Option<&Project>,
    session: Option<SessionId>,
    executor: &Executor,
    planned: &PlannedCommand,
    workdir: &[String],
    stop: &AtomicBool,
    all: &mut CommandsRan,
) -> Result<(), RecordError> {
    let shown = executor.shown(planned);
    let call = ToolCall {
        tool: TOOL.to_owned(),
        arguments: json!({ "command": shown }).to_string(),
        session,
        cwd: Some(executor.workspace.to_string_lossy().into_owned()),
        ..ToolCall::default()
    };
    let around = record_around(project, call, || executor.run(planned, workdir, stop), closing);
    around.log?;
    let ran = around.result;
    all.executions.push(around.execution);
    all.log.command(&shown, &ran, around.duration_ms);
    if let Ok(ran) = &ran.ran {
        all.stdout = output(&ran.stdout, LOG_HEAD_BYTES, LOG_TAIL_BYTES);
        if all.printed.len() < LOG_BYTES_MAX && !all.stdout.is_empty() {
            all.printed.push_str(&all.stdout);
            // A line of the next command is no line of this one's.
            if !all.stdout.ends_with('\n') {
                all.printed.push('\n');
            }
        }
    }
    all.exit_code = ran.ran.as_ref().ok().and_then(|ran| ran.status.code()); // not started: none
    all.error = ran.failure().map(|why| told(&shown, &why, &ran));
    all.unwanted = ran.is_unwanted();
    all.no_executor = executor.is_missing(&ran, stop);
    Ok(())
}

/// What a person, and the next prompt, want to read of a failure.
fn told(shown: &str, why: &str, ran: &CommandRan) -> String {
    let said = ran.ran.as_ref().map(|ran| {
        let bytes = match ran.stderr.seen() {
            0 => &ran.stdout,
            _ => &ran.stderr,
        };
        output(bytes, LOG_HEAD_BYTES, LOG_TAIL_BYTES)
    });
    let said = said.unwrap_or_default();
    let said = end_of(said.trim(), ERROR_CHARS_MAX);
    let shown = crate::phases::limits::beginning_of(shown, ERROR_CHARS_MAX / 2);
    match said.is_empty() {
        true => format!("`{shown}` {why}"),
        false => format!("`{shown}` {why}: {said}"),
    }
}

fn closing(ran: &CommandRan) -> Closing {
    let failure = ran.failure();
    let (exit_code, stdout, stderr) = match &ran.ran {
        Ok(ran) => (ran.status.code(), ran.stdout.content(), ran.stderr.content()),
        Err(_) => (None, None, None),
    };
    Closing {
        outcome: match &failure {
            Some(_) if ran.is_unwanted() => Outcome::Interrupted,
            Some(_) => Outcome::Failed,
            None => Outcome::Ok,
        },
        exit_code,
        duration_ms: None,
        error: failure,
        stdout,
        stderr,
        diagnostics: None,
        paths: Vec::new(),
        symbols: Vec::new(),
        changed: Vec::new(),
    }
}

/// The log of one phase: each command, what it printed, how it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhaseLog {
    text: String,
}

impl PhaseLog {
    pub fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub fn command(&mut self, shown: &str, ran: &CommandRan, duration_ms: u64) {
        self.line(&format!("$ {shown}"));
        if let Ok(ran) = &ran.ran {
            self.output(&ran.stdout);
            if ran.stderr.seen() > 0 {
                self.line("[stderr]");
                self.output(&ran.stderr);
            }
        }
        match ran.failure() {
            None => self.line(&format!("[ok, {duration_ms} ms]")),
            Some(why) => self.line(&format!("[failed, {duration_ms} ms: {why}]")),
        }
    }

    fn output(&mut self, capture: &Capture) {
        // Behind many long outputs only the ends of further ones are kept.
        let share = if self.text.len() < LOG_BYTES_MAX { 1 } else { 256 };
        let text = output(capture, LOG_HEAD_BYTES / share, LOG_TAIL_BYTES / share);
        self.text.push_str(&text);
        if !text.is_empty() && !text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    pub fn append(&mut self, other: &Self) {
        self.text.push_str(&other.text);
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn content(&self) -> Content {
        Content::Inline(self.text.clone().into_bytes())
    }
}

/// What was printed: all of it, or its beginning and its end, and how much is missing between.
pub fn output(capture: &Capture, head_max: usize, tail_max: usize) -> String {
    let (head, tail) = match capture.content() {
        None => return String::new(),
        Some(Content::Truncated { head, tail, .. }) => (head, tail),
        Some(Content::Inline(bytes)) if bytes.len() > head_max + tail_max => {
            let tail = bytes[start_of_tail(&bytes, bytes.len() - tail_max)..].to_vec();
            (bytes, tail)
        }
        Some(Content::Inline(bytes)) => return String::from_utf8_lossy(&bytes).into_owned(),
        // A capture has its bytes itself.
        Some(Content::Blob { .. } | Content::Repeated { .. }) => return String::new(),
    };
    let head = &head[..end_of_head(&head, head_max)];
    let tail = &tail[start_of_tail(&tail, tail.len().saturating_sub(tail_max))..];
    let missing = capture.seen().saturating_sub((head.len() + tail.len()) as u64);
    let (head, tail) = (String::from_utf8_lossy(head), String::from_utf8_lossy(tail));
    format!("{head}\n[… {missing} bytes left out …]\n{tail}")
}
