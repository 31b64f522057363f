//! A told call as events: its start and its end, recorded as one commit.

use std::path::Path;

use super::Call;
use crate::cli::session;
use crate::event::{
    Body, CallKey, Closing, Content, Envelope, Event, ExecutionFinished, ExecutionId,
    ExecutionStarted, Source,
};
use crate::execution::infer;
use crate::journal::{Group, RecordError, RecordReport, Recorder, clock, id};
use crate::parse::diagnostics;

/// The events of a call, and the execution they are about.
pub struct Made {
    pub execution: ExecutionId,
    pub agent: String,
    /// The agent's own name of its session.
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

/// A call's two events. `default_session` is `ANNALS_SESSION`; `root` is what paths are relative to.
pub fn of(mut call: Call, default_session: Option<&str>, root: &Path) -> Made {
    if call.paths.is_empty() && call.symbols.is_empty() {
        let named = infer::targets(&call.tool, &call.arguments.0, root);
        (call.paths, call.symbols) = (named.paths, named.symbols);
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
        let printed = |text: &Option<String>| text.clone().unwrap_or_default().into_bytes();
        let found = diagnostics::parse(&printed(&call.stdout), &printed(&call.stderr));
        // Serialization of these types has no way to fail; without it the text is still there.
        call.diagnostics = diagnostics::to_json(&found).unwrap_or_default();
    }
    let told = call.diagnostics.as_ref().map(|json| serde_json::from_str(&json.0));
    // A file name that is no text points nowhere.
    let told: Vec<Diagnosed> = told.and_then(Result::ok).unwrap_or_default();
    let mut files: Vec<String> = told.into_iter().filter_map(|one| one.file_name).collect();
    files.sort();
    files.dedup();
    files
}
