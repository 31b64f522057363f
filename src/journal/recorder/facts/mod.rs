//! What a recorder must know of the past: calls, open executions, sessions' last times, tools.
//!
//! Folded from the journal's events, beginning where an account of them ends ([`Past`]); what lies before
//! that is asked of it when it is needed.

mod ends;
mod executions;
pub(crate) mod fact;
mod key;
mod past;
mod read;
mod turn;

use std::sync::Arc;

use super::repeats::Repeats;
use super::{RecordError, RecordMode};
use crate::event::{
    Body, CallKey, Event, ExecutionId, Ordered, Outcome, Sequence, SessionId, ToolsDeclared,
    TranscriptFlawed, tool,
};
use crate::journal::{Bookmark, JournalReader, Project, Replay, ReplayItem, since};
use fact::Layer;
pub(super) use fact::Told;
pub use fact::{Called, Compared, Ended, ExecutionFact, MessageFact, SessionFact, State, TurnFact};
use key::{call_key, flaw_key, prompt_key};
pub use past::{OpenPast, Past, PastFault};
use read::Read;

pub(super) struct Facts {
    open_past: OpenPast,
    past: Option<Box<dyn Past>>,
    /// Who records what was told of the past argues with nothing that is on record.
    mode: RecordMode,
    held: Layer,
    /// What is about to be appended says: it may come to nothing.
    new: Layer,
    /// Where reading stopped, to read on from; `None` before the first commit behind the index.
    bookmark: Option<Bookmark>,
    /// The journal's last event that is known of.
    through: Sequence,
    /// Where the last append that was overtaken found the journal's end.
    met: Option<Sequence>,
    pub(super) repeats: Repeats,
    /// What had to be read of the journal, behind what the index knows.
    read: Read,
}

impl Facts {
    pub(super) fn load(
        project: &Project,
        open_past: OpenPast,
        mode: RecordMode,
    ) -> Result<Self, RecordError> {
        let reader = project.reader()?;
        let past = open_past(project, &reader);
        match Self::read(&reader, past, (open_past, mode)) {
            Err(RecordError::Past(_)) => Self::read(&reader, None, (open_past, mode)),
            facts => facts,
        }
    }

    /// From the journal alone.
    pub(super) fn load_alone(
        project: &Project,
        open_past: OpenPast,
        mode: RecordMode,
    ) -> Result<Self, RecordError> {
        Self::read(&project.reader()?, None, (open_past, mode))
    }

    pub(super) fn has_past(&self) -> bool {
        self.past.is_some()
    }

    /// Whether the index is so far behind that every recording reads much of the journal.
    pub(super) fn is_far_ahead(&self) -> bool {
        self.read.is_much()
    }

    fn read(
        reader: &JournalReader,
        past: Option<Box<dyn Past>>,
        (open_past, mode): (OpenPast, RecordMode),
    ) -> Result<Self, RecordError> {
        let through = past.as_ref().map_or(Sequence(0), |past| past.through());
        let (held, new, read) = (Layer::default(), Layer::default(), Read::default());
        let (bookmark, met, repeats) = (None, None, Repeats::default());
        let mut facts =
            Self { open_past, past, mode, held, new, bookmark, through, met, repeats, read };
        facts.new.tools.extend(tool::CONTRACT.iter().map(|name| Arc::from(*name)));
        let declared = facts.ask(|past| past.tools())?;
        facts.new.tools.extend(declared.into_iter().map(Arc::from));
        facts.new.checks = Some(facts.ask(|past| past.checks())?);
        facts.take_all(reader.replay(Sequence(through.0 + 1), None))?;
        facts.ask(|past| past.let_go())?;
        Ok(facts)
    }

    /// Reads what others appended, up to `last` at least.
    pub(super) fn read_on(&mut self, project: &Project, last: Sequence) -> Result<(), RecordError> {
        self.discard();
        let is_met_again = self.met == Some(last);
        let replay = match &self.bookmark {
            Some(bookmark) if !is_met_again => since(&project.journal_dir(), bookmark)?,
            _ => None,
        };
        match replay {
            Some(replay) => self.take_all(replay)?,
            None => *self = Self::load(project, self.open_past, self.mode)?,
        }
        // What lies there and was not told cannot be read. And an end that is met twice is the end,
        // whatever was read behind it before it was cut.
        self.through = if is_met_again { last } else { self.through.max(last) };
        self.met = Some(last);
        Ok(())
    }

    fn take_all(&mut self, mut replay: Replay) -> Result<(), RecordError> {
        while let Some(item) = replay.next() {
            match item? {
                ReplayItem::Event(recorded) => {
                    self.read.events += 1;
                    self.repeats.meet(&recorded);
                    if !self.is_told_again(&recorded.event)? {
                        self.take(&recorded.event)?;
                    }
                }
                ReplayItem::CommitEnd(mark) => {
                    self.through = self.through.max(mark.sequence);
                    if let Some(end) = replay.bookmark() {
                        self.read.add(self.bookmark.as_ref(), &end);
                        self.bookmark = Some(end);
                    }
                }
                _ => {}
            }
        }
        self.settle(self.through);
        Ok(())
    }

    /// Whether it begins a call that had begun before, maybe where the index ends: then the call is
    /// known by the first, and may have ended since.
    fn is_told_again(&self, event: &Event) -> Result<bool, RecordError> {
        let Body::ExecutionStarted(started) = &event.body else { return Ok(false) };
        let by_call = started.call.as_ref().map(|call| self.call(call)).transpose()?.flatten();
        Ok(by_call.is_some() || self.execution(started.execution)?.is_some())
    }

    fn ask<T: Default>(
        &self,
        question: impl FnOnce(&dyn Past) -> Result<T, PastFault>,
    ) -> Result<T, RecordError> {
        let answer = self.past.as_deref().map(question).transpose();
        answer.map(Option::unwrap_or_default).map_err(RecordError::Past)
    }

    pub(super) fn through(&self) -> Sequence {
        self.through
    }

    pub(super) fn settle(&mut self, through: Sequence) {
        self.held.add(std::mem::take(&mut self.new));
        self.through = self.through.max(through);
    }

    pub(super) fn discard(&mut self) {
        self.new = Layer::default();
        self.repeats.discard();
    }

    pub(super) fn tools(&self) -> Vec<&str> {
        self.held.tools.union(&self.new.tools).map(|name| &**name).collect()
    }

    pub(super) fn call(&self, call: &CallKey) -> Result<Option<ExecutionId>, RecordError> {
        let key = call_key(call);
        match self.held.calls.get(&key).or_else(|| self.new.calls.get(&key)) {
            Some(known) => Ok(Some(*known)),
            None => self.ask(|past| past.call(call)),
        }
    }

    pub(super) fn execution(
        &self,
        execution: ExecutionId,
    ) -> Result<Option<ExecutionFact>, RecordError> {
        let known = self.new.executions.get(execution);
        match known.or_else(|| self.held.executions.get(execution)) {
            Some(known) => Ok(Some(known)),
            None => self.ask(|past| past.execution(execution)),
        }
    }

    pub(super) fn session(&self, session: SessionId) -> Result<Option<SessionFact>, RecordError> {
        match self.new.sessions.get(&session).or_else(|| self.held.sessions.get(&session)) {
            Some(known) => Ok(Some(known.clone())),
            None => self.ask(|past| past.session(session)),
        }
    }

    pub(super) fn prompt_is_known(&self, native_id: &str) -> Result<bool, RecordError> {
        let key = prompt_key(native_id);
        let known = self.new.prompts.contains(&key) || self.held.prompts.contains(&key);
        Ok(known || self.ask(|past| past.has_prompt(native_id))?)
    }

    /// Whether a transcript's flaw is on record, by the words the journal holds.
    pub(super) fn flaw_is_known(&self, flaw: &TranscriptFlawed) -> Result<bool, RecordError> {
        let key = flaw_key(flaw);
        let known = self.new.flaws.contains(&key) || self.held.flaws.contains(&key);
        Ok(known || self.ask(|past| past.has_flaw(flaw))?)
    }

    /// The event that is known to hold this content.
    pub(super) fn content(&self, hash: &[u8; 32]) -> Result<Option<Sequence>, RecordError> {
        self.ask(|past| past.content(hash))
    }

    /// The executions that have begun and not ended, in order of id.
    pub(super) fn open(&self) -> Result<Vec<(ExecutionId, ExecutionFact)>, RecordError> {
        let (held, new) = (&self.held.executions, &self.new.executions);
        let newer = |id: &ExecutionId| held.has(*id) || new.has(*id);
        let mut open = self.ask(|past| past.open_executions())?;
        open.retain(|(id, _)| !newer(id));
        open.extend(held.iter().filter(|(id, _)| !new.has(*id)).chain(new.iter()));
        open.retain(|(_, fact)| fact.state == State::Open);
        open.order_by_key(|(id, _)| *id);
        Ok(open)
    }

    pub(super) fn take(&mut self, event: &Event) -> Result<(), RecordError> {
        let Event { envelope, body } = event;
        if let Some(id) = envelope.session {
            let mut session = self.session(id)?.unwrap_or_default();
            session.last_ms = session.last_ms.max(envelope.at_ms);
            session.take(body, envelope.source);
            self.new.sessions.insert(id, session);
        }
        match body {
            Body::ToolsDeclared(ToolsDeclared { tools, .. }) => {
                self.new.tools.extend(tools.iter().map(|name| Arc::from(name.as_str())));
            }
            Body::ChecksDeclared(declared) => self.new.checks = Some(declared.list.clone()),
            Body::PromptSubmitted(prompt) => {
                self.new.prompts.extend(prompt.native_id.as_deref().map(prompt_key));
            }
            Body::AssistantSaid(_) | Body::ModelChanged(_) | Body::Compacted(_) => {
                self.new.take_said(body);
            }
            Body::TranscriptFlawed(flaw) => drop(self.new.flaws.insert(flaw_key(flaw))),
            Body::PayloadRedacted(_) => self.repeats.forget(),
            Body::ExecutionStarted(started) => {
                if let Some(call) = &started.call {
                    self.new.calls.entry(call_key(call)).or_insert(started.execution);
                }
                let (session, source) = (envelope.session, envelope.source);
                let mut fact = self.fact(&started.tool, session, source, State::Open);
                if self.mode == RecordMode::Live {
                    let (called, ended) = (Called::of(started), Ended::Unknown);
                    fact.compared = Some(Box::new(Compared { called, ended }));
                }
                self.new.executions.insert(started.execution, fact);
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
}
