//! What exports of whole sessions must know before they begin: how each call ended in the end, which telling of a
//! message is its last, and what is known of each session.

use std::collections::{HashMap, HashSet};

use crate::event::{
    Body, Content, ExecutionId, ExecutionStarted, Recorded, Sequence, SessionId, SessionStarted,
};
use crate::execution::replay::{Contents, Walk, What, Window};
use crate::journal::JournalError;

/// Of a longer text the two ends are told.
const TEXT_BYTES_MAX: usize = 4 << 20;

/// Holds some fifty bytes for each call and each message, and what is known of each session.
#[derive(Debug, Default)]
pub struct Plan {
    pub machine: String,
    /// In the order in which they began.
    pub sessions: Vec<Known>,
    numbers: HashMap<SessionId, usize>,
    calls: HashMap<ExecutionId, Call>,
    /// The call that a correction is told of, however many there were in between.
    corrected: HashMap<ExecutionId, ExecutionId>,
    /// Messages of which more was told later.
    superseded: HashSet<Sequence>,
    turns: HashMap<Sequence, u64>,
}

/// What is known of a session.
#[derive(Clone, Debug)]
pub struct Known {
    pub id: SessionId,
    pub facts: SessionStarted,
    pub first: Sequence,
    pub last: Sequence,
    pub first_ms: u64,
    pub last_ms: u64,
    pub end_reason: Option<String>,
    /// The prompt whose turn it is, while the plan is made.
    turn: Option<Sequence>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Call {
    is_begun: bool,
    end: Option<Sequence>,
}

/// A call, as it is told: `None` of its beginning where that is gone.
#[derive(Debug)]
pub struct Told {
    pub execution: ExecutionId,
    pub started: Option<(ExecutionStarted, u64)>,
    pub ended: Option<Recorded>,
}

impl Told {
    /// The contract's name of its tool, as it turned out.
    pub fn tool(&self) -> &str {
        let ended = self.ended.as_ref().and_then(|it| match &it.event.body {
            Body::ExecutionFinished(b) => Some(b.tool.as_str()),
            Body::ExecutionCorrected(b) => Some(b.tool.as_str()),
            Body::ExecutionInterrupted(b) => Some(b.tool.as_str()),
            _ => None,
        });
        ended.or(self.started.as_ref().map(|(it, _)| it.tool.as_str())).unwrap_or_default()
    }

    /// The agent's own name of its tool.
    pub fn native_tool(&self) -> &str {
        let native = self.started.as_ref().and_then(|(it, _)| it.native_tool.as_deref());
        native.unwrap_or(self.tool())
    }

    /// The agent's id of it, or ours.
    pub fn call_id(&self) -> String {
        let key = self.started.as_ref().and_then(|(it, _)| it.call.as_ref());
        key.map_or_else(|| self.execution.to_string(), |key| key.call.clone())
    }
}

impl Plan {
    /// Reads a journal through, up to there.
    pub fn of(walk: &mut Walk) -> Result<Self, JournalError> {
        let mut plan = Self::default();
        let mut said: HashMap<u128, Sequence> = HashMap::new();
        for step in walk {
            if let What::Event(recorded) = step?.what {
                plan.note(&recorded, &mut said);
            }
        }
        Ok(plan)
    }

    /// The window that a plan is made of and its events are read by: what ends in a part may have begun before it.
    pub fn window(part: &Window) -> Window {
        Window { through: part.through, ..Window::default() }
    }

    fn note(&mut self, recorded: &Recorded, said: &mut HashMap<u128, Sequence>) {
        let at = recorded.sequence;
        let ended = |end| Call { is_begun: false, end: Some(end) };
        match &recorded.event.body {
            Body::JournalCreated(b) if self.machine.is_empty() => {
                self.machine.clone_from(&b.machine);
            }
            Body::ExecutionStarted(b) => {
                self.calls.entry(b.execution).or_default().is_begun = true;
            }
            Body::ExecutionFinished(b) => {
                self.calls.entry(b.execution).or_insert(ended(at)).end.get_or_insert(at);
            }
            Body::ExecutionInterrupted(b) => {
                self.calls.entry(b.execution).or_insert(ended(at)).end.get_or_insert(at);
            }
            Body::ExecutionCorrected(b) => {
                let first = self.corrected.get(&b.corrects).copied().unwrap_or(b.corrects);
                self.corrected.insert(b.execution, first);
                self.calls.entry(first).or_default().end = Some(at);
            }
            Body::AssistantSaid(b) => {
                let session = recorded.event.envelope.session.map(|it| it.0).unwrap_or_default();
                let key = super::import::hash(&[&session, b.native_id.as_bytes()]);
                self.superseded.extend(said.insert(key, at));
            }
            _ => {}
        }
        self.note_session(recorded);
    }

    fn note_session(&mut self, recorded: &Recorded) {
        let (at, at_ms) = (recorded.sequence, recorded.event.envelope.at_ms);
        let Some(id) = recorded.event.envelope.session else { return };
        let number = *self.numbers.entry(id).or_insert(self.sessions.len());
        if number == self.sessions.len() {
            self.sessions.push(Known {
                id,
                facts: SessionStarted::default(),
                first: at,
                last: at,
                first_ms: at_ms,
                last_ms: at_ms,
                end_reason: None,
                turn: None,
            });
        }
        let Some(known) = self.sessions.get_mut(number) else { return };
        known.last = at;
        known.last_ms = known.last_ms.max(at_ms);
        match &recorded.event.body {
            Body::SessionStarted(more) => learn(&mut known.facts, more),
            Body::SessionEnded(b) => known.end_reason = Some(b.reason.clone()),
            Body::PromptSubmitted(b) if b.actor.is_none() => known.turn = Some(at),
            _ => {}
        }
        if let Some(turn) = known.turn {
            self.turns.insert(turn, known.last_ms);
        }
    }

    pub fn session(&self, id: SessionId) -> Option<&Known> {
        self.sessions.get(*self.numbers.get(&id)?)
    }

    /// When the turn of a prompt ended.
    pub fn turn_ended_ms(&self, prompt: Sequence) -> Option<u64> {
        self.turns.get(&prompt).copied()
    }

    /// Whether nothing more is told of a message.
    pub fn is_last(&self, message: Sequence) -> bool {
        !self.superseded.contains(&message)
    }

    /// The call that an event is the place of: its start, or its end where that is gone.
    pub fn call(&self, recorded: &Recorded, walk: &Walk) -> Result<Option<Told>, JournalError> {
        let at_ms = recorded.event.envelope.at_ms;
        let body = &recorded.event.body;
        let execution = match body {
            Body::ExecutionStarted(b) => b.execution,
            Body::ExecutionFinished(b) => b.execution,
            Body::ExecutionInterrupted(b) => b.execution,
            Body::ExecutionCorrected(b) => *self.corrected.get(&b.execution).unwrap_or(&b.corrects),
            _ => return Ok(None),
        };
        let Some(call) = self.calls.get(&execution) else { return Ok(None) };
        let started = match body {
            Body::ExecutionStarted(b) => Some((b.clone(), at_ms)),
            _ if call.is_begun || call.end != Some(recorded.sequence) => return Ok(None),
            _ => None,
        };
        let ended = match (call.end, &started) {
            (Some(_), None) => Some(recorded.clone()),
            (Some(end), Some(_)) => walk.get(end)?,
            (None, _) => None,
        };
        Ok(Some(Told { execution, started, ended }))
    }
}

/// Takes what is told later of a session, as [`SessionStarted`] says.
fn learn(known: &mut SessionStarted, more: &SessionStarted) {
    let SessionStarted { agent, native_id, agent_version, model, parent, cwd, branch, title } =
        more;
    if known.native_id.is_empty() {
        (known.agent, known.native_id) = (agent.clone(), native_id.clone());
    }
    let fill = |known: &mut Option<String>, more: &Option<String>| {
        if known.is_none() {
            known.clone_from(more);
        }
    };
    fill(&mut known.agent_version, agent_version);
    fill(&mut known.model, model);
    fill(&mut known.cwd, cwd);
    fill(&mut known.branch, branch);
    known.parent = known.parent.or(*parent);
    known.title = title.clone().or(known.title.take());
}

/// A content as text; of a long one both ends.
pub fn text(contents: &Contents, content: &Content) -> String {
    let brought = contents.bring(content);
    let parts = [brought.bytes.as_deref(), brought.tail];
    let parts = parts.into_iter().flatten().map(String::from_utf8_lossy);
    let text = parts.collect::<Vec<_>>().join("\n[…]\n");
    if text.len() <= TEXT_BYTES_MAX {
        return text;
    }
    let head = text.floor_char_boundary(TEXT_BYTES_MAX / 2);
    let tail = text.ceil_char_boundary(text.len() - TEXT_BYTES_MAX / 2);
    format!("{}\n[…]\n{}", &text[..head], &text[tail..])
}
