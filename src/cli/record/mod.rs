//! `annals record`: one finished call by flags, or one JSON line a call on standard input.

mod call;
mod stream;
#[cfg(test)]
mod tests;

use super::checkpoint::by_itself;
use super::{Context, Exit, Result, catch_up, session};
use crate::event::{
    Body, CallKey, Closing, Content, Envelope, Event, ExecutionFinished, ExecutionId,
    ExecutionStarted, Outcome, Source,
};
use crate::execution::infer;
use crate::execution::live_recorder;
use crate::journal::{Group, Project, RecordError, RecordReport, Recorder, clock, id};
use crate::parse::check;
use crate::parse::check::diagnostic;

pub use call::{Call, Changed, diagnostics, outcome_of};

/// Record finished calls: one by flags, or many as JSON lines
///
/// Without --tool, every line of standard input is one call, a JSON object with these members:
///
///   tool             the only one required
///   arguments        an object
///   outcome          ok, failed, refused or interrupted; else `success` (true or false) says it,
///                    else `exit_code` and `error`
///   exit_code, duration_ms, error, stdout, stderr
///   diagnostics      [{level, message, file_name, line_start, code}]; of an lsp_check without
///                    them they are read from what it printed
///   paths, symbols   without both they are read from the arguments (`path`, `file`, `file_path`,
///                    `symbol`)
///   changed          [{path, created}]
///   at               when it ended: Unix milliseconds or RFC 3339
///   session, agent, native_tool, cwd, branch
///   call, execution  the agent's own id of the call, and a UUID
///
/// The contract's names (`tool_name`, `timestamp`, `execution_id`, `error_message`,
/// `target_paths`, `target_symbols`) are taken too.
///
/// The same report again under either id is a duplicate; one with another tool, arguments, outcome,
/// exit code or output is refused. Of a call that hooks and imports tell differently the first
/// report stands.
///
/// Every line is answered by one line once it is durable:
///   {"line":1,"ok":true,"execution":"…","sequence":7,"duplicate":false}
///   {"line":2,"ok":false,"field":"tool","error":"…"}
/// Good lines are recorded whatever the others are; the exit code is then 2.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    flags: Box<call::Flags>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let call = args.flags.call()?;
    // Here it says when the call ended, and asks about no past.
    context.at = None;
    let project = context.project()?;
    let mut recorder = live_recorder(&project);
    let is_stream = call.is_none();
    let exit = match call {
        Some(call) => one(call, &project, &mut recorder, context)?,
        None => stream::run(&project, &mut recorder, context)?,
    };
    // One call more is left to who asks, as a run's is.
    let stores_are_due = is_stream || recorder.stores_are_due();
    recorder.finish()?;
    catch_up::keep_up(&project, stores_are_due, context);
    by_itself::follow(&project, context);
    Ok(exit)
}

fn one(
    call: Call,
    project: &Project,
    recorder: &mut Recorder<'_>,
    context: &mut Context,
) -> Result<Exit> {
    let made = made(call, context.session.as_deref(), project);
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

/// The events of a call, and the execution they are about.
pub struct Made {
    pub execution: ExecutionId,
    pub agent: String,
    pub session: String,
    pub events: Vec<Event>,
    /// The caller says when it was.
    pub is_timed: bool,
}

impl Made {
    /// Records the call, and whose session it is where that was not known yet.
    pub fn record(self, recorder: &mut Recorder<'_>) -> Result<RecordReport, RecordError> {
        // Begun now, the session would refuse what else was told of its past.
        let at_ms = self.events.first().map_or_else(clock::now_ms, |event| event.envelope.at_ms);
        let group = Group { events: self.events, is_timed: self.is_timed };
        let report = recorder.record_groups(vec![group])?.pop().unwrap_or_default();
        session::introduce(recorder, &self.agent, &self.session, at_ms)?;
        Ok(report)
    }
}

/// A call's two events. `default_session` is `ANNALS_SESSION`; Paths are relative to the project's
/// root.
pub fn made(mut call: Call, default_session: Option<&str>, project: &Project) -> Made {
    if call.paths.is_empty() && call.symbols.is_empty() {
        let named = infer::targets(&call.tool, &call.arguments.0, project.root());
        (call.paths, call.symbols) = (named.paths, named.symbols);
    }
    if call.outcome == Outcome::Ok && call.changed.is_empty() {
        let (arguments, cwd) = (&call.arguments.0, call.cwd.as_deref());
        call.changed = infer::edits(project, &call.tool, arguments, cwd, None);
    }
    let diagnosed = diagnosed(&mut call);
    let is_timed = call.at_ms.is_some();
    let ended_ms = call.at_ms.unwrap_or_else(clock::now_ms);
    // Both events carry the end's time: told afterwards, a true beginning could lie behind what the
    // session recorded since, which I3 forbids. The duration is in the closing event.
    let agent = call.agent.clone().unwrap_or_else(|| session::AGENT.to_owned());
    let native = call.session.as_deref().or(default_session).unwrap_or(session::DEFAULT).to_owned();
    let key = call.call.map(|id| CallKey {
        agent: agent.clone(),
        // Claude Code's ids are unique for good, and an import of its transcript must meet this one.
        scope: (!id.starts_with("toolu_")).then(|| native.clone()),
        call: id,
    });
    // The same call told twice is the same execution.
    let execution = match (call.execution, &key) {
        (Some(execution), _) => execution,
        (None, Some(key)) => id::imported_execution(ended_ms, key),
        (None, None) => id::execution(ended_ms),
    };
    let of_session = Some(id::session(&agent, &native));
    let started = ExecutionStarted {
        execution,
        tool: call.tool.clone(),
        native_tool: call.native_tool,
        call: key,
        actor: None,
        parent: None,
        arguments: call.arguments,
        paths: call.paths,
        symbols: call.symbols,
        cwd: call.cwd,
        branch: call.branch,
    };
    let finished = ExecutionFinished {
        execution,
        tool: call.tool,
        closing: Closing {
            outcome: call.outcome,
            exit_code: call.exit_code,
            duration_ms: call.duration_ms,
            error: call.error,
            stdout: call.stdout.map(|text| Content::Inline(text.into_bytes())),
            stderr: call.stderr.map(|text| Content::Inline(text.into_bytes())),
            diagnostics: call.diagnostics,
            paths: diagnosed,
            symbols: Vec::new(),
            changed: call.changed,
        },
    };
    let event =
        |at_ms, body| Event { envelope: Envelope::new(of_session, Source::Live, at_ms), body };
    Made {
        execution,
        agent,
        session: native,
        is_timed,
        events: vec![
            event(ended_ms, Body::ExecutionStarted(started)),
            event(ended_ms, Body::ExecutionFinished(finished)),
        ],
    }
}

/// The files that the call's diagnostics point to. A check that told none is asked for what it
/// printed.
fn diagnosed(call: &mut Call) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Diagnosed {
        #[serde(default)]
        file_name: Option<String>,
    }
    if call.diagnostics.is_none() && call.tool == infer::CHECK {
        let bytes = |text: &Option<String>| text.clone().unwrap_or_default().into_bytes();
        let found = check::diagnostics(check::RUST, &bytes(&call.stdout), &bytes(&call.stderr));
        // Serialization of these types has no way to fail; without it the text is still there.
        call.diagnostics = diagnostic::to_json(&found).unwrap_or_default();
    }
    let told = call.diagnostics.as_ref().map(|json| serde_json::from_str(&json.0));
    // A file name that is no text points nowhere.
    let told: Vec<Diagnosed> = told.and_then(Result::ok).unwrap_or_default();
    let mut files: Vec<String> = told.into_iter().filter_map(|one| one.file_name).collect();
    files.sort();
    files.dedup();
    files
}
