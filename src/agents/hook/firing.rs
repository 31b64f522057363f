//! One firing of a hook: whose it is, and where what it tells belongs.

use std::cell::OnceCell;

use super::input::Result;
use super::{Agent, HookAnswer, HookError, HookInput};
use crate::event::{
    Body, CallKey, ChecksDeclared, DeclaredCheck, Envelope, Event, GateMode, Sequence, SessionId,
    SessionStarted, Source,
};
use crate::grounding::fold::{Grounding, StepClaim};
use crate::grounding::gate::{GateError, SessionFile};
use crate::journal::{DirectRecorder, Project, Rounds, id};
use crate::repo::step_summary::{Given, StepEnd};

pub struct Firing<'a> {
    pub agent: Agent,
    pub input: &'a HookInput<'a>,
    pub project: &'a Project,
    /// The agent's own name of the session.
    pub native_session: &'a str,
    pub session: SessionId,
    /// What the gate's verdicts do.
    pub mode: GateMode,
    pub at_ms: u64,
    recorder: OnceCell<DirectRecorder<'a>>,
}

impl<'a> Firing<'a> {
    pub fn new(
        agent: Agent,
        input: &'a HookInput<'a>,
        project: &'a Project,
        mode: Option<GateMode>,
        at_ms: u64,
    ) -> Result<Self> {
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
        let given = Given { run: self.native_session, answer, claim, ..Given::default() };
        let end = StepEnd::of(self.project, grounding, &given);
        (end.events(&self.envelope()), end.problem.map(HookError::from))
    }

    /// The events that begin a session of which nothing is known yet; none for another one.
    pub fn introduction(&self, known: &Known<'_>) -> Vec<Event> {
        match known.grounding().last_ms {
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

    pub fn actor(&self) -> Option<String> {
        self.input.agent_id.to_text()
    }

    pub fn record(&self, events: Vec<Event>, known: &Known<'_>) -> Result<()> {
        self.record_after(None, events, known)
    }

    /// As [`Self::record`], of a call: where others appended since it was known whether they told of
    /// it, nothing is recorded, and [`HookError::overtaken`] says so.
    pub fn record_call(&self, events: Vec<Event>, known: &Known<'_>) -> Result<()> {
        self.record_after(known.through(), events, known)
    }

    fn record_after(
        &self,
        after: Option<Sequence>,
        events: Vec<Event>,
        known: &Known<'_>,
    ) -> Result<()> {
        let grounding = known.grounding();
        let is_declared = |tool: &str| grounding.is_declared(tool);
        let events = self.with_checks(events, known);
        self.recorder().record(events, grounding.last_ms, after, is_declared)?;
        Ok(())
    }

    /// The events, before them what the settings say of checks and the journal does not yet.
    fn with_checks(&self, events: Vec<Event>, known: &Known<'_>) -> Vec<Event> {
        let of_settings = |list| self.project.settings().checks_beside(list);
        let own =
            (!known.is_blind()).then(|| of_settings(known.grounding().own().list())).flatten();
        let Some(list) = own.filter(|_| !events.is_empty()) else { return events };
        let by = DeclaredCheck::SETTINGS.to_owned();
        let body = Body::ChecksDeclared(ChecksDeclared { list, by });
        let envelope = Envelope::new(None, Source::Hook, self.at_ms);
        std::iter::once(Event { envelope, body }).chain(events).collect()
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
    ) -> Result<bool> {
        let arguments = self.recorder().recorded_arguments(started)?;
        Ok(arguments.is_some_and(|it| known.grounding().is_told_otherwise(key, it)))
    }

    /// Records that it ran and does nothing else.
    pub fn note(&self, outcome: &str, known: &Known<'_>) -> Result<HookAnswer> {
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

/// What is known of the session that a hook fired in. Where the journal cannot be read nothing is, and
/// what happens is recorded all the same.
pub struct Known<'p> {
    file: Option<SessionFile<'p>>,
    nothing: Grounding,
    faults: Vec<HookError>,
    rounds: Rounds<'p>,
}

impl<'p> Known<'p> {
    pub fn of(project: &'p Project, session: SessionId) -> Self {
        let (nothing, rounds) = (Grounding::new(session), Rounds::of(project));
        let mut known = Self { file: None, nothing, faults: Vec::new(), rounds };
        known.file = match SessionFile::open(project, session) {
            Err(error @ GateError::File { .. }) => {
                known.faults.push(error.into());
                known.unless_failed(SessionFile::unkept(project, session))
            }
            opened => known.unless_failed(opened),
        };
        known
    }

    pub fn through(&self) -> Option<Sequence> {
        self.file.as_ref().map(SessionFile::through)
    }

    /// Takes what others appended that were faster.
    pub fn read_on(&mut self, last: Sequence) -> Result<()> {
        self.rounds.another()?;
        let read = self.file.as_mut().map(|file| file.read_on(last)).transpose();
        if self.unless_failed(read).is_none() {
            // What is known does not reach the journal's end, and never will.
            self.file = None;
        }
        Ok(())
    }

    pub fn grounding(&self) -> &Grounding {
        self.file.as_ref().map_or(&self.nothing, SessionFile::grounding)
    }

    pub fn call_is_closed(&self, call: &CallKey) -> bool {
        self.file.as_ref().is_some_and(|file| file.call_is_closed(call))
    }

    pub fn is_blind(&self) -> bool {
        self.file.is_none()
    }

    pub fn catch_up(&mut self) {
        let caught = self.file.as_mut().map_or(Ok(()), SessionFile::catch_up);
        self.unless_failed(caught);
    }

    pub fn save(&mut self) {
        let saved = self.file.as_mut().map_or(Ok(()), SessionFile::save);
        self.unless_failed(saved);
    }

    pub fn take_faults(&mut self) -> Vec<HookError> {
        std::mem::take(&mut self.faults)
    }

    fn unless_failed<T>(&mut self, done: Result<T, GateError>) -> Option<T> {
        // Told with the other faults of this hook.
        done.map_err(|error| self.faults.push(error.into())).ok()
    }
}
