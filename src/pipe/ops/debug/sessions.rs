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
use crate::parse::test_report::{OutputStream, TestReportReader, TestRunner};
use crate::pipe::{Answered, Argument, Pipe, PipeError, Value, arguments, operations};

operations! { OPS:
    act debug_open(Open) = "open a debug session of a file";
    act debug_attempt(Attempt)
        = "record an attempt: status, verified fix and hooks follow from it by rule";
    act debug_close(Close) = "end a debug session, or escalate it";
}

arguments! {
    struct Open {
        file_path: String = "the file that is worked on, from the project's root",
        session_id: Option<DebugSessionId> = "its id, a UUID; else a new one",
        new: New,
    }

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

    struct Close {
        status: DebugStatus = "passed, failed or escalated",
        reason: Option<String> = "why",
        session: Session,
    }
}

impl New {
    fn of(self, file_path: String, session: Option<DebugSessionId>) -> OpenGiven {
        let Self { attempts_max, agent, task_id, ralph_iteration } = self;
        OpenGiven { session, file_path, attempts_max, agent, task_id, ralph_iteration }
    }
}

fn debug_open(pipe: &mut Pipe<'_>, given: Open) -> Answered {
    let given = given.new.of(given.file_path, given.session_id);
    operate(pipe, |writer| writer.open(given), |it| it.sequence, |it| it)
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

fn debug_close(pipe: &mut Pipe<'_>, closed: Close) -> Answered {
    let session = closed.session.id(pipe)?;
    operate(
        pipe,
        |writer| writer.close(session, closed.status, closed.reason),
        |it| it.done.sequence,
        |it| it,
    )
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

operations! { OBSERVATION:
    act debug_analyse(Analyse) = "record what was wrong in an attempt";
    act debug_fix(FixTold)
        = "record what was changed after an attempt; the next one verifies it";
    act debug_verify(Verify) = "record whether a fix helped";
    act debug_learn(Learn) = "record what was learnt";
}

arguments! {
    struct Analyse {
        analysis: Analysis = "root_cause, fix_strategy …, as the schema has it",
        at: OfAttempt,
    }

    struct FixTold {
        fix_applied: Fix = "description …, as the schema has it",
        template: Option<TemplateRef>
            = "the template that it was made from: session_id and pattern",
        at: OfAttempt,
    }

    struct Verify {
        verification: Verification = "pending, passed or failed",
        at: OfAttempt,
    }

    struct Learn {
        learnings: Learnings = "as the schema has them",
        tallies: Option<Vec<TemplateTally>>
            = "how often templates were tried before: pattern, successes, trials",
        session: Session,
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

fn debug_analyse(pipe: &mut Pipe<'_>, told: Analyse) -> Answered {
    let Analyse { analysis, at } = told;
    record(pipe, at.session, |writer, session| writer.analyse(session, at.attempt, analysis))
}

fn debug_fix(pipe: &mut Pipe<'_>, told: FixTold) -> Answered {
    let FixTold { fix_applied: fix, template, at } = told;
    let given = FixGiven { fix, template };
    record(pipe, at.session, |writer, session| writer.fix(session, at.attempt, given))
}

fn debug_verify(pipe: &mut Pipe<'_>, told: Verify) -> Answered {
    let Verify { verification, at } = told;
    record(pipe, at.session, |writer, session| writer.verify(session, at.attempt, verification))
}

fn debug_learn(pipe: &mut Pipe<'_>, told: Learn) -> Answered {
    let Learn { learnings, tallies, session } = told;
    let given = LearnGiven { learnings, tallies: tallies.unwrap_or_default() };
    record(pipe, session, |writer, session| writer.learn(session, given))
}

fn record(
    pipe: &mut Pipe<'_>,
    session: Session,
    act: impl FnOnce(&mut DebugWriter<'_, '_>, DebugSessionId) -> Result<DebugDone, DebugError>,
) -> Answered {
    let session = session.id(pipe)?;
    operate(pipe, |writer| act(writer, session), |it| it.sequence, |it| it)
}
