//! A told call as events: its start and its end, recorded as one commit.

use super::Call;
use crate::command::{RecordError, RecordReport, Recorder, clock, id};
use crate::event::{
    Body, CallKey, Closing, Content, Envelope, Event, ExecutionFinished, ExecutionId,
    ExecutionStarted, Source,
};
use crate::surface::cli::session;

/// The events of a call, and the execution they are about.
pub struct Made {
    pub execution: ExecutionId,
    pub agent: String,
    /// The agent's own name of its session.
    pub session: String,
    pub events: Vec<Event>,
}

impl Made {
    /// Records the call, and whose session it is where that was not known yet.
    ///
    /// # Errors
    /// As recording has them; nothing was recorded then.
    pub fn record(self, recorder: &mut Recorder<'_>) -> Result<RecordReport, RecordError> {
        let report = recorder.record(self.events)?;
        session::introduce(recorder, &self.agent, &self.session)?;
        Ok(report)
    }
}

/// A call's two events. `default_session` is `ANNALS_SESSION`.
pub fn of(call: Call, default_session: Option<&str>) -> Made {
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
            paths: Vec::new(),
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
        events: vec![
            event(ended_ms, Body::ExecutionStarted(started)),
            event(ended_ms, Body::ExecutionFinished(finished)),
        ],
    }
}
