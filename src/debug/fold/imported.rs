//! Documents that came from elsewhere.

use super::{DebugState, Fault, sanitize};
use crate::event::{
    DebugBeside, DebugDocument, DebugSessionImported, DebugStatus, Recorded, debug_ms, debug_time,
};
use crate::store::AnomalyKind;

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
