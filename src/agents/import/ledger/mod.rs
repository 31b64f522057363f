//! From items to events: calls meet their results, whatever file either stands in.
//!
//! Pure: no journal, no clock, no file. The same files in the same order give the same events, so
//! that importing twice can add nothing.

mod calls;
mod carried;
mod messages;
mod session_state;
mod when;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::item::{Head, Item, Part, Prompt, Title, TranscriptRecord};
use super::limits::{PROMPTS_MAX, SEEN_CALLS_MAX, SESSIONS_MAX};
use super::report::ImportReport;
use super::{Seen, hash};
use crate::config::RecordConfig;
use crate::event::{
    Body, CallKey, Change, Content, Event, ExecutionId, PromptSubmitted, SessionId, TranscriptFlaw,
    TranscriptFlawed,
};
use crate::journal::id;
use calls::Flaws;
use session_state::Titles;
use when::{When, event};

pub use calls::{closing, named, turned_out};
pub use carried::Carried;
pub use session_state::{LooseResult, SessionState};

#[derive(Debug, Default)]
pub struct Ledger {
    agent: Arc<str>,
    file: Arc<str>,
    file_ms: u64,
    line: u64,
    /// In order of appearance, so that closing is the same every time.
    sessions: Vec<SessionState>,
    session_numbers: HashMap<String, usize>,
    /// The session that the file's records have named last, by number.
    current: Option<usize>,
    open: HashMap<String, OpenCall>,
    /// The open calls that started a subagent, by session and order.
    open_tasks: BTreeMap<(usize, u64), ExecutionId>,
    calls_opened: u64,
    /// Commands that were left to go on in the background, by session and the agent's id, the newest last.
    left: VecDeque<(SessionId, String, LeftCommand)>,
    loose: Vec<LooseResult>,
    loose_bytes: usize,
    seen_calls: Seen<SEEN_CALLS_MAX>,
    seen_prompts: Seen<PROMPTS_MAX>,
    seen_messages: Seen<SEEN_CALLS_MAX>,
    titles: Titles,
    /// What is wrong in the files that are read now, by name and kind.
    flaws: BTreeMap<(String, TranscriptFlaw), Flaws>,
    /// The execution that a subagent works for, and the one that asked a subagent for this.
    tasks: HashMap<String, ExecutionId>,
    asked: HashMap<u128, ExecutionId>,
    /// Of the files that are read together, what who reads on in them must know.
    carried: Carried,
    /// What of a conversation is recorded.
    record: RecordConfig,
    pub report: ImportReport,
}

impl Ledger {
    pub fn new(agent: &str) -> Self {
        Self { agent: Arc::from(agent), ..Self::default() }
    }

    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// With what the settings say is recorded of a conversation.
    pub fn recording(self, record: &RecordConfig) -> Self {
        Self { record: record.clone(), ..self }
    }

    /// The items that follow are this file's, last written at `file_ms`. Of the files that are
    /// read together, the `first` leaves the session before it behind.
    pub fn read_on(&mut self, file: &str, file_ms: u64, first: bool) {
        self.file = Arc::from(file);
        self.file_ms = file_ms;
        if first {
            self.current = None;
            self.carried = Carried::default();
        }
    }

    pub fn place(&self) -> (String, u64) {
        (self.file.to_string(), self.line)
    }

    pub fn take(&mut self, item: Item, out: &mut Vec<Event>) {
        match item {
            Item::Record(record) => self.take_record(*record, out),
            Item::Glued { .. } => self.report.glued_lines += 1,
            Item::Unreadable { line, flaw } => {
                self.line = line;
                out.extend(self.flaw(TranscriptFlaw::Unreadable, flaw.to_string()));
            }
        }
    }

    fn take_record(&mut self, record: TranscriptRecord, out: &mut Vec<Event>) {
        let TranscriptRecord { line, head, parts } = record;
        // What only the end of a file tells stands in no line of it.
        if line > 0 {
            self.report.records += 1;
            self.line = line;
        }
        if let Some(native) = &head.session {
            self.enter(native);
        }
        if let Some(number) = self.current
            && let Some(session) = self.sessions.get_mut(number)
        {
            session.learn(&head, &self.agent);
            let waited = head.uuid.as_deref().and_then(|uuid| self.titles.record(uuid, number));
            waited.into_iter().for_each(|title| session.name(title));
        }
        if let Some(words) = &head.odd_time {
            let detail = format!("{words:?} cannot be: it stands beside its neighbour");
            out.extend(self.flaw(TranscriptFlaw::OddTime, detail));
        }
        for part in parts {
            match part {
                Part::Call(call) => self.take_call(&head, call, out),
                Part::Result(result) => self.take_result(&head, line, result, out),
                Part::Prompt(prompt) => self.take_prompt(&head, prompt, out),
                Part::Title(title) => self.take_title(title),
                Part::Said(message) => self.take_said(&head, *message, out),
                Part::Compacted(compaction) => self.take_compaction(&head, compaction, out),
                Part::Unread(what) => out.extend(self.flaw(TranscriptFlaw::PartUnread, what)),
            }
        }
    }

    /// Makes a session the current one. Above the limit of sessions a further one is `None`.
    fn enter(&mut self, native: &str) {
        if self.session().is_some_and(|session| session.native_id() == native) {
            return;
        }
        self.current = self.session_numbers.get(native).copied();
        if self.current.is_none() && self.sessions.len() < SESSIONS_MAX {
            let (id, number) = (id::session(&self.agent, native), self.sessions.len());
            self.sessions.push(SessionState::new(id, &self.agent, native));
            self.session_numbers.insert(native.to_owned(), number);
            self.report.sessions += 1;
            self.current = Some(number);
        }
    }

    /// Where the session of a record began.
    pub fn home<'a>(&'a self, head: &'a Head) -> Option<&'a str> {
        self.session_of(head).and_then(SessionState::cwd).or(head.cwd.as_deref())
    }

    /// The session of a record, where one before told of it.
    pub fn session_of(&self, head: &Head) -> Option<&SessionState> {
        let named = head.session.as_ref().map(|native| self.session_numbers.get(native).copied());
        named.unwrap_or(self.current).and_then(|number| self.sessions.get(number))
    }

    /// The session of the record before.
    pub fn session(&self) -> Option<&SessionState> {
        self.sessions.get(self.current?)
    }

    fn take_prompt(&mut self, head: &Head, prompt: Prompt, out: &mut Vec<Event>) {
        let at_ms = self.at_ms(head);
        let time = head.odd_time.as_ref().map(|it| it.clone().into_bytes());
        let time = time.unwrap_or_else(|| at_ms.to_le_bytes().into());
        let own = match (&prompt.known_by, &prompt.place) {
            (Some(id), _) => hash(&[id.as_bytes()]),
            (None, Some(place)) => hash(&[place.as_bytes(), prompt.text.as_bytes()]),
            (None, None) => hash(&[&time, prompt.text.as_bytes()]),
        };
        if !self.seen_prompts.is_new(own) {
            self.report.duplicates += 1;
            return;
        }
        self.report.prompts += 1;
        if let Some(actor) = &head.actor {
            self.report.subagent_prompts += 1;
            self.recognise(actor, &prompt.text);
        }
        let body = Body::PromptSubmitted(PromptSubmitted {
            text: Content::Inline(prompt.text.into_bytes()),
            // A resumed session repeats a prompt under another id: its time or place and its text
            // name it.
            native_id: prompt.known_by.or_else(|| Some(format!("{own:032x}"))),
            actor: head.actor.clone(),
            attachments: prompt.attachments,
        });
        self.push(head, body, out);
    }

    fn take_title(&mut self, title: Title) {
        let number = match &title.leaf {
            None => self.current,
            Some(leaf) => self.titles.title(leaf, &title.text),
        };
        if let Some(session) = number.and_then(|number| self.sessions.get_mut(number)) {
            session.name(title.text);
        }
    }

    /// Puts out an event of the current session, after what is to be said of the session first.
    fn push(&mut self, head: &Head, body: Body, out: &mut Vec<Event>) {
        let at = self.when(head);
        let session = self.current.and_then(|number| self.sessions.get_mut(number));
        let id = session.map(|session| {
            if let Some(started) = session.announcement() {
                out.push(event(Some(session.id), at, Body::SessionStarted(started)));
            }
            session.id
        });
        out.push(event(id.or_else(|| self.nameless()), at, body));
    }

    /// The session of records whose own is not kept: the file stands for it.
    fn nameless(&self) -> Option<SessionId> {
        Some(id::session(&self.agent, &self.file))
    }

    fn when(&self, head: &Head) -> When {
        When { at_ms: self.at_ms(head), is_untimed: head.is_untimed }
    }

    fn at_ms(&self, head: &Head) -> u64 {
        head.at_ms.unwrap_or_else(|| self.here().0)
    }

    fn here(&self) -> (u64, Option<SessionId>) {
        let session = self.session();
        let at_ms = session.and_then(|session| session.last_ms).unwrap_or(self.file_ms);
        (at_ms, session.map(|session| session.id))
    }

    pub(super) fn key(&self, scope: Option<&str>, call: &str) -> CallKey {
        let scope = scope.map(str::to_owned);
        CallKey { agent: self.agent.to_string(), scope, call: call.to_owned() }
    }

    fn flawed(
        &mut self,
        session: Option<SessionId>,
        at_ms: u64,
        line: u64,
        flaw: TranscriptFlaw,
        detail: String,
    ) -> Event {
        self.report.find(&self.file, line, flaw.as_str(), detail.clone());
        let (agent, file) = (self.agent.to_string(), self.file.to_string());
        let body = Body::TranscriptFlawed(TranscriptFlawed { agent, file, line, flaw, detail });
        event(session, at_ms.into(), body)
    }
}

/// A call whose result is still to come.
#[derive(Clone, Debug)]
pub struct OpenCall {
    pub execution: ExecutionId,
    pub tool: String,
    pub changes: Vec<Change>,
    pub session: Option<SessionId>,
    /// The session's number, where it is one of those the ledger keeps.
    pub number: Option<usize>,
    pub at_ms: Option<u64>,
    /// Its place among the calls of the command.
    pub order: u64,
    pub file: Arc<str>,
    pub line: u64,
    /// Of a shell's: what it runs.
    pub command: Option<LeftCommand>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LeftCommand {
    pub command: String,
    pub cwd: Option<String>,
}

#[cfg(test)]
mod tests;
