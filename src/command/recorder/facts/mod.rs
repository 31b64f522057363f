//! What a recorder must know of the past: calls, open executions, sessions' last times, tools.
//!
//! Folded from the journal's events, beginning where `index.db` ends; what lies before that is
//! asked of the index when it is needed.

mod execution_fact;
mod past;
mod session_fact;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

pub(super) use execution_fact::{ExecutionFact, State};
pub(super) use past::Past;
pub(super) use session_fact::SessionFact;

use super::RecordError;
use crate::command::Project;
use crate::event::{
    Body, CallKey, Event, ExecutionId, Outcome, Sequence, SessionId, Source, ToolsDeclared,
    TranscriptFlawed, tool,
};
use crate::journal::{JournalReader, ReplayItem};

/// A digest that stands for a call or a prompt: an import sees hundreds of thousands of them.
type Key = [u8; 16];

/// What a recorder knows of the past.
pub(super) struct Facts {
    past: Past,
    sessions: HashMap<SessionId, SessionFact>,
    calls: HashMap<Key, ExecutionId>,
    executions: HashMap<ExecutionId, ExecutionFact>,
    prompts: HashSet<Key>,
    flaws: HashSet<Key>,
    tools: BTreeSet<Arc<str>>,
}

impl Facts {
    /// Reads what there is to know of a project's past.
    pub(super) fn load(project: &Project) -> Result<Self, RecordError> {
        let reader = project.reader()?;
        Self::read(&reader, Past::open(project, &reader))
    }

    /// As [`Self::load`], from the journal alone.
    pub(super) fn load_without_index(project: &Project) -> Result<Self, RecordError> {
        Self::read(&project.reader()?, Past::nothing())
    }

    /// Whether any of it comes from `index.db`.
    pub(super) fn has_index(&self) -> bool {
        !self.past.is_nothing()
    }

    fn read(reader: &JournalReader, past: Past) -> Result<Self, RecordError> {
        let mut facts = Self {
            sessions: HashMap::new(),
            calls: HashMap::new(),
            executions: HashMap::new(),
            prompts: HashSet::new(),
            flaws: HashSet::new(),
            tools: tool::CONTRACT.iter().map(|name| Arc::from(*name)).collect(),
            past,
        };
        facts.tools.extend(facts.past.tools()?);
        for item in reader.replay(Sequence(facts.past.through().0 + 1), None) {
            if let ReplayItem::Event(recorded) = item? {
                facts.take(&recorded.event)?;
            }
        }
        Ok(facts)
    }

    /// The tools in force.
    pub(super) fn tools(&self) -> &BTreeSet<Arc<str>> {
        &self.tools
    }

    pub(super) fn call(&self, call: &CallKey) -> Result<Option<ExecutionId>, RecordError> {
        match self.calls.get(&call_key(call)) {
            Some(known) => Ok(Some(*known)),
            None => self.past.call(call),
        }
    }

    pub(super) fn execution(
        &self,
        execution: ExecutionId,
    ) -> Result<Option<ExecutionFact>, RecordError> {
        match self.executions.get(&execution) {
            Some(known) => Ok(Some(known.clone())),
            None => self.past.execution(execution),
        }
    }

    pub(super) fn session(&self, session: SessionId) -> Result<Option<SessionFact>, RecordError> {
        match self.sessions.get(&session) {
            Some(known) => Ok(Some(known.clone())),
            None => self.past.session(session),
        }
    }

    pub(super) fn prompt_is_known(&self, native_id: &str) -> Result<bool, RecordError> {
        Ok(self.prompts.contains(&prompt_key(native_id)) || self.past.prompt_is_known(native_id)?)
    }

    /// Whether a transcript's flaw is on record, by the words the journal holds.
    pub(super) fn flaw_is_known(&self, flaw: &TranscriptFlawed) -> Result<bool, RecordError> {
        Ok(self.flaws.contains(&flaw_key(flaw)) || self.past.flaw_is_known(flaw)?)
    }

    /// The event that the index knows to hold this content.
    pub(super) fn content(&self, hash: &[u8; 32]) -> Result<Option<Sequence>, RecordError> {
        self.past.content(hash)
    }

    /// The executions that have begun and not ended, in order of id.
    pub(super) fn open(&self) -> Result<Vec<(ExecutionId, ExecutionFact)>, RecordError> {
        let mut open: Vec<_> =
            self.executions.iter().map(|(id, fact)| (*id, fact.clone())).collect();
        let newer = |id: &ExecutionId| self.executions.contains_key(id);
        open.extend(self.past.open_executions()?.into_iter().filter(|(id, _)| !newer(id)));
        open.retain(|(_, fact)| fact.state == State::Open);
        open.sort_by_key(|(id, _)| *id);
        Ok(open)
    }

    /// Learns what an event says.
    pub(super) fn take(&mut self, event: &Event) -> Result<(), RecordError> {
        let Event { envelope, body } = event;
        if let Some(id) = envelope.session {
            let mut session = self.session(id)?.unwrap_or_default();
            session.last_ms = session.last_ms.max(envelope.at_ms);
            session.take(body);
            self.sessions.insert(id, session);
        }
        match body {
            Body::ToolsDeclared(ToolsDeclared { tools, .. }) => {
                self.tools.extend(tools.iter().map(|name| Arc::from(name.as_str())));
            }
            Body::PromptSubmitted(prompt) => {
                self.prompts.extend(prompt.native_id.as_deref().map(prompt_key));
            }
            Body::TranscriptFlawed(flaw) => {
                self.flaws.insert(flaw_key(flaw));
            }
            Body::ExecutionStarted(started) => {
                if let Some(call) = &started.call {
                    self.calls.entry(call_key(call)).or_insert(started.execution);
                }
                let (session, source) = (envelope.session, envelope.source);
                let fact = self.fact(&started.tool, session, source, State::Open);
                self.executions.entry(started.execution).or_insert(fact);
            }
            Body::ExecutionFinished(b) => {
                // What was told of a call that was given up: its result may still turn up.
                let state = match b.closing.outcome {
                    Outcome::Interrupted => State::Interrupted,
                    _ => State::Closed,
                };
                self.end(event, b.execution, &b.tool, state)?;
            }
            Body::ExecutionInterrupted(b) => {
                self.end(event, b.execution, &b.tool, State::Interrupted)?;
            }
            Body::ExecutionCorrected(b) => {
                self.end(event, b.execution, &b.tool, State::Closed)?;
                self.end(event, b.corrects, &b.tool, State::Closed)?;
            }
            _ => (),
        }
        Ok(())
    }

    fn end(
        &mut self,
        event: &Event,
        execution: ExecutionId,
        tool: &str,
        state: State,
    ) -> Result<(), RecordError> {
        let mut fact = match self.execution(execution)? {
            Some(fact) => fact,
            // A result without its call: known from here on, so that it is not taken twice.
            None => self.fact(tool, event.envelope.session, event.envelope.source, state),
        };
        fact.state = state;
        self.executions.insert(execution, fact);
        Ok(())
    }

    /// A name is kept once, however many executions bear it.
    fn fact(
        &self,
        tool: &str,
        session: Option<SessionId>,
        source: Source,
        state: State,
    ) -> ExecutionFact {
        let tool = self.tools.get(tool).cloned().unwrap_or_else(|| Arc::from(tool));
        ExecutionFact { session, tool, state, source }
    }
}

fn call_key(call: &CallKey) -> Key {
    let scope = call.scope.as_deref().unwrap_or_default();
    key(&["call", &call.agent, scope, &call.call])
}

fn prompt_key(native_id: &str) -> Key {
    key(&["prompt", native_id])
}

fn flaw_key(flaw: &TranscriptFlawed) -> Key {
    let TranscriptFlawed { agent, file, line, flaw, detail } = flaw;
    key(&["flaw", agent, file, &line.to_string(), flaw.as_str(), detail])
}

fn key(parts: &[&str]) -> Key {
    let mut key = [0; 16];
    key.copy_from_slice(&blake3::hash(parts.join("\0").as_bytes()).as_bytes()[..16]);
    key
}
