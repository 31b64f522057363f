//! Debug sessions: opened, tried, closed.

use super::{SESSION, given, operate, session, word};
use crate::debug::{AttemptDone, AttemptGiven, DebugWriter, OpenGiven, runtime};
use crate::event::{DebugSessionId, DebugStatus, ExecutionId};
use crate::parse::test_report::{OutputStream, TestReportReader, TestRunner};
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};

const FILE: &str = "the file that is worked on, from the project's root";
const ATTEMPTS_MAX: Argument = Argument::maybe(
    "attempts_max",
    "number",
    "so many failed attempts, and it is escalated; else as the settings have it",
);
const AGENT: Argument = Argument::maybe("agent", "text", "who works on it");
const TASK: Argument = Argument::maybe("task_id", "text", "the task that it belongs to");
const ITERATION: Argument =
    Argument::maybe("ralph_iteration", "number", "the iteration of an agent's loop");

pub const OPS: &[Op] = &[
    Op {
        name: "debug_open",
        about: "open a debug session of a file",
        args: &[
            Argument::needed("file_path", "text", FILE),
            Argument::maybe("session_id", "text", "its id, a UUID; else a new one"),
            ATTEMPTS_MAX,
            AGENT,
            TASK,
            ITERATION,
        ],
        run: Run::Do(debug_open),
    },
    Op {
        name: "debug_attempt",
        about: "record an attempt: status, verified fix and hooks follow from it by rule",
        args: &[
            Argument::needed("code_hash", "text", "SHA-256 of the code"),
            Argument::maybe("code_snapshot", "text", "the code itself"),
            Argument::maybe("environment", "object", "runtime, test_framework, os …"),
            Argument::maybe(
                "test_results",
                "object",
                "total, passed, failed …; else read from the output of a command",
            ),
            Argument::maybe("failures", "list of objects", "as the schema has them"),
            Argument::maybe("command", "list of texts", "what ran the tests, word by word"),
            Argument::maybe("stdout", "text", "what that printed"),
            Argument::maybe("stderr", "text", "and to standard error"),
            Argument::maybe("exit_code", "number", "how that ended"),
            Argument::maybe("duration_ms", "number", "how long that took"),
            Argument::maybe("execution", "text", "the recorded execution of the tests, a UUID"),
            SESSION,
            Argument::maybe(
                "file_path",
                "text",
                "the file, where no session is named: its newest that is open, else a new one",
            ),
            ATTEMPTS_MAX,
            AGENT,
            TASK,
            ITERATION,
        ],
        run: Run::Do(debug_attempt),
    },
    Op {
        name: "debug_close",
        about: "end a debug session, or escalate it",
        args: &[
            Argument::needed("status", "text", "passed, failed or escalated"),
            Argument::maybe("reason", "text", "why"),
            SESSION,
        ],
        run: Run::Do(debug_close),
    },
];

fn debug_open(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let wrong = || PipeError::argument("session_id", "must be a UUID");
    let named: Option<String> = args.take("session_id")?;
    let session = named.map(|it| DebugSessionId::parse(&it).ok_or_else(wrong)).transpose()?;
    let given = OpenGiven { session, ..opened(args.need("file_path")?, &mut args)? };
    operate(pipe, caller, |writer| writer.open(given), |it| it.sequence, |it| it)
}

fn debug_attempt(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let given = attempt(&mut args)?;
    let open = match args.take("file_path")? {
        Some(file_path) => Some(opened(file_path, &mut args)?),
        None => None,
    };
    let at = |it: &AttemptDone| it.done.sequence;
    match open {
        Some(open) if !args.has("session_id") => {
            let act = |writer: &mut DebugWriter<'_, '_>| writer.attempt_at(open, given);
            operate(pipe, caller, act, at, |it| it)
        }
        Some(_) => Err(PipeError::argument("file_path", "goes without session_id")),
        None => {
            let session = session(pipe, &mut args)?;
            let act = |writer: &mut DebugWriter<'_, '_>| writer.attempt(session, given);
            operate(pipe, caller, act, at, |it| it)
        }
    }
}

fn debug_close(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let missing = || PipeError::argument("status", "is missing");
    let status = word(&mut args, "status", DebugStatus::parse)?.ok_or_else(missing)?;
    let reason = args.take("reason")?;
    let session = session(pipe, &mut args)?;
    operate(
        pipe,
        caller,
        |writer| writer.close(session, status, reason),
        |it| it.done.sequence,
        |it| it,
    )
}

fn opened(file_path: String, args: &mut Args) -> Result<OpenGiven, PipeError> {
    Ok(OpenGiven {
        session: None,
        file_path,
        attempts_max: args.take("attempts_max")?,
        agent: args.take("agent")?,
        task_id: args.take("task_id")?,
        ralph_iteration: args.take("ralph_iteration")?,
    })
}

fn attempt(args: &mut Args) -> Result<AttemptGiven, PipeError> {
    let wrong = || PipeError::argument("execution", "must be a UUID, v4 or v7");
    let execution: Option<String> = args.take("execution")?;
    let execution = execution.map(|it| ExecutionId::parse(&it).ok_or_else(wrong)).transpose()?;
    let code_snapshot: Option<String> = args.take("code_snapshot")?;
    let mut attempt = AttemptGiven {
        execution,
        code_hash: args.need("code_hash")?,
        code_snapshot: code_snapshot.map(String::into_bytes),
        environment: given(args, "environment")?,
        failures: given(args, "failures")?.unwrap_or_default(),
        ..AttemptGiven::default()
    };
    let command: Option<Vec<String>> = args.take("command")?;
    match (given(args, "test_results")?, command) {
        (Some(results), None) => attempt.results = results,
        (None, Some(command)) => heard(&command, args, &mut attempt)?,
        (Some(_), Some(_)) => {
            return Err(PipeError::argument("command", "goes without test_results"));
        }
        (None, None) => {
            let what = "is missing; or give the command with what it printed";
            return Err(PipeError::argument("test_results", what));
        }
    }
    Ok(attempt)
}

/// What a command's output tells.
fn heard(command: &[String], args: &mut Args, given: &mut AttemptGiven) -> Result<(), PipeError> {
    let mut reader = TestReportReader::of(command);
    for (name, stream) in [("stdout", OutputStream::Stdout), ("stderr", OutputStream::Stderr)] {
        let printed: Option<String> = args.take(name)?;
        reader.feed(stream, printed.unwrap_or_default().as_bytes());
    }
    let report = reader.finish(args.take("exit_code")?, args.take("duration_ms")?);
    if !report.is_understood && report.failures.is_empty() {
        let what = "nothing that it printed says how many tests ran: give test_results";
        return Err(PipeError::argument("command", what));
    }
    let framework = report.environment.test_framework.as_deref();
    let runner = TestRunner::ALL.iter().find(|it| Some(it.framework()) == framework);
    let mut environment = report.environment.clone();
    runtime::complete(&mut environment, runner.copied());
    given.environment.get_or_insert(environment);
    given.results = report.results;
    if given.failures.is_empty() {
        given.failures = report.failures;
    }
    Ok(())
}
