//! Whether the journal holds an event already.

use super::facts::{Facts, State};
use super::{RecordError, Recorder};
use crate::command::id;
use crate::event::{
    Body, CallKey, Content, Event, ExecutionId, Outcome, PromptSubmitted, SessionId, Source,
};

/// Whether the journal holds an event already.
pub(super) enum Known {
    New,
    Duplicate,
    /// The result of an execution that was given up.
    Late {
        corrects: ExecutionId,
    },
}

impl Recorder<'_> {
    /// The execution that an agent's call is known as, and its tool.
    pub fn known_call(
        &mut self,
        call: &CallKey,
    ) -> Result<Option<(ExecutionId, String)>, RecordError> {
        let facts = self.facts()?;
        let Some(execution) = facts.call(call)? else { return Ok(None) };
        let known = facts.execution(execution)?;
        Ok(known.map(|known| (execution, known.tool.to_string())))
    }

    /// Speaks of an execution by the id it was first recorded under, whichever door it came by.
    pub(super) fn rename(&self, event: &mut Event) {
        let id = match &mut event.body {
            Body::ExecutionFinished(finished) => &mut finished.execution,
            Body::ExecutionInterrupted(interrupted) => &mut interrupted.execution,
            Body::ExecutionCorrected(corrected) => &mut corrected.corrects,
            Body::ExecutionStarted(started) => match &mut started.parent {
                Some(parent) => parent,
                None => return,
            },
            _ => return,
        };
        *id = self.aliases.get(id).copied().unwrap_or(*id);
    }

    pub(super) fn known(&mut self, event: &Event) -> Result<Known, RecordError> {
        let facts = self.facts()?;
        let (duplicate, alias) = match &event.body {
            Body::ExecutionStarted(started) => {
                let by_call = match &started.call {
                    Some(call) => facts.call(call)?,
                    None => None,
                };
                let known = by_call.is_some() || facts.execution(started.execution)?.is_some();
                (known, by_call.map(|first| (started.execution, first)))
            }
            Body::ExecutionFinished(finished) => {
                return Ok(match finished_is_known(facts, finished.execution)? {
                    // Given up once more is nothing new.
                    Known::Late { .. } if finished.closing.outcome == Outcome::Interrupted => {
                        Known::Duplicate
                    }
                    known => known,
                });
            }
            Body::ExecutionInterrupted(interrupted) => {
                let known = facts.execution(interrupted.execution)?;
                let known = match known {
                    Some(known) if known.state == State::Open => {
                        // That a transcript has no result yet says nothing of a call that a hook
                        // watches: it runs until its session ends (ruling 2).
                        event.envelope.source == Source::Import
                            && known.source == Source::Hook
                            && !session_ended(facts, known.session)?
                    }
                    known => known.is_some(),
                };
                (known, None)
            }
            Body::ExecutionCorrected(corrected) => {
                (facts.execution(corrected.execution)?.is_some(), None)
            }
            Body::PromptSubmitted(prompt) => (prompt_is_known(facts, event, prompt)?, None),
            _ => (false, None),
        };
        self.aliases.extend(alias.filter(|(own, first)| own != first));
        Ok(if duplicate { Known::Duplicate } else { Known::New })
    }

    /// Whether a session's, a transcript's or a contract's event says anything that is not known yet; judged on
    /// what redaction left, for that is what the journal holds.
    pub(super) fn tells_news(&mut self, event: &Event) -> Result<bool, RecordError> {
        let facts = self.facts()?;
        let session = match event.envelope.session {
            Some(session) => facts.session(session)?,
            None => None,
        };
        Ok(match (&event.body, session) {
            (Body::SessionStarted(started), Some(session)) => session.learns_from(started),
            (Body::TranscriptFlawed(flaw), _) => !facts.flaw_is_known(flaw)?,
            (Body::SessionEnded(_), Some(session)) => !session.ended,
            (Body::ToolsDeclared(declared), _) => {
                declared.tools.iter().any(|tool| !facts.tools().contains(tool.as_str()))
            }
            _ => true,
        })
    }
}

/// Whether a prompt is on record, by its own id or as a hook told of it.
fn prompt_is_known(
    facts: &Facts,
    event: &Event,
    prompt: &PromptSubmitted,
) -> Result<bool, RecordError> {
    if let Some(native_id) = &prompt.native_id
        && facts.prompt_is_known(native_id)?
    {
        return Ok(true);
    }
    let envelope = &event.envelope;
    let (Source::Import, Some(session)) = (envelope.source, envelope.session) else {
        return Ok(false);
    };
    let Content::Inline(text) = &prompt.text else { return Ok(false) };
    for hooked in id::hooked_prompts(session, text, envelope.at_ms) {
        if facts.prompt_is_known(&hooked)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a session is known to be over.
fn session_ended(facts: &Facts, session: Option<SessionId>) -> Result<bool, RecordError> {
    let Some(session) = session else { return Ok(false) };
    Ok(facts.session(session)?.is_some_and(|session| session.ended))
}

fn finished_is_known(facts: &Facts, execution: ExecutionId) -> Result<Known, RecordError> {
    Ok(match facts.execution(execution)?.map(|known| known.state) {
        None | Some(State::Open) => Known::New,
        Some(State::Closed) => Known::Duplicate,
        Some(State::Interrupted) => Known::Late { corrects: execution },
    })
}
