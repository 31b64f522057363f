//! Closes what killed agents left open, without a store: what a hook of any session can afford.

use crate::event::{Body, Envelope, Event, ExecutionInterrupted, SessionId, Source};
use crate::grounding::gate::{GateError, SessionFile};
use crate::journal::owner::agent;
use crate::journal::recorder::AGENT_GONE;
use crate::journal::{DirectRecorder, Project, RecordError, clock};

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
        let open = grounding.open_calls().filter(|open| open.call.is_some());
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
        match recorder.record(events, grounding.last_ms(), Some(file.through()), is_declared) {
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
