//! A debug session's document and what its events say besides.

use super::{Fault, sanitize};
use crate::event::{
    Body, DebugBeside, DebugDocument, DebugExecution, DebugMetadata, DebugSessionId,
    DebugSessionOpened, DebugStatus, Recorded, debug_time,
};
use crate::store::AnomalyKind;

/// JSON of a document above this takes nothing more: a quarter of it is refused when recording.
const DOCUMENT_BYTES_MAX: usize = 16 << 20;

/// What an event can add besides what it tells.
const GROWN_BYTES: usize = 1 << 10;

/// A debug session's document and what its events say besides.
#[derive(Clone, Debug, PartialEq)]
pub struct DebugState {
    pub document: DebugDocument,
    pub beside: DebugBeside,
    /// JSON bytes that the document has at most.
    at_most_bytes: usize,
}

impl DebugState {
    /// As a store has it.
    pub fn of(document: DebugDocument, beside: DebugBeside) -> Self {
        Self { document, beside, at_most_bytes: DOCUMENT_BYTES_MAX }
    }

    /// What an opened session begins as.
    pub(super) fn opened(opened: &DebugSessionOpened, recorded: &Recorded) -> Self {
        let at_ms = recorded.event.envelope.at_ms;
        let metadata = DebugMetadata {
            agent: opened.agent.clone(),
            task_id: opened.task_id.clone(),
            ralph_iteration: opened.ralph_iteration,
        };
        let document = DebugDocument {
            session_id: opened.session.to_string(),
            file_path: opened.file_path.clone(),
            created_at: Some(debug_time(at_ms)),
            updated_at: Some(debug_time(at_ms)),
            status: Some(DebugStatus::InProgress),
            executions: Vec::new(),
            learnings: None,
            metadata: Some(metadata),
        };
        let beside = DebugBeside {
            created_ms: at_ms,
            updated_ms: at_ms,
            first_seq: recorded.sequence.0,
            last_seq: recorded.sequence.0,
            attempts_max: Some(opened.attempts_max),
            ..DebugBeside::default()
        };
        Self::of(sanitize::document(document), beside)
    }

    /// Applies an event that neither begins nor ends it; `false` where it changed nothing.
    pub(super) fn apply(
        &mut self,
        id: DebugSessionId,
        recorded: &Recorded,
        faults: &mut Vec<Fault>,
    ) -> bool {
        let at_ms = recorded.event.envelope.at_ms;
        let done = match &recorded.event.body {
            Body::AttemptRecorded(attempt) => self.attempt(attempt, at_ms, faults),
            Body::AnalysisRecorded(analysis) => self.analysis(analysis),
            Body::FixApplied(fix) => self.fix(fix),
            Body::FixVerified(verified) => self.verified(verified),
            Body::TemplateTried(tried) => self.tried(id, tried),
            Body::LearningExtracted(learning) => self.learn(learning),
            Body::DebugSessionClosed(closed) => {
                self.document.status = Some(closed.status);
                self.beside.escalated |= closed.status == DebugStatus::Escalated;
                Ok(Change::Document)
            }
            _ => Ok(Change::None),
        };
        match done {
            Ok(Change::None) => return false,
            Ok(Change::Beside) => {}
            Ok(Change::Document) => {
                // A clock that was put back makes no document older.
                self.beside.updated_ms = self.beside.updated_ms.max(at_ms);
                self.document.updated_at = Some(debug_time(self.beside.updated_ms));
            }
            Err(fault) => {
                faults.push(fault);
                return false;
            }
        }
        // What was tried of it elsewhere is work on the other.
        if !matches!(&recorded.event.body, Body::TemplateTried(tried) if tried.session != id) {
            self.beside.last_seq = recorded.sequence.0;
        }
        true
    }

    /// An attempt of the document.
    pub(super) fn execution(&mut self, attempt: u32) -> Result<&mut DebugExecution, Fault> {
        let id = &self.document.session_id;
        let unknown = || {
            Fault::unknown(format!("the debug session {id} has no attempt {attempt} before this"))
        };
        let mut executions = self.document.executions.iter_mut();
        executions.find(|execution| execution.attempt == attempt).ok_or_else(unknown)
    }

    /// Fails where so many bytes of JSON more would make the document too large.
    pub(super) fn fits(&mut self, more: &impl serde::Serialize) -> Result<(), Fault> {
        // What cannot be written has no bytes; it fails where it is written.
        let bytes = |json: serde_json::Result<String>| json.map_or(0, |json| json.len());
        let more = bytes(serde_json::to_string(more));
        // With the members' names, and what is told of it later: a fix's verification, an effectiveness.
        let grown = more.saturating_mul(2).saturating_add(GROWN_BYTES);
        if self.at_most_bytes.saturating_add(grown) <= DOCUMENT_BYTES_MAX {
            self.at_most_bytes += grown;
            return Ok(());
        }
        let held = bytes(serde_json::to_string(&self.document));
        if held.saturating_add(more) > DOCUMENT_BYTES_MAX {
            let message = format!(
                "the document of debug session {} is {held} bytes; {more} more are not taken",
                self.document.session_id
            );
            return Err(Fault { kind: AnomalyKind::LostContent, message });
        }
        self.at_most_bytes = held.saturating_add(grown);
        Ok(())
    }
}

/// What an event changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    None,
    /// What is said besides the document.
    Beside,
    Document,
}
