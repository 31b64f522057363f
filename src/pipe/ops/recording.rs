//! Recording executions and what tools there are (spec 000).

use serde::Serialize;

use crate::cli::record::{Call, Made, made};
use crate::event::{Body, Envelope, Event, ExecutionId, Source, ToolsDeclared};
use crate::journal::clock;
use crate::pipe::{Args, Argument, Caller, Entry, Op, Pipe, PipeError, Run, Told};

const TOOL: Argument =
    Argument::needed("tool", "text", "a name of the contract, or a declared one")
        .or(&["tool_name"]);
const ARGUMENTS: Argument = Argument::maybe("arguments", "object", "what the tool was called with");
const EXECUTION: Argument =
    Argument::maybe("execution", "text", "its id, a UUID of version 4 or 7").or(&["execution_id"]);
const AT: Argument =
    Argument::maybe("at", "time", "when it ended: Unix milliseconds or RFC 3339; else now")
        .or(&["timestamp"]);
const AGENT: Argument = Argument::maybe("agent", "text", "the agent; else annals");
const CALL: Argument = Argument::maybe(
    "call",
    "text",
    "the agent's own id of the call: a second report is a duplicate",
);
const NATIVE_TOOL: Argument =
    Argument::maybe("native_tool", "text", "the agent's name of the tool");
const CWD: Argument = Argument::maybe("cwd", "text", "the folder it ran in");
const BRANCH: Argument = Argument::maybe("branch", "text", "the branch of its repository");
const PATHS: Argument =
    Argument::maybe("paths", "list of texts", "files it is about; else read from the arguments")
        .or(&["target_paths"]);
const SYMBOLS: Argument =
    Argument::maybe("symbols", "list of texts", "symbols it is about").or(&["target_symbols"]);
const OUTCOME: Argument = Argument::maybe("outcome", "text", "ok, failed, refused or interrupted");
const SUCCESS: Argument = Argument::maybe("success", "true or false", "else told by the exit code");
const EXIT_CODE: Argument = Argument::maybe("exit_code", "number", "0 is a success");
const DURATION: Argument = Argument::maybe("duration_ms", "number", "how long it took");
const ERROR: Argument = Argument::maybe("error", "text", "why it failed").or(&["error_message"]);
const STDOUT: Argument = Argument::maybe("stdout", "text", "what it printed");
const STDERR: Argument = Argument::maybe("stderr", "text", "what it printed on standard error");
const DIAGNOSTICS: Argument = Argument::maybe(
    "diagnostics",
    "list of objects",
    "each with level, message, and where known file_name, line_start, code",
);
const CHANGED: Argument =
    Argument::maybe("changed", "list of objects", "files it changed: each with path and created");

pub const OPS: &[Op] = &[
    Op {
        name: "record_execution",
        about: "record a tool's call that has ended",
        args: &[
            TOOL,
            ARGUMENTS,
            OUTCOME,
            SUCCESS,
            EXIT_CODE,
            DURATION,
            ERROR,
            STDOUT,
            STDERR,
            DIAGNOSTICS,
            PATHS,
            SYMBOLS,
            CHANGED,
            AT,
            AGENT,
            CALL,
            EXECUTION,
            NATIVE_TOOL,
            CWD,
            BRANCH,
        ],
        run: Run::Record(record_execution),
    },
    Op {
        name: "start_execution",
        about: "record that a tool is called; ended by finish_execution, else interrupted with the pipe",
        args: &[
            TOOL,
            ARGUMENTS,
            PATHS,
            SYMBOLS,
            AT,
            AGENT,
            CALL,
            EXECUTION,
            NATIVE_TOOL,
            CWD,
            BRANCH,
        ],
        run: Run::Record(start_execution),
    },
    Op {
        name: "finish_execution",
        about: "record how a call ended that start_execution began",
        args: &[
            Argument { required: true, ..EXECUTION },
            Argument { required: false, ..TOOL },
            OUTCOME,
            SUCCESS,
            EXIT_CODE,
            DURATION,
            ERROR,
            STDOUT,
            STDERR,
            DIAGNOSTICS,
            PATHS,
            SYMBOLS,
            CHANGED,
            AT,
            AGENT,
        ],
        run: Run::Record(finish_execution),
    },
    Op {
        name: "declare_tools",
        about: "put names on the contract's list of tools, so that calls of them are taken",
        args: &[
            Argument::needed("tools", "list of texts", "ASCII letters, digits and _ - . : /"),
            Argument::maybe("by", "text", "who declares them"),
        ],
        run: Run::Record(declare_tools),
    },
];

/// What is answered to a recorded execution.
#[derive(Serialize)]
struct Recorded {
    execution: String,
    /// The journal held it already; nothing was recorded.
    duplicate: bool,
}

fn record_execution(pipe: &mut Pipe<'_>, caller: &Caller, args: Args) -> Result<Entry, PipeError> {
    let made = of_call(args.raw(), pipe, caller)?;
    let (execution, of) = (made.execution, Some((made.agent, made.session)));
    let entry = Entry::new(of, made.events, move |_, report| {
        let (execution, duplicate) = (execution.to_string(), report.recorded == 0);
        Ok(Told::of(&Recorded { execution, duplicate })?.at(report.last_sequence()))
    });
    Ok(Entry { is_timed: made.is_timed, ..entry })
}

fn start_execution(pipe: &mut Pipe<'_>, caller: &Caller, args: Args) -> Result<Entry, PipeError> {
    let mut made = of_call(args.raw(), pipe, caller)?;
    made.events.truncate(1);
    let Some(Event {
        envelope: Envelope { session: Some(session), .. },
        body: Body::ExecutionStarted(started),
    }) = made.events.first()
    else {
        return Err(PipeError::new("refused", "a call without a session"));
    };
    let (execution, tool) = (made.execution, started.tool.clone());
    pipe.begin(execution, &tool, *session)?;
    let of = Some((made.agent, made.session));
    let entry = Entry::new(of, made.events, move |pipe, report| {
        let duplicate = report.recorded == 0;
        if duplicate {
            // Whoever reported it first has it.
            pipe.let_go(execution);
        }
        let execution = execution.to_string();
        Ok(Told::of(&Recorded { execution, duplicate })?.at(report.last_sequence()))
    });
    Ok(Entry { begins: Some(execution), is_timed: made.is_timed, ..entry })
}

fn finish_execution(
    pipe: &mut Pipe<'_>,
    caller: &Caller,
    mut args: Args,
) -> Result<Entry, PipeError> {
    let text: String = args.need("execution")?;
    let execution = ExecutionId::parse(&text)
        .ok_or_else(|| PipeError::argument("execution", "must be a UUID, v4 or v7"))?;
    let mut more = vec![("execution", json(&text)?)];
    let session = match pipe.open(execution) {
        Some(open) => {
            more.push(("tool", json(&open.tool)?));
            let took_ms = clock::now_ms().saturating_sub(open.began_ms);
            if !args.has("duration_ms") && !args.has("at") {
                more.push(("duration_ms", json(&took_ms)?));
            }
            Some(open.session)
        }
        None => match pipe.recorder().known_execution(execution)? {
            Some((tool, session)) => {
                more.push(("tool", json(&tool)?));
                session
            }
            None if args.has("tool") => None,
            None => {
                let text = format!("no execution {execution} has begun");
                let hint = "start_execution gives its id; or say which tool it was";
                return Err(PipeError::new("not_found", text).with_hint(hint));
            }
        },
    };
    let mut made = of_call(&args.with(more), pipe, caller)?;
    let mut finished = made.events.split_off(1);
    if session.is_some() {
        // It stays in the session that it began in, whoever ends it.
        finished.iter_mut().for_each(|event| event.envelope.session = session);
    }
    let entry = Entry::new(None, finished, move |_, report| {
        let (execution, duplicate) = (execution.to_string(), report.recorded == 0);
        Ok(Told::of(&Recorded { execution, duplicate })?.at(report.last_sequence()))
    });
    Ok(Entry { ends: Some(execution), is_timed: made.is_timed, ..entry })
}

fn declare_tools(_: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Entry, PipeError> {
    let tools: Vec<String> = args.need("tools")?;
    let by: Option<String> = args.take("by")?;
    let told = tools.clone();
    let by = by.unwrap_or_else(|| "annals pipe".to_owned());
    let envelope = Envelope::new(None, Source::Live, clock::now_ms());
    let event = Event { envelope, body: Body::ToolsDeclared(ToolsDeclared { tools, by }) };
    Ok(Entry::new(None, vec![event], move |_, report| {
        Ok(Told::of(&serde_json::json!({ "tools": told }))?.at(report.last_sequence()))
    }))
}

/// The events of a call, from its JSON.
fn of_call(object: &str, pipe: &Pipe<'_>, caller: &Caller) -> Result<Made, PipeError> {
    let call = Call::parse(object.as_bytes())?;
    Ok(made(call, caller.session.as_deref(), pipe.project.root()))
}

fn json(value: &impl Serialize) -> Result<String, PipeError> {
    serde_json::to_string(value).map_err(|error| PipeError::new("io", format!("no JSON: {error}")))
}
