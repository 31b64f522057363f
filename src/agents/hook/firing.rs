//! One firing of a hook: whose it is, and where what it tells belongs.

use std::cell::OnceCell;

use super::{HookAgent, HookAnswer, HookError, HookInput, Known};
use crate::event::{
    Body, CallKey, Envelope, Event, GateMode, Sequence, SessionId, SessionStarted, Source,
};
use crate::grounding::fold::{Grounding, StepClaim};
use crate::journal::{DirectRecorder, Project, id};
use crate::repo::step_summary::{Given, StepEnd};

/// One firing of a hook.
pub struct Firing<'a> {
    pub agent: HookAgent,
    pub input: &'a HookInput<'a>,
    pub project: &'a Project,
    /// The agent's own name of the session.
    pub native_session: &'a str,
    pub session: SessionId,
    /// What the gate's verdicts do.
    pub mode: GateMode,
    /// Unix milliseconds.
    pub at_ms: u64,
    recorder: OnceCell<DirectRecorder<'a>>,
}

impl<'a> Firing<'a> {
    pub fn new(
        agent: HookAgent,
        input: &'a HookInput<'a>,
        project: &'a Project,
        mode: Option<GateMode>,
        at_ms: u64,
    ) -> Result<Self, HookError> {
        let native = input.session_id.as_deref().filter(|name| !name.is_empty());
        let native_session = native.ok_or(HookError::Missing { field: "session_id" })?;
        let session = id::session(agent.as_str(), native_session);
        // The project's own word counts before that of whoever installed the hook.
        let mode = project.config().gate.or(mode).unwrap_or(GateMode::Advise);
        let recorder = OnceCell::new();
        Ok(Self { agent, input, project, native_session, session, mode, at_ms, recorder })
    }

    pub fn event(&self, body: Body) -> Event {
        Event { envelope: self.envelope(), body }
    }

    fn envelope(&self) -> Envelope {
        Envelope::new(Some(self.session), Source::Hook, self.at_ms)
    }

    /// The events that end the session's step, its summary among them: told from the events alone,
    /// whatever the settings say, since no agent waits for a model of ours. And why it has none.
    pub fn step_end(
        &self,
        grounding: &Grounding,
        answer: Option<&str>,
        claim: Option<StepClaim>,
    ) -> (Vec<Event>, Option<HookError>) {
        let given = Given { run: self.native_session, answer, claim, is_asked: false };
        let end = StepEnd::of(self.project, grounding, &given);
        (end.events(&self.envelope()), end.problem.map(HookError::from))
    }

    /// The events that begin a session of which nothing is known yet; none for another one.
    pub fn introduction(&self, known: &Known<'_>) -> Vec<Event> {
        match known.grounding().last_ms() {
            0 => vec![self.event(self.session_started())],
            _ => Vec::new(),
        }
    }

    pub fn session_started(&self) -> Body {
        Body::SessionStarted(SessionStarted {
            agent: self.agent.as_str().to_owned(),
            native_id: self.native_session.to_owned(),
            agent_version: None,
            // A subagent's model is not the session's.
            model: self.input.model.to_text().filter(|_| self.actor().is_none()),
            parent: None,
            cwd: self.input.cwd.to_text(),
            branch: None,
            title: None,
        })
    }

    /// The subagent that it fired for.
    pub fn actor(&self) -> Option<String> {
        self.input.agent_id.to_text()
    }

    /// Appends events of the session as one durable commit.
    pub fn record(&self, events: Vec<Event>, known: &Known<'_>) -> Result<(), HookError> {
        self.record_after(None, events, known)
    }

    /// As [`Self::record`], of a call: where others appended since it was known whether they told of
    /// it, nothing is recorded, and [`HookError::overtaken`] says so.
    pub fn record_call(&self, events: Vec<Event>, known: &Known<'_>) -> Result<(), HookError> {
        self.record_after(known.through(), events, known)
    }

    fn record_after(
        &self,
        after: Option<Sequence>,
        events: Vec<Event>,
        known: &Known<'_>,
    ) -> Result<(), HookError> {
        let grounding = known.grounding();
        let is_declared = |tool: &str| grounding.is_declared(tool);
        self.recorder().record(events, grounding.last_ms(), after, is_declared)?;
        Ok(())
    }

    fn recorder(&self) -> &DirectRecorder<'a> {
        self.recorder.get_or_init(|| DirectRecorder::new(self.project))
    }

    /// A call's key as it is on record: a name that is a secret stands under another there.
    pub fn key(&self, scope: Option<String>, call: String) -> CallKey {
        let recorded = |name: String| self.recorder().recorded_name(name);
        let agent = self.agent.as_str().to_owned();
        CallKey { agent, scope: scope.map(recorded), call: recorded(call) }
    }

    /// Whether a call that is known was told with other arguments than this event has.
    pub fn is_told_otherwise(
        &self,
        key: &CallKey,
        started: Event,
        known: &Known<'_>,
    ) -> Result<bool, HookError> {
        let arguments = self.recorder().recorded_arguments(started)?;
        Ok(arguments.is_some_and(|it| known.grounding().is_told_otherwise(key, it)))
    }

    /// Records that it ran and does nothing else.
    pub fn note(&self, outcome: &str, known: &Known<'_>) -> Result<HookAnswer, HookError> {
        let body = Body::HookRan(crate::event::HookRan {
            agent: self.agent.as_str().to_owned(),
            hook: self.input.name().to_owned(),
            outcome: outcome.to_owned(),
            duration_ms: None,
        });
        let mut events = self.introduction(known);
        events.push(self.event(body));
        self.record(events, known)?;
        Ok(HookAnswer::default())
    }
}
