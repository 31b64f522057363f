//! What is known of agents: the gate's verdicts on one's calls; and what killed ones left open, which is
//! closed without a store, as a hook of any session can afford.

use crate::event::{
    Body, CallKey, Envelope, Event, ExecutionId, ExecutionInterrupted, GateMode, SessionId, Source,
};
use crate::execution::query::{QueryError, Stores};
use crate::grounding::gate::{GateError, SessionFile};
use crate::journal::owner::agent;
use crate::journal::recorder::AGENT_GONE;
use crate::journal::{DirectRecorder, Project, RecordError, clock};
use crate::store::Ask;

/// What the gate said to one agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AgentVerdicts {
    pub denied: u64,
    /// Calls that went on with the timeline given to the agent.
    pub advised: u64,
    pub observed: u64,
    /// Calls that ran although they had been denied.
    pub bypassed: u64,
    /// The newest of those.
    pub last_bypass: Option<ExecutionId>,
}

impl Stores {
    pub fn agent_verdicts(&self, agent: &str) -> Result<AgentVerdicts, QueryError> {
        let agent = Ask::Text(agent.to_owned());
        let mut verdicts = AgentVerdicts::default();
        let sql = "SELECT v.mode, count(*) FROM verdicts v JOIN sessions s ON s.number = v.session \
                   WHERE s.agent = ?1 GROUP BY v.mode";
        let modes = self
            .index
            .rows(sql, [&agent], |row| Ok((row.get::<_, String>(0)?, row.get::<_, u64>(1)?)))?;
        for (mode, count) in modes {
            match mode.as_str() {
                mode if mode == GateMode::Enforce.as_str() => verdicts.denied += count,
                mode if mode == GateMode::Advise.as_str() => verdicts.advised += count,
                _ => verdicts.observed += count,
            }
        }
        let sql = "SELECT b.execution FROM bypasses b JOIN sessions s ON s.number = b.session \
                   WHERE s.agent = ?1 ORDER BY b.seq";
        let bypasses = self.index.rows(sql, [&agent], |row| row.get(0))?;
        verdicts.bypassed = bypasses.len() as u64;
        verdicts.last_bypass = bypasses.last().copied();
        Ok(verdicts)
    }

    /// How many of these calls are on record, whichever door they came by.
    pub fn recorded_calls<'c>(
        &self,
        calls: impl Iterator<Item = &'c CallKey>,
    ) -> Result<u64, QueryError> {
        let sql = "SELECT 1 FROM executions WHERE call_key = ?1";
        let mut recorded = 0;
        for call in calls {
            let key = Ask::Text(call.to_text());
            recorded += self.index.rows(sql, [&key], |_| Ok(()))?.len() as u64;
        }
        Ok(recorded)
    }
}

/// Sessions that one hook closes: others' hooks close the next.
const SESSIONS_MAX: usize = 4;
/// Tries while others append; what is left over the next hook closes.
const ROUNDS_MAX: usize = 8;

/// Why a killed agent's calls could not be closed; they stay open, and the next hook tries again.
#[derive(Debug, thiserror::Error)]
pub enum GoneAgentError {
    #[error("a killed agent's calls stay open")]
    Session(#[from] GateError),
    #[error("a killed agent's calls stay open")]
    Record(#[from] RecordError),
}

/// Records as interrupted the calls of other sessions than this one whose agent is gone.
pub fn close_gone_agents(project: &Project, own: SessionId) -> Result<(), GoneAgentError> {
    let owners = project.owners_dir();
    let gone = agent::gone(&owners, Some(own));
    for session in gone.into_iter().take(SESSIONS_MAX) {
        if close_gone_agent(project, session)? {
            agent::forget(&owners, session);
        }
    }
    Ok(())
}

/// Records as interrupted the calls of a session whose agent is gone. Gives whether none is open any more.
pub fn close_gone_agent(project: &Project, session: SessionId) -> Result<bool, GoneAgentError> {
    let recorder = DirectRecorder::new(project);
    let mut file = SessionFile::open(project, session)?;
    for _ in 0..ROUNDS_MAX {
        let grounding = file.grounding();
        // A command that annals itself runs has an owner of its own, and no agent's call.
        let open = grounding.open.iter().filter(|open| open.call.is_some());
        let events: Vec<Event> = open
            .map(|open| {
                let body = Body::ExecutionInterrupted(ExecutionInterrupted {
                    execution: open.id(),
                    tool: open.tool.clone(),
                    reason: AGENT_GONE.to_owned(),
                });
                Event {
                    envelope: Envelope::new(Some(session), Source::Hook, clock::now_ms()),
                    body,
                }
            })
            .collect();
        let is_declared = |tool: &str| grounding.is_declared(tool);
        match recorder.record(events, grounding.last_ms, Some(file.through()), is_declared) {
            Ok(_) => {
                file.catch_up()?;
                file.save()?;
                return Ok(true);
            }
            Err(error) => match error.overtaken() {
                Some(last) => file.read_on(last)?,
                None => return Err(error.into()),
            },
        }
    }
    Ok(false)
}
