//! Executions that nobody will finish any more (ruling 2).

use std::collections::BTreeMap;
use std::path::Path;

use super::facts::{ExecutionFact, State};
use super::{RecordError, RecordReport, Recorder};
use crate::event::{Body, Envelope, Event, ExecutionId, ExecutionInterrupted, SessionId, Source};
use crate::journal::clock;
use crate::journal::owner::agent::Standing;
use crate::journal::owner::{Owner, agent};

/// Why a call of a session that is over is interrupted.
const SESSION_ENDED: &str = "its session ended without a result";

/// Why a command that annals ran is interrupted.
const OWNER_GONE: &str = "the process that ran it is gone";

/// Why a call of a killed agent is interrupted.
pub const AGENT_GONE: &str = "the agent that called it is gone";

/// Whether a command's owner or an agent died, so that a call may be left open: cheap to ask.
pub fn has_dead_owners(owners: &Path) -> bool {
    Owner::any_is_gone(owners) || !agent::gone(owners, None).is_empty()
}

/// Whether an open call is one that nobody will finish: what [`Recorder::sweep`] would close.
pub fn is_left<E>(
    owners: &Path,
    id: ExecutionId,
    source: Source,
    session: Option<SessionId>,
    ended: impl FnOnce(SessionId) -> Result<bool, E>,
) -> Result<bool, E> {
    let is_gone = source == Source::Live && Owner::is_left(owners, id);
    Ok(is_gone || why_over(owners, source, session, ended)?.is_some())
}

/// Whether an open call's agent cannot be looked at from here, so that only its session's end closes it.
pub fn is_unseen(owners: &Path, source: Source, session: Option<SessionId>) -> bool {
    let standing = |session| agent::standing(owners, session);
    source == Source::Hook && session.map(standing) == Some(Standing::Unknown)
}

/// Why nobody will finish a call: its session is over. What a hook told of goes on as long as its agent
/// lives, whatever the session says.
fn why_over<E>(
    owners: &Path,
    source: Source,
    session: Option<SessionId>,
    ended: impl FnOnce(SessionId) -> Result<bool, E>,
) -> Result<Option<&'static str>, E> {
    let Some(session) = session else { return Ok(None) };
    match source {
        Source::Hook => match agent::standing(owners, session) {
            Standing::Lives => return Ok(None),
            Standing::Gone => return Ok(Some(AGENT_GONE)),
            Standing::Unknown => {}
        },
        Source::Live => {}
        _ => return Ok(None),
    }
    Ok(ended(session)?.then_some(SESSION_ENDED))
}

impl Recorder<'_> {
    /// Records as interrupted every open execution that nobody will finish here: its lock is free,
    /// be it a copy of one that is held elsewhere; or its session ended. Imports close their own by
    /// [`Self::interrupt_imported`].
    pub fn sweep(&mut self) -> Result<RecordReport, RecordError> {
        self.sweep_by(Owner::is_left)
    }

    /// As [`Self::sweep`], of those alone whose owner died here.
    pub fn sweep_dead_owners(&mut self) -> Result<RecordReport, RecordError> {
        self.sweep_by(Owner::is_gone)
    }

    /// As [`Self::sweep`], by another word on who is gone, given the folder of owners.
    fn sweep_by(
        &mut self,
        is_gone: fn(&Path, ExecutionId) -> bool,
    ) -> Result<RecordReport, RecordError> {
        let owners = self.project.owners_dir();
        // Before the calls are: an agent that is gone opens no more of them.
        let dead = agent::gone(&owners, None);
        let mut gone = BTreeMap::new();
        for (id, fact) in self.facts()?.open()? {
            let why = match fact.source {
                Source::Live if is_gone(&owners, id) => Some(OWNER_GONE),
                source => why_over(&owners, source, fact.session, |_| self.session_ended(&fact))?,
            };
            gone.extend(why.map(|why| (id, why)));
        }
        let forget_agents = |owners: &Path, agents: Vec<SessionId>| {
            agents.into_iter().for_each(|session| agent::forget(owners, session));
        };
        if gone.is_empty() {
            forget_agents(&owners, dead);
            return Ok(RecordReport::default());
        }
        // An owner records the end before it lets go: what is open now, read anew, stays open.
        self.facts = None;
        let report = self.interrupt(&gone)?;
        for id in gone.keys() {
            Owner::remove(&owners, *id);
        }
        forget_agents(&owners, dead);
        Ok(report)
    }

    /// Records as interrupted the open executions that came by import, of these sessions or of
    /// all: to be called when every file of the import is read.
    pub fn interrupt_imported(
        &mut self,
        sessions: Option<&[SessionId]>,
    ) -> Result<RecordReport, RecordError> {
        let of_these = |fact: &ExecutionFact| match (sessions, fact.session) {
            (None, _) => true,
            (Some(sessions), Some(session)) => sessions.contains(&session),
            (Some(_), None) => false,
        };
        let open = self.facts()?.open()?.into_iter();
        let imported = open.filter(|(_, fact)| fact.source == Source::Import && of_these(fact));
        let reason = "the transcript holds no result of it";
        let gone = imported.map(|(id, _)| (id, reason)).collect();
        self.interrupt(&gone)
    }

    /// As [`Self::sweep`], of the calls alone that hooks began in this session.
    pub fn sweep_session(&mut self, session: SessionId) -> Result<RecordReport, RecordError> {
        let mut gone = BTreeMap::new();
        for (id, fact) in self.facts()?.open()? {
            // What a transcript told of at an earlier stop, too: only its growth was read since.
            let is_seen = matches!(fact.source, Source::Hook | Source::Import);
            if is_seen && fact.session == Some(session) {
                gone.extend(self.over(&fact)?.map(|why| (id, why)));
            }
        }
        if gone.is_empty() {
            return Ok(RecordReport::default());
        }
        // As above.
        self.facts = None;
        self.interrupt(&gone)
    }

    /// Why nobody will finish what a hook saw begin; `None` where somebody may. A session that ended
    /// and goes on has an agent that lives.
    pub(super) fn over(
        &mut self,
        fact: &ExecutionFact,
    ) -> Result<Option<&'static str>, RecordError> {
        let owners = self.project.owners_dir();
        why_over(&owners, Source::Hook, fact.session, |_| self.session_ended(fact))
    }

    fn session_ended(&mut self, fact: &ExecutionFact) -> Result<bool, RecordError> {
        let session = match fact.session {
            Some(session) => self.facts()?.session(session)?,
            None => None,
        };
        Ok(session.is_some_and(|session| session.ended))
    }

    fn interrupt(
        &mut self,
        gone: &BTreeMap<ExecutionId, &'static str>,
    ) -> Result<RecordReport, RecordError> {
        let mut events = Vec::new();
        let now_ms = clock::now_ms();
        for (id, reason) in gone {
            let facts = self.facts()?;
            let Some(fact) = facts.execution(*id)?.filter(|fact| fact.state == State::Open) else {
                continue;
            };
            let last = match fact.session {
                Some(session) => facts.session(session)?,
                None => None,
            };
            // When it stopped is not known: an imported one no later than its session's last
            // event, one of ours by now.
            let at_ms = match (fact.source, last) {
                (Source::Import, Some(session)) => session.last_ms,
                (_, Some(session)) => session.last_ms.max(now_ms),
                (_, None) => now_ms,
            };
            let body = ExecutionInterrupted {
                execution: *id,
                tool: fact.tool.to_string(),
                reason: (*reason).to_owned(),
            };
            let envelope = Envelope::new(fact.session, fact.source, at_ms);
            events.push(Event { envelope, body: Body::ExecutionInterrupted(body) });
        }
        self.record(events)
    }
}
