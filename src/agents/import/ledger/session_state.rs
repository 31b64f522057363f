//! What one command knows of a session.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::calls::named;
use super::{Ledger, OpenCall, event};
use crate::agents::import::item::{CallResult, Head};
use crate::agents::import::limits::{LEAVES_MAX, LOOSE_BYTES_MAX, LOOSE_RESULTS_MAX, TITLES_MAX};
use crate::agents::import::rests::Rest;
use crate::event::{Body, Event, ExecutionInterrupted, SessionId, SessionStarted, TranscriptFlaw};
use crate::journal::id;

#[derive(Clone, Debug)]
pub struct SessionState {
    pub id: SessionId,
    /// What is known and, once announced, what was said.
    facts: SessionStarted,
    announced: bool,
    /// Something became known after the last announcement.
    more: bool,
    /// The model that spoke last.
    pub model: Option<String>,
    /// The last time seen, for records that carry none.
    pub last_ms: Option<u64>,
}

impl SessionState {
    pub fn new(id: SessionId, agent: &str, native_id: &str) -> Self {
        let facts = SessionStarted {
            agent: agent.to_owned(),
            native_id: native_id.to_owned(),
            agent_version: None,
            model: None,
            parent: None,
            cwd: None,
            branch: None,
            title: None,
        };
        Self { id, facts, announced: false, more: false, model: None, last_ms: None }
    }

    /// Goes on where an import before read to, with what the journal knows of it.
    pub fn carry_on(&mut self, rest: &Rest, known: Option<SessionStarted>) {
        self.model = self.model.take().or_else(|| rest.model.clone());
        self.last_ms = self.last_ms.max(rest.last_ms);
        if let Some(known) = known.filter(|_| !self.announced) {
            self.facts = SessionStarted { title: None, ..known };
            (self.announced, self.more) = (true, false);
        }
    }

    pub fn native_id(&self) -> &str {
        &self.facts.native_id
    }

    pub fn cwd(&self) -> Option<&str> {
        self.facts.cwd.as_deref()
    }

    /// Takes from a record what is not known yet. A subagent's model is not the session's.
    pub fn learn(&mut self, head: &Head, agent: &str) {
        let facts = &mut self.facts;
        let mut fill = |known: &mut Option<String>, said: &Option<String>| {
            if known.is_none() && said.is_some() {
                known.clone_from(said);
                self.more = true;
            }
        };
        fill(&mut facts.agent_version, &head.agent_version);
        fill(&mut facts.cwd, &head.cwd);
        fill(&mut facts.branch, &head.branch);
        if head.actor.is_none() {
            fill(&mut facts.model, &head.model);
        }
        if let (None, Some(parent)) = (facts.parent, &head.parent_session) {
            facts.parent = Some(id::session(agent, parent));
            self.more = true;
        }
        self.last_ms = self.last_ms.max(head.at_ms);
    }

    /// This model speaks: the one before it, where that was another.
    pub fn turn_to(&mut self, model: &str) -> Option<String> {
        if self.model.as_deref() == Some(model) {
            return None;
        }
        self.model.replace(model.to_owned())
    }

    /// The last title of a session is the one it keeps.
    pub fn name(&mut self, title: String) {
        self.more |= self.facts.title.as_ref() != Some(&title);
        self.facts.title = Some(title);
    }

    pub fn announcement(&mut self) -> Option<SessionStarted> {
        if self.announced && !self.more {
            return None;
        }
        (self.announced, self.more) = (true, false);
        // Titles change while a session lasts: the last one is said at the end.
        Some(SessionStarted { title: None, ..self.facts.clone() })
    }

    pub fn last_word(&mut self) -> Option<SessionStarted> {
        let due = !self.announced || self.more || self.facts.title.is_some();
        (self.announced, self.more) = (true, false);
        due.then(|| self.facts.clone())
    }
}

/// Recent records and the titles that wait for theirs.
#[derive(Debug, Default)]
pub struct Titles {
    sessions: HashMap<u64, usize>,
    recent: VecDeque<u64>,
    waiting: HashMap<u64, String>,
}

impl Titles {
    /// Notes the number of a record's session; the title that waited for it.
    pub fn record(&mut self, uuid: &str, session: usize) -> Option<String> {
        let key = key(uuid);
        if self.sessions.insert(key, session).is_none() {
            self.recent.push_back(key);
        }
        if self.recent.len() > LEAVES_MAX
            && let Some(oldest) = self.recent.pop_front()
        {
            self.sessions.remove(&oldest);
        }
        self.waiting.remove(&key)
    }

    /// The number of the session whose record this is; where it is not known yet, the title waits.
    pub fn title(&mut self, leaf: &str, text: &str) -> Option<usize> {
        let key = key(leaf);
        let session = self.sessions.get(&key).copied();
        if session.is_none() && self.waiting.len() < TITLES_MAX {
            self.waiting.insert(key, text.to_owned());
        }
        session
    }
}

/// Eight bytes of a hash: a mixed-up title does no harm, a kept id would cost memory.
fn key(uuid: &str) -> u64 {
    let hash = blake3::hash(uuid.as_bytes());
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_le_bytes(bytes)
}

const NO_RESULT: &str = "no transcript that was read has its result";

/// A result whose call no file has shown yet.
#[derive(Clone, Debug)]
pub struct LooseResult {
    pub file: String,
    pub line: u64,
    pub session: Option<SessionId>,
    pub at_ms: u64,
    pub head: Head,
    pub result: CallResult,
}

impl Ledger {
    pub(super) fn keep_loose(
        &mut self,
        head: &Head,
        line: u64,
        result: CallResult,
        out: &mut Vec<Event>,
    ) {
        let session = self.here().1.or_else(|| self.nameless());
        let (file, at_ms) = (self.file.to_string(), self.at_ms(head));
        let loose = LooseResult { file, line, session, at_ms, head: head.clone(), result };
        let bytes = loose.result.printed_bytes();
        if self.loose.len() < LOOSE_RESULTS_MAX && self.loose_bytes + bytes <= LOOSE_BYTES_MAX {
            self.loose_bytes += bytes;
            self.loose.push(loose);
        } else {
            out.push(self.give_up(&loose));
        }
    }

    pub(super) fn take_loose(&mut self, call: &str) -> Option<LooseResult> {
        let is =
            |loose: &LooseResult| named(loose.result.scope.as_deref(), &loose.result.id) == call;
        let at = self.loose.iter().position(is)?;
        let loose = self.loose.remove(at);
        self.loose_bytes = self.loose_bytes.saturating_sub(loose.result.printed_bytes());
        Some(loose)
    }

    /// The results that no file had a call for. The journal may know it from an earlier import;
    /// what it does not know either is to be given to [`Ledger::give_up`].
    pub fn loose_results(&mut self) -> Vec<LooseResult> {
        self.loose_bytes = 0;
        std::mem::take(&mut self.loose)
    }

    pub fn give_up(&mut self, loose: &LooseResult) -> Event {
        self.report.results_without_call += 1;
        let (kind, detail) = (TranscriptFlaw::ResultWithoutCall, loose.result.id.clone());
        let here = std::mem::replace(&mut self.file, Arc::from(&*loose.file));
        let event = self.flawed(loose.session, loose.at_ms, loose.line, kind, detail);
        self.file = here;
        event
    }

    pub fn leave_open(&mut self) {
        self.open.clear();
        self.open_tasks.clear();
    }

    pub fn close(&mut self, out: &mut Vec<Event>) {
        self.interrupt_open(out);
        for session in &mut self.sessions {
            if let Some(started) = session.last_word() {
                let at_ms = session.last_ms.unwrap_or(self.file_ms);
                out.push(event(Some(session.id), at_ms.into(), Body::SessionStarted(started)));
            }
        }
    }

    pub(super) fn interrupt_open(&mut self, out: &mut Vec<Event>) {
        let mut open: Vec<OpenCall> = self.open.drain().map(|(_, open)| open).collect();
        open.sort_unstable_by_key(|open| open.order);
        self.open_tasks.clear();
        for OpenCall { execution, tool, session, number, at_ms, .. } in open {
            self.report.interrupted += 1;
            let last_ms = number.and_then(|number| self.sessions.get(number)?.last_ms);
            let at_ms = last_ms.max(at_ms).unwrap_or(self.file_ms);
            let reason = NO_RESULT.to_owned();
            let body = Body::ExecutionInterrupted(ExecutionInterrupted { execution, tool, reason });
            out.push(event(session, at_ms.into(), body));
        }
    }
}
