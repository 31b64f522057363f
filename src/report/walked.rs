//! What the journal's own events tell, in one walk.

use std::collections::{BTreeMap, BTreeSet};

use super::failure::{CallRef, ChangeRef, Failures};
use super::limits::{LINE_CHARS_MAX, PROMPT_CHARS_MAX, SAID_CHARS_MAX, TURN_FILES_MAX};
use super::redaction;
use super::stand::Standing;
use super::text::line;
use super::turn::{Item, Room, Turn};
use super::{Bounded, GateFact, JournalFacts, MemoryUse, Text};
use crate::event::{
    Body, CheckpointSigned, ExecutionId, ExecutionInterrupted, Outcome, Recorded, Sequence,
    SessionId, tool,
};
use crate::execution::closed::Closed;
use crate::execution::replay::{Contents, Step, Walk, What, Window, changed_files};
use crate::execution::tally::TallyCounts;
use crate::journal::JournalError;

#[derive(Debug, Default)]
pub struct Walked {
    pub journal: JournalFacts,
    /// The first and the last event of the span.
    pub places: Option<(u64, u64)>,
    /// When its sessions began and ended; where it has none, its events.
    pub times: Option<(u64, u64)>,
    pub sessions: BTreeSet<SessionId>,
    /// Turns with the agents' words, in order of their prompts.
    pub turns: Vec<Turn>,
    /// The turns of each session.
    pub of_session: BTreeMap<Option<SessionId>, Vec<usize>>,
    pub failures: Failures,
    /// Files that calls changed, by the event that ended them.
    pub changed: BTreeMap<u64, Vec<String>>,
    pub gate: Bounded<GateFact>,
    pub memory: MemoryUse,
    pub redactions: redaction::Counting,
    pub checkpoints: Vec<(u64, u64, CheckpointSigned)>,
    pub standing: Standing,
    pub room: Room,
    open: BTreeMap<ExecutionId, Vec<String>>,
    before: TallyCounts,
    /// The turn and the item that a message of an agent stands in: one that grows is told again.
    said: BTreeMap<String, (usize, usize)>,
}

/// Calls that are open side by side.
const OPEN_MAX: usize = 4_096;

impl Walked {
    pub fn of(walk: &mut Walk, window: &Window) -> Result<Self, JournalError> {
        let contents = walk.contents().clone();
        let mut all = Self::default();
        for step in walk.by_ref() {
            all.take(step?, window, &contents);
        }
        if all.places.is_none() {
            all.standing.begin(all.before);
        }
        Ok(all)
    }

    fn take(&mut self, step: Step, window: &Window, contents: &Contents) {
        let recorded = match &step.what {
            What::Event(recorded) => recorded,
            What::Redacted { sequence, .. } if window.holds_at(*sequence) => {
                self.redactions.gone += 1;
                return;
            }
            _ => return,
        };
        let (sequence, body) = (recorded.sequence.0, &recorded.event.body);
        let at_ms = recorded.event.envelope.at_ms;
        let is_inside = window.holds(recorded);
        match body {
            Body::JournalCreated(it) => {
                self.journal.project.clone_from(&it.project);
                self.journal.root.clone_from(&it.root);
                self.journal.machine.clone_from(&it.machine);
            }
            Body::CheckpointSigned(it) => self.checkpoints.push((sequence, at_ms, it.clone())),
            Body::ExecutionStarted(it)
                if tool::is_mutation(&it.tool) && self.open.len() < OPEN_MAX =>
            {
                self.open.insert(it.execution, it.paths.clone());
            }
            _ => {}
        }
        if is_inside && self.places.is_none() {
            self.standing.begin(self.before);
        }
        self.standing.take(body, is_inside);
        self.before = step.stores;
        let closed = self.close(&step, recorded, is_inside);
        if !is_inside {
            return;
        }
        self.places = Some((self.places.map_or(sequence, |it| it.0), sequence));
        let session = recorded.event.envelope.session;
        if session.is_some() && self.sessions.is_empty() {
            self.times = None;
        }
        self.sessions.extend(session);
        if session.is_some() || self.sessions.is_empty() {
            let (from, to) = self.times.unwrap_or((at_ms, at_ms));
            self.times = Some((from.min(at_ms), to.max(at_ms)));
        }
        let told = closed.unwrap_or_else(|| told(body, contents));
        self.standing.step(sequence, at_ms, told, step.stores);
        self.redactions.note(recorded);
        self.memory.note(sequence, at_ms, body);
        if let Some(fact) = GateFact::of(sequence, at_ms, body) {
            self.gate.push(fact, super::limits::GATE_MAX);
        }
        self.speak(recorded, contents);
    }

    /// How a call ended: its files, its failure or what it mended. In a few words, where it is inside.
    fn close(&mut self, step: &Step, recorded: &Recorded, is_inside: bool) -> Option<String> {
        let closed = Closed::of(recorded)?;
        let id = closed.corrects.unwrap_or(closed.execution);
        let started = self.open.remove(&id);
        let files = closed.closing.map(|it| changed_files(started, it)).unwrap_or_default();
        if !is_inside {
            return None;
        }
        let (sequence, at_ms) = (recorded.sequence.0, recorded.event.envelope.at_ms);
        let session = recorded.event.envelope.session;
        let call = step.added.row.map_or_else(|| format!("@{sequence}"), |row| row.to_string());
        let target = step.added.target.as_deref().map(|it| line(it, LINE_CHARS_MAX));
        let by = CallRef { call, sequence, at_ms, tool: closed.tool.to_owned(), target };
        self.failures.mended(&step.added.resolved, &by);
        if step.added.pending
            && let Some(id) = step.added.execution
        {
            self.failures.failed(id, session, by.clone());
        }
        if !files.is_empty() {
            let files: Vec<_> = files.into_iter().take(TURN_FILES_MAX).collect();
            let change = ChangeRef { call: by.call.clone(), sequence, files: files.clone() };
            self.failures.changed(session, change);
            self.changed.insert(sequence, files);
        }
        let is_redacted = closed.reason.is_some_and(ExecutionInterrupted::is_redacted);
        let outcome = match closed.closing {
            None if is_redacted => "redacted",
            closing => closing.map_or(Outcome::Interrupted, |it| it.outcome).as_str(),
        };
        let what = by.target.as_deref().unwrap_or_default();
        Some(line(&format!("{outcome}: {} {what}", by.tool), TOLD_CHARS_MAX))
    }

    fn turn(&mut self, recorded: &Recorded, prompt: Option<Text>) -> &mut Turn {
        let (sequence, began_ms) = (recorded.sequence.0, recorded.event.envelope.at_ms);
        let session = recorded.event.envelope.session;
        let at = self.turns.len();
        let turn =
            Turn { session, prompt, sequence, began_ms, ended_ms: began_ms, ..Turn::default() };
        self.turns.push(turn);
        self.of_session.entry(session).or_default().push(at);
        &mut self.turns[at]
    }

    /// The turn that an event of a session stands in; made where nobody asked for anything yet.
    pub fn turn_at(&mut self, session: Option<SessionId>, sequence: u64, at_ms: u64) -> usize {
        let of = self.of_session.entry(session).or_default();
        let behind = of.partition_point(|at| self.turns[*at].sequence <= sequence);
        match behind.checked_sub(1).and_then(|before| of.get(before)) {
            Some(at) => *at,
            None => {
                let at = self.turns.len();
                of.insert(0, at);
                let (began_ms, ended_ms) = (at_ms, at_ms);
                let turn = Turn { session, sequence, began_ms, ended_ms, ..Turn::default() };
                self.turns.push(turn);
                at
            }
        }
    }

    fn speak(&mut self, recorded: &Recorded, contents: &Contents) {
        let (sequence, at_ms) = (recorded.sequence.0, recorded.event.envelope.at_ms);
        let session = recorded.event.envelope.session;
        let item = match &recorded.event.body {
            Body::PromptSubmitted(it) => {
                let most = self.room.chars(PROMPT_CHARS_MAX);
                let text = Text::of_content(&it.text, contents, most);
                self.room.take(&text);
                match it.actor.clone() {
                    None => {
                        self.turn(recorded, Some(text));
                        return;
                    }
                    Some(actor) => Item::Asked { sequence, actor, text },
                }
            }
            Body::AssistantSaid(it) if !it.text.is_empty() => {
                let most = self.room.chars(SAID_CHARS_MAX);
                let text = Text::of_content(&it.text, contents, most);
                let known = self.said.get(&it.native_id).copied();
                if let Some(Item::Said { text: known, .. }) =
                    known.and_then(|(turn, at)| self.turns[turn].items.items.get_mut(at))
                {
                    *known = text;
                    return;
                }
                self.room.take(&text);
                let (actor, model) = (it.actor.clone(), it.model.clone());
                Item::Said { sequence, actor, model, text }
            }
            Body::ContextInjected(it) => {
                Item::Given { sequence, given: it.what.clone(), chars: it.chars }
            }
            Body::ModelChanged(it) => {
                Item::Noted { sequence, text: format!("another model speaks: {}", it.to) }
            }
            Body::Compacted(_) => {
                let text = "what was said so far became a summary".to_owned();
                Item::Noted { sequence, text }
            }
            Body::SessionEnded(it) => {
                Item::Noted { sequence, text: format!("the session ended: {}", it.reason) }
            }
            Body::StepBegun(it) => {
                let Some(title) = &it.title else { return };
                Item::Noted { sequence, text: line(&format!("step: {title}"), LINE_CHARS_MAX) }
            }
            _ => return,
        };
        let at = self.turn_at(session, sequence, at_ms);
        if let Body::AssistantSaid(it) = &recorded.event.body {
            self.said.insert(it.native_id.clone(), (at, self.turns[at].items.items.len()));
        }
        let turn = &mut self.turns[at];
        turn.ended_ms = turn.ended_ms.max(at_ms);
        turn.add(item, &mut self.room.words);
    }
}

const TOLD_CHARS_MAX: usize = 90;

/// A step in a few words.
fn told(body: &Body, contents: &Contents) -> String {
    let text = match body {
        Body::PromptSubmitted(it) => {
            format!("prompt: {}", Text::of_content(&it.text, contents, TOLD_CHARS_MAX).text)
        }
        Body::AssistantSaid(it) if !it.text.is_empty() => {
            format!("said: {}", Text::of_content(&it.text, contents, TOLD_CHARS_MAX).text)
        }
        Body::AssistantSaid(_) => "said nothing, and called tools".to_owned(),
        Body::ExecutionStarted(it) => format!("called: {}", it.tool),
        Body::SessionStarted(it) => format!("session of {}", it.agent),
        Body::CoreSet(it) => format!("memory: {} = {}", it.key, it.value),
        Body::RecallAppended(it) => format!("remembered: {}", it.text),
        Body::ArchivalWritten(it) => format!("archived: {}", it.text),
        Body::GateRefused(it) => format!("gate refused: {}", it.tool),
        body => in_words(body.name()),
    };
    line(&text, TOLD_CHARS_MAX)
}

/// `SummaryAppended` as people say it.
fn in_words(name: &str) -> String {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(c.to_ascii_lowercase());
    }
    words
}

/// The last event that a walk may show.
pub fn through(window: &Window, durable: Option<Sequence>) -> Option<Sequence> {
    match (window.through, durable) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
