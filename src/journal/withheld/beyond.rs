//! What is beyond its time in a journal that policy was applied to, by the same rule that it was.

use std::collections::HashMap;

use super::Withheld;
use crate::event::{Body, Event, ExecutionId, Sequence};
use crate::journal::{JournalError, JournalReader, ReplayItem};

/// When calls ended, by the last of their events; empty where no policy is known.
#[derive(Default)]
pub(super) struct Ends(HashMap<ExecutionId, (u64, bool)>);

impl Ends {
    pub fn of(reader: &JournalReader, withheld: &Withheld) -> Result<Self, JournalError> {
        let mut ends = Self::default();
        if withheld.before.is_empty() {
            return Ok(ends);
        }
        for item in reader.replay(Sequence(1), None) {
            let ReplayItem::Event(recorded) = item? else { continue };
            let Some(of) = execution(&recorded.event.body) else { continue };
            let (last_ms, is_closed) = ends.0.entry(of).or_default();
            *last_ms = recorded.event.envelope.at_ms.max(*last_ms);
            *is_closed |= !matches!(recorded.event.body, Body::ExecutionStarted(_));
        }
        Ok(ends)
    }

    /// Whether policy takes an event that the journal of this id recorded, whoever has it now.
    pub fn is_beyond(&self, event: &Event, journal: &[u8; 16], withheld: &Withheld) -> bool {
        let Some(before_ms) = withheld.before(journal) else { return false };
        match execution(&event.body) {
            Some(of) => {
                self.0.get(&of).is_some_and(|(last_ms, closed)| *closed && *last_ms < before_ms)
            }
            None => is_said(&event.body) && event.envelope.at_ms < before_ms,
        }
    }
}

/// The execution that an event is of.
pub fn execution(body: &Body) -> Option<ExecutionId> {
    match body {
        Body::ExecutionStarted(b) => Some(b.execution),
        Body::ExecutionFinished(b) => Some(b.execution),
        Body::ExecutionInterrupted(b) => Some(b.execution),
        Body::ExecutionCorrected(b) => Some(b.corrects),
        _ => None,
    }
}

/// Whether policy takes an event that is of no call.
pub fn is_said(body: &Body) -> bool {
    matches!(
        body,
        Body::PromptSubmitted(_)
            | Body::AssistantSaid(_)
            | Body::Compacted(_)
            | Body::ContextInjected(_)
            | Body::StepBegun(_)
            | Body::StepEnded(_)
            | Body::SummaryAppended(_)
    )
}
