//! Whether the journal holds an event already.

use super::facts::{Called, Ended, Facts, MessageFact, State, Told};
use super::{RecordError, RecordMode, Recorder, shape};
use crate::event::{
    Body, CallKey, Compacted, Content, Event, ExecutionFinished, ExecutionId, ExecutionStarted,
    ModelChanged, Outcome, PromptSubmitted, Recorded, Sequence, Source,
};
use crate::journal::id;

pub(super) enum Known {
    New,
    Duplicate,
    /// The result of an execution that was given up.
    Late {
        corrects: ExecutionId,
    },
}

impl Recorder<'_> {
    /// Whether an event begins the turn of a prompt that was not taken: it begins with that, or not at all.
    pub(super) fn begins_untaken(&mut self, event: &Event) -> bool {
        let (session, untaken) = (event.envelope.session, self.untaken.take());
        let is_import = self.mode == RecordMode::Import;
        self.untaken =
            session.filter(|_| is_import && matches!(event.body, Body::PromptSubmitted(_)));
        matches!(event.body, Body::StepBegun(_)) && untaken.is_some() && untaken == session
    }

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
                        // watches: it runs until its session ends, or its agent is gone (ruling 2).
                        event.envelope.source == Source::Import
                            && known.source == Source::Hook
                            && self.over(&known)?.is_none()
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

    /// Refuses a live call whose id is on record with another tool, other arguments or another result: an
    /// answer that it is known would lose it. What was told of the past is not argued with.
    pub(super) fn check_same(&mut self, event: &Event) -> Result<(), RecordError> {
        if self.mode != RecordMode::Live {
            return Ok(());
        }
        // As the journal would have it: without secrets, in canonical form.
        let mut event = event.clone();
        self.secrets.redactor.redact(&mut event);
        let shaped = shape::shape(&mut event, self.mode);
        match event.body {
            Body::ExecutionStarted(started) => self.check_same_call(&started, shaped.is_ok()),
            Body::ExecutionFinished(finished) => self.check_same_result(&finished),
            _ => Ok(()),
        }
    }

    fn check_same_result(&mut self, finished: &ExecutionFinished) -> Result<(), RecordError> {
        let (project, execution) = (self.project, finished.execution);
        let recorded = match self.facts()?.execution(execution)?.map(|known| known.ended()) {
            Some(Ended::Told(told)) => Some(told),
            Some(Ended::At(sequence)) => {
                let end = project.reader()?.get(Sequence(sequence));
                // Redacted or lost: nothing is left to compare with.
                end.ok().flatten().and_then(|end| Told::of_body(&end.event.body))
            }
            Some(Ended::Unknown) | None => None,
        };
        let told = Told::of(&finished.closing);
        match recorded.and_then(|recorded| told.differs_from(&recorded)) {
            Some(other) => Err(RecordError::OtherContent { execution, other }),
            None => Ok(()),
        }
    }

    fn check_same_call(
        &mut self,
        started: &ExecutionStarted,
        is_shaped: bool,
    ) -> Result<(), RecordError> {
        let project = self.project;
        let facts = self.facts()?;
        let by_call = started.call.as_ref().map(|call| facts.call(call)).transpose()?.flatten();
        let execution = by_call.unwrap_or(started.execution);
        let Some(known) = facts.execution(execution)? else { return Ok(()) };
        let mut tool = known.tool.to_string();
        let called = match known.called() {
            Called::At(sequence) => match project.reader()?.get(Sequence(sequence)) {
                Ok(Some(Recorded {
                    event: Event { body: Body::ExecutionStarted(first), .. },
                    ..
                })) => {
                    tool.clone_from(&first.tool);
                    Called::of(&first)
                }
                // Redacted or lost: nothing is left to compare with.
                _ => Called::Unknown,
            },
            called => called,
        };
        let same = is_shaped && (called == Called::of(started) || called == Called::Unknown);
        let other = if tool == started.tool { "other arguments" } else { "another tool" };
        if same { Ok(()) } else { Err(RecordError::OtherContent { execution, other }) }
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
            (Body::AssistantSaid(said), _) => {
                let known = facts.message(&said.native_id)?;
                known.is_none_or(|known| MessageFact::of(said).exceeds(&known))
            }
            (
                Body::ModelChanged(ModelChanged { native_id, .. })
                | Body::Compacted(Compacted { native_id, .. }),
                _,
            ) => !facts.mark_is_known(event.body.name(), native_id)?,
            (Body::SessionEnded(_), Some(session)) => !session.ended,
            (Body::ToolsDeclared(declared), _) => {
                declared.tools.iter().any(|tool| !facts.has_tool(tool))
            }
            (Body::ChecksDeclared(declared), _) => declared.list != *facts.checks(),
            _ => true,
        })
    }
}

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

fn finished_is_known(facts: &Facts, execution: ExecutionId) -> Result<Known, RecordError> {
    Ok(match facts.execution(execution)?.map(|known| known.state) {
        None | Some(State::Open) => Known::New,
        Some(State::Closed) => Known::Duplicate,
        Some(State::Interrupted) => Known::Late { corrects: execution },
    })
}
