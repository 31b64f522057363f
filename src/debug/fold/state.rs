//! A debug session's document and what its events say besides.

use super::{Fault, sanitize};
use crate::event::{
    AnalysisRecorded, AttemptRecorded, Body, DebugAuthor, DebugBeside, DebugDocument,
    DebugExecution, DebugMetadata, DebugSessionId, DebugSessionImported, DebugSessionOpened,
    DebugStatus, FixApplied, FixOrigin, FixVerified, Recorded, Sequence, Verification, debug_ms,
    debug_time,
};
use crate::parse::content;
use crate::store::AnomalyKind;

/// JSON of a document above this takes nothing more: a quarter of it is refused when recording.
const DOCUMENT_BYTES_MAX: usize = 16 << 20;

/// What an event can add besides what it tells.
const GROWN_BYTES: usize = 1 << 10;

#[derive(Clone, Debug, PartialEq)]
pub struct DebugState {
    pub document: DebugDocument,
    pub beside: DebugBeside,
    at_most_bytes: usize,
}

impl DebugState {
    pub fn of(document: DebugDocument, beside: DebugBeside) -> Self {
        Self { document, beside, at_most_bytes: DOCUMENT_BYTES_MAX }
    }

    pub fn opened(opened: &DebugSessionOpened, at_ms: u64, sequence: Sequence) -> Self {
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
            first_seq: sequence.0,
            last_seq: sequence.0,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    None,
    Beside,
    Document,
}

/// Of an attempt's code this much is kept; the journal has it all.
const SNAPSHOT_BYTES_MAX: usize = 1 << 20;

impl DebugState {
    pub(super) fn attempt(
        &mut self,
        recorded: &AttemptRecorded,
        at_ms: u64,
        faults: &mut Vec<Fault>,
    ) -> Result<Change, Fault> {
        let attempt = recorded.attempt;
        if attempt == 0 {
            let id = &self.document.session_id;
            let message =
                format!("attempts begin at 1; the debug session {id} has none of number 0");
            return Err(Fault::contradiction(message));
        }
        if self.execution(attempt).is_ok() {
            let id = &self.document.session_id;
            let message = format!("attempt {attempt} of debug session {id} was told; that counts");
            return Err(Fault::contradiction(message));
        }
        let snapshot = recorded.code_snapshot.as_ref().map(|code| {
            let text = content::text(code, SNAPSHOT_BYTES_MAX);
            if text.is_none() {
                let id = &self.document.session_id;
                let message = format!("the code of attempt {attempt} of {id} is not to be read");
                faults.push(Fault { kind: AnomalyKind::LostContent, message });
            }
            text
        });
        let execution = sanitize::execution(DebugExecution {
            attempt,
            timestamp: debug_time(at_ms),
            code_hash: recorded.code_hash.clone(),
            code_snapshot: snapshot.flatten().map(|text| text.into_owned()),
            environment: recorded.environment.clone(),
            test_results: recorded.results.clone(),
            failures: Some(recorded.failures.clone()),
            analysis: None,
            fix_applied: None,
        });
        self.fits(&execution)?;
        let executions = &mut self.document.executions;
        let place = executions.partition_point(|known| known.attempt < attempt);
        executions.insert(place, execution);
        if let Some(id) = recorded.execution {
            self.beside.executions.insert(attempt, id.to_string());
        }
        Ok(Change::Document)
    }

    pub(super) fn analysis(&mut self, recorded: &AnalysisRecorded) -> Result<Change, Fault> {
        let attempt = recorded.attempt;
        self.execution(attempt)?;
        let is_told = recorded.by == DebugAuthor::Caller;
        if !is_told && self.beside.analyses_told.contains(&attempt) {
            return Ok(Change::None);
        }
        let analysis = sanitize::analysis(recorded.analysis.clone());
        self.fits(&analysis)?;
        self.execution(attempt)?.analysis = Some(analysis);
        if is_told {
            self.beside.analyses_told.insert(attempt);
        }
        Ok(Change::Document)
    }

    pub(super) fn fix(&mut self, recorded: &FixApplied) -> Result<Change, Fault> {
        let attempt = recorded.attempt;
        self.execution(attempt)?;
        let fix = sanitize::fix(recorded.fix.clone());
        self.fits(&fix)?;
        self.execution(attempt)?.fix_applied = Some(fix);
        let (by, template) = (recorded.by, recorded.template.clone());
        let origin = FixOrigin { by, template, tried: false, worked: None, refuted: false };
        self.beside.fixes.insert(attempt, origin);
        Ok(Change::Document)
    }

    pub(super) fn verified(&mut self, recorded: &FixVerified) -> Result<Change, Fault> {
        let attempt = recorded.attempt;
        let Some(fix) = &mut self.execution(attempt)?.fix_applied else {
            let id = &self.document.session_id;
            let message = format!("attempt {attempt} of debug session {id} has no fix to verify");
            return Err(Fault::unknown(message));
        };
        fix.verification = Some(recorded.verification);
        if let Some(origin) = self.beside.fixes.get_mut(&attempt) {
            let by_caller = recorded.by == DebugAuthor::Caller;
            origin.refuted = by_caller && recorded.verification == Verification::Failed;
        }
        Ok(Change::Document)
    }
}

impl DebugState {
    /// What an imported document becomes; one that was there gives only its place in the journal.
    pub(super) fn imported(
        imported: &DebugSessionImported,
        recorded: &Recorded,
        before: Option<&Self>,
    ) -> Result<Self, Fault> {
        let id = imported.session;
        let mut document: DebugDocument =
            serde_json::from_str(&imported.document.0).map_err(|source| Fault {
                kind: AnomalyKind::InvalidJson,
                message: format!("the imported document of debug session {id}: {source}"),
            })?;
        if document.executions.iter().any(|execution| execution.attempt == 0) {
            let message = format!("an attempt of the imported debug session {id} has the number 0");
            return Err(Fault { kind: AnomalyKind::InvalidJson, message });
        }
        let at_ms = recorded.event.envelope.at_ms;
        document.session_id = id.to_string();
        document.status.get_or_insert(DebugStatus::InProgress);
        // Where it says no time that can be, what counts is when it came.
        let updated_ms = document.updated_at.as_deref().and_then(debug_ms);
        let updated_ms = match updated_ms.filter(|updated_ms| *updated_ms <= at_ms) {
            Some(updated_ms) => updated_ms,
            None => {
                document.updated_at = Some(debug_time(at_ms));
                at_ms
            }
        };
        let begun = document.executions.first().map(|execution| execution.timestamp.as_str());
        let created = document.created_at.as_deref().or(begun);
        let created_ms = created.and_then(debug_ms).unwrap_or(updated_ms);
        let document = sanitize::document(document);
        let beside = DebugBeside {
            created_ms,
            updated_ms,
            first_seq: before.map_or(recorded.sequence.0, |before| before.beside.first_seq),
            last_seq: recorded.sequence.0,
            native_id: imported.native_id.clone(),
            escalated: document.status == Some(DebugStatus::Escalated),
            patterns_told: document.learnings.as_ref().is_some_and(|it| {
                it.patterns_identified.as_ref().is_some_and(|patterns| !patterns.is_empty())
            }),
            analyses_told: document
                .executions
                .iter()
                .filter(|execution| execution.analysis.is_some())
                .map(|execution| execution.attempt)
                .collect(),
            ..DebugBeside::default()
        };
        let mut state = Self::of(document, beside);
        state.fits(&())?;
        Ok(state)
    }
}
