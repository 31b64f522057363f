//! Recording executions and what tools there are (spec 000).

use serde::Serialize;
use serde_json::value::RawValue;

use crate::cli::record::{Call, Made, diagnostics, made, outcome_of};
use crate::event::{
    Body, Change, Envelope, Event, ExecutionFinished, ExecutionId, Json, Outcome, Source,
    ToolsDeclared,
};
use crate::journal::{RecordReport, clock};
use crate::pipe::{Argument, Entry, Pipe, PipeError, Time, Value, arguments, operations};

const TOOL: &str = "a name of the contract, or a declared one";
const EXECUTION: &str = "its id, a UUID of version 4 or 7";

operations! { OPS:
    record record_execution = "record a tool's call that has ended"
        (Whole) => |call, pipe| {
            let made = call.made(pipe)?;
            let (execution, of) = (made.execution, Some((made.agent, made.session)));
            let answer = move |_: &mut Pipe<'_>, report: &_| Recorded::of(execution, report);
            Ok(Entry { is_timed: made.is_timed, ..Entry::new(of, made.events, answer) })
        };

    record start_execution
        = "record that a tool is called; ended by finish_execution, else interrupted with the pipe"
        (Start);

    record finish_execution = "record how a call ended that start_execution began"
        (Finish);

    record declare_tools
        = "put names on the contract's list of tools, so that calls of them are taken"
    {
        tools: Vec<String> = "ASCII letters, digits and _ - . : /",
        by: Option<String> = "who declares them",
    } => |_pipe| {
        let told = serde_json::json!({ "tools": tools });
        let by = by.unwrap_or_else(|| "annals pipe".to_owned());
        let envelope = Envelope::new(None, Source::Live, clock::now_ms());
        let event = Event { envelope, body: Body::ToolsDeclared(ToolsDeclared { tools, by }) };
        Ok(Entry::new(None, vec![event], move |_, _| told))
    };
}

arguments! {
    struct Whole {
        tool | tool_name: String = TOOL,
        arguments: Json = "what the tool was called with",
        ending: Ending,
        about: About,
        changed: Option<Vec<Change>> = "files it changed: each with path and created",
        when: When,
        place: Place,
    }

    struct Start {
        tool | tool_name: String = TOOL,
        arguments: Json = "what the tool was called with",
        about: About,
        when: When,
        place: Place,
    }

    struct Finish {
        execution | execution_id: ExecutionId = EXECUTION,
        tool | tool_name: Option<String> = TOOL,
        ending: Ending,
        about: About,
        changed: Option<Vec<Change>> = "files it changed: each with path and created",
        when: When,
    }

    /// How a call ended.
    #[derive(Default)]
    struct Ending {
        outcome: Option<String> = "ok, failed, refused or interrupted",
        success: Option<bool> = "else told by the exit code",
        exit_code: Option<i32> = "0 is a success",
        duration_ms: Option<u64> = "how long it took",
        error | error_message: Option<String> = "why it failed",
        stdout: Option<String> = "what it printed",
        stderr: Option<String> = "what it printed on standard error",
        diagnostics: Option<Diagnostics>
            = "each with level, message, and where known file_name, line_start, code",
    }

    struct About {
        paths | target_paths: Option<Vec<String>>
            = "files it is about; else read from the arguments",
        symbols | target_symbols: Option<Vec<String>> = "symbols it is about",
    }

    struct When {
        at | timestamp: Option<Time> = "when it ended: Unix milliseconds or RFC 3339; else now",
        agent: Option<String> = "the agent; else annals",
    }

    #[derive(Default)]
    struct Place {
        call: Option<String> = "the agent's own id of the call: a second report is a duplicate",
        execution | execution_id: Option<ExecutionId> = EXECUTION,
        native_tool: Option<String> = "the agent's name of the tool",
        cwd: Option<String> = "the folder it ran in",
        branch: Option<String> = "the branch of its repository",
    }
}

struct Diagnostics(Json);

impl Value for Diagnostics {
    const KIND: &'static str = "list of objects";

    fn read(_: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
        Ok(Self(diagnostics(raw.get())?))
    }
}

impl Whole {
    fn made(self, pipe: &Pipe<'_>) -> Result<Made, PipeError> {
        let Self { tool, arguments, ending, about, changed, when, place } = self;
        let (word, error) = (ending.outcome.as_deref(), ending.error.as_deref());
        let call = Call {
            tool,
            arguments,
            outcome: outcome_of(word, ending.success, ending.exit_code, error)?,
            exit_code: ending.exit_code,
            duration_ms: ending.duration_ms,
            error: ending.error,
            stdout: ending.stdout,
            stderr: ending.stderr,
            diagnostics: ending.diagnostics.map(|it| it.0),
            paths: about.paths.unwrap_or_default(),
            symbols: about.symbols.unwrap_or_default(),
            changed: changed.unwrap_or_default(),
            at_ms: when.at.map(|it| it.0),
            session: None,
            agent: when.agent,
            call: place.call,
            execution: place.execution,
            native_tool: place.native_tool,
            cwd: place.cwd,
            branch: place.branch,
        };
        Ok(made(call, pipe.caller.session.as_deref(), pipe.project))
    }
}

/// What is answered to a recorded execution.
#[derive(Serialize)]
struct Recorded {
    execution: String,
    /// The journal held it already; nothing was recorded.
    duplicate: bool,
}

impl Recorded {
    fn of(execution: ExecutionId, report: &RecordReport) -> Self {
        Self { execution: execution.to_string(), duplicate: report.recorded == 0 }
    }
}

fn start_execution(pipe: &mut Pipe<'_>, call: Start) -> Result<Entry, PipeError> {
    let Start { tool, arguments, about, when, place } = call;
    let ending = Ending::default();
    let whole = Whole { tool, arguments, ending, about, changed: None, when, place };
    let mut made = whole.made(pipe)?;
    // Its end is yet to be told: only what it will have changed is known.
    let edits = match made.events.pop().map(|event| event.body) {
        Some(Body::ExecutionFinished(finished)) => finished.closing.changed,
        _ => Vec::new(),
    };
    let Some(Event {
        envelope: Envelope { session: Some(session), .. },
        body: Body::ExecutionStarted(started),
    }) = made.events.first()
    else {
        return Err(PipeError::new("refused", "a call without a session"));
    };
    let (execution, tool) = (made.execution, started.tool.clone());
    pipe.begin(execution, &tool, *session, edits)?;
    let of = Some((made.agent, made.session));
    let entry = Entry::new(of, made.events, move |pipe, report| {
        let recorded = Recorded::of(execution, report);
        if recorded.duplicate {
            // Whoever reported it first has it.
            pipe.let_go(execution);
        }
        recorded
    });
    Ok(Entry { begins: Some(execution), is_timed: made.is_timed, ..entry })
}

fn finish_execution(pipe: &mut Pipe<'_>, call: Finish) -> Result<Entry, PipeError> {
    let Finish { execution, tool, mut ending, about, changed, when } = call;
    let mut edits = Vec::new();
    let (tool, session) = if let Some(open) = pipe.open(execution) {
        edits.clone_from(&open.edits);
        if when.at.is_none() {
            let took_ms = clock::now_ms().saturating_sub(open.began_ms);
            ending.duration_ms.get_or_insert(took_ms);
        }
        (open.tool.clone(), Some(open.session))
    } else if let Some(known) = pipe.recorder().known_execution(execution)? {
        known
    } else if let Some(tool) = tool {
        (tool, None)
    } else {
        let text = format!("no execution {execution} has begun");
        let hint = "start_execution gives its id; or say which tool it was";
        return Err(PipeError::new("not_found", text).with_hint(hint));
    };
    let arguments = Json("{}".to_owned());
    let place = Place { execution: Some(execution), ..Place::default() };
    let whole = Whole { tool, arguments, ending, about, changed, when, place };
    let mut made = whole.made(pipe)?;
    let mut finished = made.events.split_off(1);
    for event in &mut finished {
        if let Body::ExecutionFinished(ExecutionFinished { closing, .. }) = &mut event.body
            && closing.outcome == Outcome::Ok
            && closing.changed.is_empty()
        {
            closing.changed = std::mem::take(&mut edits);
        }
    }
    if session.is_some() {
        // It stays in the session that it began in, whoever ends it.
        finished.iter_mut().for_each(|event| event.envelope.session = session);
    }
    let entry = Entry::new(None, finished, move |_, report| Recorded::of(execution, report));
    Ok(Entry { ends: Some(execution), is_timed: made.is_timed, ..entry })
}
