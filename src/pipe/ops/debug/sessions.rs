//! Debug sessions: opened, tried, told of, closed.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{OfAttempt, Session, operate};
use crate::debug::{
    AttemptDone, AttemptGiven, DebugDone, DebugError, DebugWriter, FixGiven, LearnGiven, OpenGiven,
    runtime,
};
use crate::event::{
    Analysis, DebugEnvironment, DebugSessionId, DebugStatus, ExecutionId, Fix, Learnings,
    TemplateRef, TemplateTally, TestFailure, TestResults, Verification,
};
use crate::parse::check::runner::{OutputStream, TestReportReader, TestRunner};
use crate::pipe::{Answered, Argument, Pipe, PipeError, Value, arguments, operations};

operations! { OPS:
    act debug_open = "open a debug session of a file" {
        file_path: String = "the file that is worked on, from the project's root",
        session_id: Option<DebugSessionId> = "its id, a UUID; else a new one",
        new: New,
    } => |pipe| {
        let given = new.of(file_path, session_id);
        operate(pipe, |writer| writer.open(given), |it| it.sequence, |it| it)
    };

    act debug_attempt
        = "record an attempt: status, verified fix and hooks follow from it by rule" (Attempt);

    act debug_close = "end a debug session, or escalate it" {
        status: DebugStatus = "passed, failed or escalated",
        reason: Option<String> = "why",
        session: Session,
    } => |pipe| {
        let session = session.id(pipe)?;
        let close = |writer: &mut DebugWriter<'_, '_>| writer.close(session, status, reason);
        operate(pipe, close, |it| it.done.sequence, |it| it)
    };
}

operations! { OBSERVATION:
    act debug_analyse = "record what was wrong in an attempt" {
        analysis: Analysis = "root_cause, fix_strategy …, as the schema has it",
        at: OfAttempt,
    } => |pipe| record(pipe, at.session, |writer, session| {
        writer.analyse(session, at.attempt, analysis)
    });

    act debug_fix = "record what was changed after an attempt; the next one verifies it" {
        fix_applied: Fix = "description …, as the schema has it",
        template: Option<TemplateRef>
            = "the template that it was made from: session_id and pattern",
        at: OfAttempt,
    } => |pipe| record(pipe, at.session, |writer, session| {
        writer.fix(session, at.attempt, FixGiven { fix: fix_applied, template })
    });

    act debug_verify = "record whether a fix helped" {
        verification: Verification = "pending, passed or failed",
        at: OfAttempt,
    } => |pipe| record(pipe, at.session, |writer, session| {
        writer.verify(session, at.attempt, verification)
    });

    act debug_learn = "record what was learnt" {
        learnings: Learnings = "as the schema has them",
        tallies: Option<Vec<TemplateTally>>
            = "how often templates were tried before: pattern, successes, trials",
        session: Session,
    } => |pipe| record(pipe, session, |writer, session| {
        writer.learn(session, LearnGiven { learnings, tallies: tallies.unwrap_or_default() })
    });
}

arguments! {
    /// What is said of a session that may be opened.
    struct New {
        attempts_max: Option<u32>
            = "so many failed attempts, and it is escalated; else as the settings have it",
        agent: Option<String> = "who works on it",
        task_id: Option<String> = "the task that it belongs to",
        ralph_iteration: Option<i64> = "the iteration of an agent's loop",
    }

    struct Attempt {
        code_hash: String = "SHA-256 of the code",
        code_snapshot: Option<String> = "the code itself",
        environment: Option<DebugEnvironment> = "runtime, test_framework, os …",
        test_results: Option<TestResults>
            = "total, passed, failed …; else read from the output of a command",
        failures: Option<Vec<TestFailure>> = "as the schema has them",
        printed: Printed,
        execution: Option<ExecutionId> = "the recorded execution of the tests, a UUID",
        session: Session,
        file_path: Option<String>
            = "the file, where no session is named: its newest that is open, else a new one",
        new: New,
    }

    /// What a command printed.
    struct Printed {
        command: Option<Vec<String>> = "what ran the tests, word by word",
        stdout: Option<String> = "what that printed",
        stderr: Option<String> = "and to standard error",
        exit_code: Option<i32> = "how that ended",
        duration_ms: Option<u64> = "how long that took",
    }
}

impl New {
    fn of(self, file_path: String, session: Option<DebugSessionId>) -> OpenGiven {
        let Self { attempts_max, agent, task_id, ralph_iteration } = self;
        OpenGiven { session, file_path, attempts_max, agent, task_id, ralph_iteration }
    }
}

fn debug_attempt(pipe: &mut Pipe<'_>, tried: Attempt) -> Answered {
    let mut given = AttemptGiven {
        execution: tried.execution,
        code_hash: tried.code_hash,
        code_snapshot: tried.code_snapshot.map(String::into_bytes),
        environment: tried.environment,
        failures: tried.failures.unwrap_or_default(),
        ..AttemptGiven::default()
    };
    match (tried.test_results, &tried.printed.command) {
        (Some(results), None) => given.results = results,
        (None, Some(command)) => tried.printed.read(command, &mut given)?,
        (Some(_), Some(_)) => {
            return Err(PipeError::argument("command", "goes without test_results"));
        }
        (None, None) => {
            let what = "is missing; or give the command with what it printed";
            return Err(PipeError::argument("test_results", what));
        }
    }
    let at = |it: &AttemptDone| it.done.sequence;
    match tried.file_path {
        Some(_) if tried.session.session_id.is_some() => {
            Err(PipeError::argument("file_path", "goes without session_id"))
        }
        Some(file_path) => {
            let open = tried.new.of(file_path, None);
            operate(pipe, |writer| writer.attempt_at(open, given), at, |it| it)
        }
        None => {
            let session = tried.session.id(pipe)?;
            operate(pipe, |writer| writer.attempt(session, given), at, |it| it)
        }
    }
}

impl Printed {
    /// Reads the results of tests from it.
    fn read(&self, command: &[String], into: &mut AttemptGiven) -> Result<(), PipeError> {
        let mut reader = TestReportReader::of(command);
        let streams = [(&self.stdout, OutputStream::Stdout), (&self.stderr, OutputStream::Stderr)];
        for (printed, stream) in streams {
            reader.feed(stream, printed.as_deref().unwrap_or_default().as_bytes());
        }
        let report = reader.finish(self.exit_code, self.duration_ms);
        if !report.is_understood && report.failures.is_empty() {
            let what = "nothing that it printed says how many tests ran: give test_results";
            return Err(PipeError::argument("command", what));
        }
        let framework = report.environment.test_framework.as_deref();
        let runner = TestRunner::ALL.iter().find(|it| Some(it.framework()) == framework);
        let mut environment = report.environment.clone();
        runtime::complete(&mut environment, runner.copied());
        into.environment.get_or_insert(environment);
        into.results = report.results;
        if into.failures.is_empty() {
            into.failures = report.failures;
        }
        Ok(())
    }
}

impl Value for TemplateRef {
    const KIND: &'static str = "object";

    fn read(argument: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Template {
            session_id: String,
            pattern: String,
        }
        let Template { session_id, pattern } = argument.read(raw)?;
        let session = DebugSessionId::parse(&session_id);
        let session = session.ok_or_else(|| argument.wrong("session_id must be a UUID"))?;
        Ok(Self { session, pattern })
    }
}

fn record(
    pipe: &mut Pipe<'_>,
    session: Session,
    act: impl FnOnce(&mut DebugWriter<'_, '_>, DebugSessionId) -> Result<DebugDone, DebugError>,
) -> Answered {
    let session = session.id(pipe)?;
    operate(pipe, |writer| act(writer, session), |it| it.sequence, |it| it)
}
