//! From items to events: calls meet their results, whatever file either stands in.
//!
//! Pure: no journal, no clock, no file. The same files in the same order give the same events, so
//! that importing twice can add nothing.

mod calls;
mod close;
mod open_call;
mod seen;
mod session_state;
#[cfg(test)]
mod tests;
mod titles;

use std::collections::HashMap;

use crate::command::id;
use crate::event::{
    Body, CallKey, Content, Envelope, Event, ExecutionId, PromptSubmitted, SessionId, Source,
    TranscriptFlaw, TranscriptFlawed,
};

use super::item::{Head, Item, Part, Prompt, Title, TranscriptRecord};
use super::limits::{PROMPTS_MAX, SEEN_CALLS_MAX, SESSIONS_MAX};
use super::report::ImportReport;
use open_call::OpenCall;
use seen::Seen;
use session_state::SessionState;
use titles::Titles;

pub use close::LooseResult;

/// What one command has read so far.
#[derive(Debug)]
pub struct Ledger {
    agent: &'static str,
    /// The file that is read, as the user named it, and when it was last written.
    file: String,
    file_ms: u64,
    line: u64,
    sessions: HashMap<String, SessionState>,
    /// In order of appearance, so that closing is the same every time.
    session_order: Vec<String>,
    /// The session that the file's records have named last.
    current: Option<String>,
    open: HashMap<String, OpenCall>,
    calls_opened: u64,
    loose: Vec<LooseResult>,
    loose_bytes: usize,
    seen_calls: Seen,
    seen_prompts: Seen,
    titles: Titles,
    /// The execution that a subagent works for, and the one that asked a subagent for this.
    tasks: HashMap<String, ExecutionId>,
    asked: HashMap<u128, ExecutionId>,
    pub report: ImportReport,
}

impl Ledger {
    pub fn new(agent: &'static str) -> Self {
        Self {
            agent,
            file: String::new(),
            file_ms: 0,
            line: 0,
            sessions: HashMap::new(),
            session_order: Vec::new(),
            current: None,
            open: HashMap::new(),
            calls_opened: 0,
            loose: Vec::new(),
            loose_bytes: 0,
            seen_calls: Seen::new(SEEN_CALLS_MAX),
            seen_prompts: Seen::new(PROMPTS_MAX),
            titles: Titles::default(),
            tasks: HashMap::new(),
            asked: HashMap::new(),
            report: ImportReport::default(),
        }
    }

    /// The items that follow are this file's, last written at `file_ms`. Of the files that are
    /// read together, the `first` leaves the session before it behind.
    pub fn read_on(&mut self, file: &str, file_ms: u64, first: bool) {
        file.clone_into(&mut self.file);
        self.file_ms = file_ms;
        if first {
            self.current = None;
        }
    }

    /// The file and line that were read last.
    pub fn place(&self) -> (String, u64) {
        (self.file.clone(), self.line)
    }

    /// Takes an item; its events go to `out`.
    pub fn take(&mut self, item: Item, out: &mut Vec<Event>) {
        match item {
            Item::Record(record) => self.take_record(*record, out),
            Item::Glued { .. } => self.report.glued_lines += 1,
            Item::Unreadable { line, flaw } => {
                self.report.unreadable_lines += 1;
                let (at_ms, session) = self.here();
                let kind = TranscriptFlaw::Unreadable;
                let event = self.flawed(session, at_ms, line, kind, flaw.to_string());
                out.push(event);
            }
        }
    }

    fn take_record(&mut self, record: TranscriptRecord, out: &mut Vec<Event>) {
        self.report.records += 1;
        let TranscriptRecord { line, head, parts } = record;
        self.line = line;
        if let Some(native) = &head.session {
            self.enter(native);
        }
        let name = self.current.clone().unwrap_or_default();
        if let Some(session) = self.sessions.get_mut(&name) {
            session.learn(&head);
            let waited = head.uuid.as_deref().and_then(|uuid| self.titles.record(uuid, session.id));
            waited.into_iter().for_each(|title| session.name(title));
        }
        for part in parts {
            match part {
                Part::Call(call) => self.take_call(&head, call, out),
                Part::Result(result) => self.take_result(&head, line, result, out),
                Part::Prompt(prompt) => self.take_prompt(&head, prompt, out),
                Part::Title(title) => self.take_title(title),
            }
        }
    }

    /// Makes a session the current one.
    fn enter(&mut self, native: &str) {
        if self.current.as_deref() == Some(native) {
            return;
        }
        if !self.sessions.contains_key(native) && self.sessions.len() < SESSIONS_MAX {
            let id = id::session(self.agent, native);
            self.sessions.insert(native.to_owned(), SessionState::new(id, self.agent, native));
            self.session_order.push(native.to_owned());
            self.report.sessions += 1;
        }
        self.current = Some(native.to_owned());
    }

    fn take_prompt(&mut self, head: &Head, prompt: Prompt, out: &mut Vec<Event>) {
        let at_ms = self.at_ms(head);
        let own = seen::hash(&[&at_ms.to_le_bytes(), prompt.text.as_bytes()]);
        if !self.seen_prompts.is_new(own) {
            self.report.duplicates += 1;
            return;
        }
        self.report.prompts += 1;
        if let Some(actor) = &head.actor {
            self.recognise(actor, &prompt.text);
        }
        let body = Body::PromptSubmitted(PromptSubmitted {
            text: Content::Inline(prompt.text.into_bytes()),
            // A resumed session repeats a prompt under another id, so its time and text name it.
            native_id: Some(format!("{own:032x}")),
            actor: head.actor.clone(),
        });
        self.push(head, body, out);
    }

    fn take_title(&mut self, title: Title) {
        let session = match &title.leaf {
            None => self.current.clone(),
            Some(leaf) => self.titles.title(leaf, &title.text).and_then(|id| {
                let of_id = |name: &&String| self.sessions.get(*name).is_some_and(|s| s.id == id);
                self.session_order.iter().find(of_id).cloned()
            }),
        };
        if let Some(session) = session.and_then(|name| self.sessions.get_mut(&name)) {
            session.name(title.text);
        }
    }

    /// Puts out an event of the current session, after what is to be said of the session first.
    fn push(&mut self, head: &Head, body: Body, out: &mut Vec<Event>) {
        let at_ms = self.at_ms(head);
        let session = self.current.as_ref().and_then(|name| self.sessions.get_mut(name));
        let id = session.map(|session| {
            if let Some(started) = session.announcement() {
                out.push(event(Some(session.id), at_ms, Body::SessionStarted(started)));
            }
            session.id
        });
        out.push(event(id.or_else(|| self.nameless()), at_ms, body));
    }

    /// The session of records that name none the ledger keeps.
    fn nameless(&self) -> Option<SessionId> {
        let name = self.current.as_deref().unwrap_or(&self.file);
        Some(id::session(self.agent, name))
    }

    /// A record's time; where it has none, the session's last, or the file's own.
    fn at_ms(&self, head: &Head) -> u64 {
        head.at_ms.unwrap_or_else(|| self.here().0)
    }

    /// The time and session that the file stands at.
    fn here(&self) -> (u64, Option<SessionId>) {
        let session = self.current.as_ref().and_then(|name| self.sessions.get(name));
        let at_ms = session.and_then(|session| session.last_ms).unwrap_or(self.file_ms);
        (at_ms, session.map(|session| session.id))
    }

    pub(super) fn key(&self, call: &str) -> CallKey {
        CallKey { agent: self.agent.to_owned(), scope: None, call: call.to_owned() }
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
        let (agent, file) = (self.agent.to_owned(), self.file.clone());
        let body = Body::TranscriptFlawed(TranscriptFlawed { agent, file, line, flaw, detail });
        event(session, at_ms, body)
    }
}

fn event(session: Option<SessionId>, at_ms: u64, body: Body) -> Event {
    Event { envelope: Envelope::new(session, Source::Import, at_ms), body }
}
