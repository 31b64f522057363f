//! What a recorder knows of one execution.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::RecordError;
use super::executions::{Executions, room};
use super::key::{Key, key};
pub use super::turn::TurnFact;
use crate::event::{
    AssistantSaid, Body, CheckList, Closing, Compacted, Content, ExecutionId, ExecutionStarted,
    ModelChanged, Outcome, SessionId, SessionStarted, Source, Usage,
};

#[derive(Clone, Debug)]
pub struct ExecutionFact {
    pub session: Option<SessionId>,
    pub tool: Arc<str>,
    pub state: State,
    /// The door that its beginning came by.
    pub source: Source,
    /// What a second telling is held against; `None` where nothing is, or nothing is known.
    pub compared: Option<Box<Compared>>,
}

/// How an execution was told: of a call as it happens. An import knows a hundred thousand and compares none.
#[derive(Clone, Copy, Debug)]
pub struct Compared {
    pub called: Called,
    pub ended: Ended,
}

impl ExecutionFact {
    /// Of which nothing more is known.
    pub fn new(session: Option<SessionId>, tool: Arc<str>, source: Source, state: State) -> Self {
        Self { session, tool, state, source, compared: None }
    }

    pub fn called(&self) -> Called {
        self.compared.as_ref().map_or(Called::Unknown, |it| it.called)
    }

    pub fn ended(&self) -> Ended {
        self.compared.as_ref().map_or(Ended::Unknown, |it| it.ended)
    }
}

/// How much is on record of an agent's message: it may be told of while it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MessageFact {
    pub text_bytes: u64,
    pub thinking_bytes: u64,
    pub usage: Usage,
}

impl MessageFact {
    pub fn of(said: &AssistantSaid) -> Self {
        let thinking_bytes = said.thinking.as_ref().map_or(0, Content::len);
        Self { text_bytes: said.text.len(), thinking_bytes, usage: said.usage }
    }

    /// Whether it has all that another has, and more.
    pub fn exceeds(&self, other: &Self) -> bool {
        let mut both = self.usage;
        both.grow(&other.usage);
        *self != *other
            && both == self.usage
            && self.text_bytes >= other.text_bytes
            && self.thinking_bytes >= other.thinking_bytes
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Called {
    /// A digest of tool and arguments.
    Digest(Key),
    At(u64),
    Unknown,
}

impl Called {
    /// Of a start with its arguments in canonical form, without secrets.
    pub fn of(started: &ExecutionStarted) -> Self {
        Self::Digest(key(&["called", &started.tool, &started.arguments.0]))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Open,
    /// A result is known: nothing more can be said of it.
    Closed,
    /// No result is known; one that turns up later corrects it (ruling 2).
    Interrupted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Told(Told),
    At(u64),
    /// It did not end, or how is lost.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    outcome: Outcome,
    exit_code: Option<i32>,
    output: Key,
}

impl Told {
    pub fn of(closing: &Closing) -> Self {
        let printed = [&closing.stdout, &closing.stderr].map(|it| it.as_ref().map(digest));
        let [stdout, stderr] = printed.map(Option::unwrap_or_default);
        let output =
            key(&["output", closing.error.as_deref().unwrap_or_default(), &stdout, &stderr]);
        Self { outcome: closing.outcome, exit_code: closing.exit_code, output }
    }

    /// Of the event that ended an execution; `None` where it tells no result.
    pub fn of_body(body: &Body) -> Option<Self> {
        match body {
            Body::ExecutionFinished(finished) => Some(Self::of(&finished.closing)),
            Body::ExecutionCorrected(corrected) => Some(Self::of(&corrected.closing)),
            _ => None,
        }
    }

    /// In what this is another result than the one on record.
    pub fn differs_from(&self, recorded: &Self) -> Option<&'static str> {
        match recorded {
            it if it.outcome != self.outcome => Some("another outcome"),
            it if it.exit_code != self.exit_code => Some("another exit code"),
            it if it.output != self.output => Some("another output"),
            _ => None,
        }
    }
}

/// The same for the same bytes, wherever they lie.
fn digest(content: &Content) -> String {
    let hash = match content {
        Content::Inline(bytes) => *blake3::hash(bytes).as_bytes(),
        Content::Blob { hash, .. } | Content::Repeated { hash, .. } => *hash,
        Content::Truncated { head, tail, len } => {
            let mut hash = blake3::Hasher::new();
            hash.update(head).update(tail).update(&len.to_le_bytes());
            *hash.finalize().as_bytes()
        }
    };
    blake3::Hash::from_bytes(hash).to_hex().to_string()
}

#[derive(Clone, Debug, Default)]
pub struct SessionFact {
    pub last_ms: u64,
    /// All that its `SessionStarted` events have told so far.
    pub started: Option<SessionStarted>,
    pub ended: bool,
    /// As far as that was read of the journal.
    pub turn: TurnFact,
}

impl SessionFact {
    pub(super) fn take(&mut self, body: &Body, source: Source) {
        self.turn.take(body, source);
        match body {
            Body::SessionEnded(_) => self.ended = true,
            Body::SessionStarted(started) => match &mut self.started {
                Some(known) => fill(known, started),
                None => self.started = Some(started.clone()),
            },
            _ => (),
        }
    }

    pub fn learns_from(&self, started: &SessionStarted) -> bool {
        let Some(known) = &self.started else {
            return true;
        };
        let mut filled = known.clone();
        fill(&mut filled, started);
        filled != *known
    }
}

/// A later event fills what earlier ones left empty, and changes nothing else.
fn fill(known: &mut SessionStarted, later: &SessionStarted) {
    let fill = |known: &mut Option<String>, later: &Option<String>| {
        if known.is_none() {
            known.clone_from(later);
        }
    };
    fill(&mut known.agent_version, &later.agent_version);
    fill(&mut known.model, &later.model);
    fill(&mut known.cwd, &later.cwd);
    fill(&mut known.branch, &later.branch);
    fill(&mut known.title, &later.title);
    known.parent = known.parent.or(later.parent);
}

#[derive(Default)]
pub(super) struct Layer {
    pub sessions: HashMap<SessionId, SessionFact>,
    pub calls: HashMap<Key, ExecutionId>,
    pub executions: Executions,
    pub prompts: HashSet<Key>,
    pub messages: HashMap<Key, MessageFact>,
    pub marks: HashSet<Key>,
    pub flaws: HashSet<Key>,
    pub tools: BTreeSet<Arc<str>>,
    /// The project's own checks, where any were declared.
    pub checks: Option<CheckList>,
}

impl Layer {
    /// Takes what an agent said, or where its conversation took a turn.
    pub fn take_said(&mut self, body: &Body) {
        match body {
            Body::AssistantSaid(said) => {
                self.messages.insert(key(&["message", &said.native_id]), MessageFact::of(said));
            }
            Body::ModelChanged(ModelChanged { native_id, .. })
            | Body::Compacted(Compacted { native_id, .. }) => {
                self.marks.insert(key(&[body.name(), native_id]));
            }
            _ => {}
        }
    }

    pub fn add(&mut self, later: Self) {
        let Self { sessions, calls, executions, prompts, messages, marks, flaws, tools, checks } =
            later;
        self.sessions.extend(sessions);
        calls.into_iter().for_each(|(call, first)| {
            self.calls.reserve(room(self.calls.len(), self.calls.capacity()));
            self.calls.entry(call).or_insert(first);
        });
        self.executions.extend(&executions);
        self.prompts.extend(prompts);
        self.messages.extend(messages);
        self.marks.extend(marks);
        self.flaws.extend(flaws);
        self.tools.extend(tools);
        self.checks = checks.or(self.checks.take());
    }
}

impl super::Facts {
    pub(in crate::journal::recorder) fn message(
        &self,
        native_id: &str,
    ) -> Result<Option<MessageFact>, RecordError> {
        let key = key(&["message", native_id]);
        match self.new.messages.get(&key).or_else(|| self.held.messages.get(&key)) {
            Some(known) => Ok(Some(*known)),
            None => self.ask(|past| past.message(native_id)),
        }
    }

    pub(in crate::journal::recorder) fn mark_is_known(
        &self,
        kind: &str,
        native_id: &str,
    ) -> Result<bool, RecordError> {
        let key = key(&[kind, native_id]);
        let known = self.new.marks.contains(&key) || self.held.marks.contains(&key);
        Ok(known || self.ask(|past| past.has_mark(kind, native_id))?)
    }

    pub(in crate::journal::recorder) fn has_tool(&self, name: &str) -> bool {
        self.new.tools.contains(name) || self.held.tools.contains(name)
    }

    /// The project's own checks in force.
    pub(in crate::journal::recorder) fn checks(&self) -> &CheckList {
        static NONE: CheckList = CheckList { checks: Vec::new(), matchers: Vec::new() };
        self.new.checks.as_ref().or(self.held.checks.as_ref()).unwrap_or(&NONE)
    }
}
