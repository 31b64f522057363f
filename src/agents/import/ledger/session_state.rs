//! What one command knows of a session.

use crate::agents::import::item::Head;
use crate::event::{SessionId, SessionStarted};
use crate::journal::id;

/// What one command knows of a session.
#[derive(Clone, Debug)]
pub struct SessionState {
    pub id: SessionId,
    /// What is known and, once announced, what was said.
    facts: SessionStarted,
    announced: bool,
    /// Something became known after the last announcement.
    more: bool,
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
        Self { id, facts, announced: false, more: false, last_ms: None }
    }

    /// The agent's own name for it.
    pub fn native_id(&self) -> &str {
        &self.facts.native_id
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

    /// The last title of a session is the one it keeps.
    pub fn name(&mut self, title: String) {
        self.more |= self.facts.title.as_ref() != Some(&title);
        self.facts.title = Some(title);
    }

    /// What is to be said of the session before its next event, where anything is.
    pub fn announcement(&mut self) -> Option<SessionStarted> {
        if self.announced && !self.more {
            return None;
        }
        (self.announced, self.more) = (true, false);
        // Titles change while a session lasts: the last one is said at the end.
        Some(SessionStarted { title: None, ..self.facts.clone() })
    }

    /// What is still to be said once every file is read.
    pub fn last_word(&mut self) -> Option<SessionStarted> {
        let due = !self.announced || self.more || self.facts.title.is_some();
        (self.announced, self.more) = (true, false);
        due.then(|| self.facts.clone())
    }
}
