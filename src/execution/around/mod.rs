//! Records a call of a library's own tool around it (spec 000, "Tool Wrapping"): the tool's result
//! is given back whatever happens to the log.

use std::path::Path;
use std::time::Instant;

use crate::event::{
    Body, CallKey, Change, Closing, Envelope, Event, ExecutionFinished, ExecutionId,
    ExecutionStarted, Json, Outcome, SessionId, Source,
};
use crate::execution::infer;
use crate::execution::live_recorder;
use crate::journal::owner::Owner;
use crate::journal::{Project, RecordError, RecordReport, Recorder, clock, id};

#[cfg(test)]
mod tests;

/// What is called.
#[derive(Clone, Debug, Default)]
pub struct ToolCall {
    /// The contract's name of the tool.
    pub tool: String,
    /// A JSON object.
    pub arguments: String,
    pub session: Option<SessionId>,
    pub call: Option<CallKey>,
    /// The files it works on; where both lists are empty they are read from the arguments.
    pub paths: Vec<String>,
    pub symbols: Vec<String>,
    pub cwd: Option<String>,
    /// The execution's id, where it is known already; `None`: a new one.
    pub execution: Option<ExecutionId>,
}

/// What came of a call, and what became of its record.
#[derive(Debug)]
pub struct Around<T> {
    /// The tool's own result.
    pub result: T,
    pub execution: ExecutionId,
    /// When it ended, Unix milliseconds, and how long it took.
    pub at_ms: u64,
    pub duration_ms: u64,
    /// What happened to the log; never a reason to treat the result otherwise.
    pub log: Result<RecordReport, RecordError>,
    /// The stores are so far behind the journal that somebody should catch them up.
    pub stores_are_due: bool,
}

/// Calls a tool and records that it began and how it ended.
///
/// `closing` tells from the result how it ended; its duration is filled in where it gives none.
/// `project` is `None` where nothing is to be recorded: tools work without a log.
pub fn record_around<T>(
    project: Option<&Project>,
    call: ToolCall,
    tool: impl FnOnce() -> T,
    closing: impl FnOnce(&T) -> Closing,
) -> Around<T> {
    record_around_with(project, call, tool, closing, |_| Vec::new())
}

/// The same; what `also` tells of the result is recorded in one commit with the call's end.
pub fn record_around_with<T>(
    project: Option<&Project>,
    call: ToolCall,
    tool: impl FnOnce() -> T,
    closing: impl FnOnce(&T) -> Closing,
    also: impl FnOnce(&T) -> Vec<Body>,
) -> Around<T> {
    let execution = call.execution.unwrap_or_else(|| id::execution(clock::now_ms()));
    let tool_name = call.tool.clone();
    let session = call.session;
    let edits = project.map(|project| edits(project, &call)).unwrap_or_default();
    let mut open = project.map(|project| begin(project, execution, call));
    let began = Instant::now();
    let result = tool();
    let duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let at_ms = clock::now_ms();
    let log = match open.as_mut() {
        None => Ok(RecordReport::default()),
        Some(Ok(Begun { recorder, report, .. })) => {
            let mut closing = closing(&result);
            closing.duration_ms.get_or_insert(duration_ms);
            if closing.outcome == Outcome::Ok && closing.changed.is_empty() {
                closing.changed = edits;
            }
            let body = ExecutionFinished { execution, tool: tool_name, closing };
            let bodies = std::iter::once(Body::ExecutionFinished(body)).chain(also(&result));
            let envelope = || Envelope::new(session, Source::Live, at_ms);
            let events = bodies.map(|body| Event { envelope: envelope(), body });
            recorder.record(events.collect()).map(|ended| {
                report.add(&ended);
                report.clone()
            })
        }
        Some(Err(_)) => Ok(RecordReport::default()),
    };
    let mut stores_are_due = false;
    let log = match open {
        Some(Err(error)) => Err(error),
        Some(Ok(begun)) => {
            stores_are_due = begun.recorder.stores_are_due();
            log
        }
        None => log,
    };
    Around { result, execution, at_ms, duration_ms, log, stores_are_due }
}

/// The files that its command will surely change, and which of them are not there yet.
fn edits(project: &Project, call: &ToolCall) -> Vec<Change> {
    let mut edits = infer::edits(project, &call.tool, &call.arguments, call.cwd.as_deref(), None);
    for change in &mut edits {
        change.created = !Path::new(&change.path).exists();
    }
    edits
}

struct Begun<'p> {
    recorder: Recorder<'p>,
    report: RecordReport,
    /// Held until the end is recorded. `None` where it could not be taken: then a sweep may
    /// take the execution for interrupted, which its result corrects.
    _owner: Option<Owner>,
}

fn begin(
    project: &Project,
    execution: ExecutionId,
    call: ToolCall,
) -> Result<Begun<'_>, RecordError> {
    let mut recorder = live_recorder(project);
    // The record is worth having without the lock.
    let owner = Owner::hold(&project.owners_dir(), execution).ok();
    let mut call = call;
    if call.paths.is_empty() && call.symbols.is_empty() {
        let named = infer::targets(&call.tool, &call.arguments, project.root());
        (call.paths, call.symbols) = (named.paths, named.symbols);
    }
    let started = ExecutionStarted {
        execution,
        tool: call.tool,
        call: call.call,
        arguments: Json(call.arguments),
        paths: call.paths,
        symbols: call.symbols,
        cwd: call.cwd,
        ..ExecutionStarted::default()
    };
    let envelope = Envelope::new(call.session, Source::Live, clock::now_ms());
    let event = Event { envelope, body: Body::ExecutionStarted(started) };
    let report = recorder.record(vec![event])?;
    Ok(Begun { recorder, report, _owner: owner })
}

/// How a call ended that gave a [`Result`]: failed with the error's message, or ok.
pub fn closing_of<T, E: std::fmt::Display>(result: &Result<T, E>) -> Closing {
    let (outcome, error) = match result {
        Ok(_) => (Outcome::Ok, None),
        Err(error) => (Outcome::Failed, Some(error.to_string())),
    };
    Closing {
        outcome,
        exit_code: None,
        duration_ms: None,
        error,
        stdout: None,
        stderr: None,
        diagnostics: None,
        paths: Vec::new(),
        symbols: Vec::new(),
        changed: Vec::new(),
    }
}
