//! Executions as they end.

use super::IndexProjector;
use super::starts::{CHANGED, CREATED, NAMED, source};
use crate::event::{Closing, Recorded};
use crate::projector::closed::{Closed, signed};
use crate::projector::{AnomalyKind, diagnostic, sound};
use crate::store::StoreError;
use crate::store::index::{ClosingRow, ExecutionRow, KnownRow};

impl IndexProjector {
    /// Gives an execution its end, and the ordinal that its row in `execution_log.db` has: one is
    /// given here exactly where the other fold inserts a row.
    pub(super) fn close(
        &mut self,
        recorded: &Recorded,
        closed: Closed<'_>,
        session: Option<u64>,
    ) -> Result<(), StoreError> {
        let id = closed.execution.to_string();
        let known = match closed.corrects {
            // A correction is a row of its own id, whatever else that id was.
            Some(_) => self.store.own_execution(&id)?,
            None => self.store.execution(&id)?,
        };
        if let Some(known) = known.as_ref().filter(|known| known.ordinal.is_some()) {
            return self.closed_before(recorded, closed, known);
        }
        let seq = match known {
            Some(known) => known.seq,
            None => self.make_row(recorded, closed, session)?,
        };
        let ordinal = self.ordinal(recorded, closed)?;
        let corrects = closed.corrects.map(|id| id.to_string());
        if let Some(corrected) = &corrects
            && let Some(corrected) = self.store.execution(corrected)?
        {
            self.store.mark_corrected(corrected.seq, &closed.execution.to_string())?;
        }
        let error = closed.error_message();
        let closing = closed.closing;
        let diagnostics = closing.and_then(|closing| closing.diagnostics.as_ref());
        let first = diagnostics.and_then(|json| diagnostic::first(&json.0));
        if diagnostics.is_some_and(|json| !sound::is_array(&json.0)) {
            let message = "the diagnostics are not a JSON array; they were left out".to_owned();
            self.anomaly(recorded, AnomalyKind::InvalidJson, Some(closed.execution), message)?;
        }
        let row = ClosingRow {
            ordinal,
            tool: closed.tool,
            outcome: closed.outcome.as_str(),
            exit_code: closing.and_then(|closing| closing.exit_code),
            duration_ms: closing.and_then(|closing| closing.duration_ms).map(signed),
            error: error.as_deref().map(|error| diagnostic::cut(error, ERROR_BYTES_MAX)),
            diagnostic: first.as_deref(),
            closed_seq: recorded.sequence.0,
            closed_ms: signed(recorded.event.envelope.at_ms),
            corrects: corrects.as_deref(),
        };
        self.store.close_execution(seq, &row)?;
        closing.map_or(Ok(()), |closing| self.paths(seq, closing))
    }

    fn paths(&mut self, seq: u64, closing: &Closing) -> Result<(), StoreError> {
        for path in &closing.paths {
            self.store.add_path(seq, path, NAMED)?;
        }
        for change in &closing.changed {
            let role = if change.created { CREATED } else { CHANGED };
            self.store.add_path(seq, &change.path, role)?;
        }
        Ok(())
    }

    /// The ordinal, if `execution_log.db` takes the row.
    fn ordinal(
        &mut self,
        recorded: &Recorded,
        closed: Closed<'_>,
    ) -> Result<Option<u64>, StoreError> {
        if self.in_force(closed.tool) {
            return Ok(Some(self.store.next_ordinal()));
        }
        let message = format!(
            "{:?} is not in the contract's list in force: no row in execution_log.db",
            closed.tool
        );
        self.anomaly(recorded, AnomalyKind::UndeclaredTool, Some(closed.execution), message)?;
        Ok(None)
    }

    /// A row for an execution that had none: a correction's, or one whose start was lost.
    fn make_row(
        &mut self,
        recorded: &Recorded,
        closed: Closed<'_>,
        session: Option<u64>,
    ) -> Result<u64, StoreError> {
        let (seq, id) = (recorded.sequence.0, closed.execution.to_string());
        let at_ms = signed(recorded.event.envelope.at_ms);
        if let Some(corrects) = closed.corrects {
            if let Some(corrected) = self.store.execution(&corrects.to_string())? {
                self.store.begin_correction(seq, &id, at_ms, &corrected)?;
                return Ok(seq);
            }
            let message = format!("it corrects {corrects}, which nobody knows; its row has {{}}");
            self.anomaly(recorded, AnomalyKind::UnknownCorrected, Some(closed.execution), message)?;
        } else {
            let message = "its start is not in the journal; its row has {}".to_owned();
            self.anomaly(recorded, AnomalyKind::LostStart, Some(closed.execution), message)?;
        }
        let source = source(recorded.event.envelope.source);
        let tool = closed.tool;
        let row = ExecutionRow { seq, id: &id, session, source, tool, at_ms, ..Default::default() };
        self.store.begin_execution(&row)?;
        Ok(seq)
    }

    /// A second end is nothing unusual (a hook and an import tell the same), unless it tells
    /// another story.
    fn closed_before(
        &mut self,
        recorded: &Recorded,
        closed: Closed<'_>,
        known: &KnownRow,
    ) -> Result<(), StoreError> {
        let outcome = closed.outcome.as_str();
        if known.outcome.as_deref() == Some(outcome) {
            return Ok(());
        }
        let before = known.outcome.as_deref().unwrap_or("open");
        let message = format!("a second end says {outcome}, the first said {before}; it counts");
        self.anomaly(recorded, AnomalyKind::Contradiction, Some(closed.execution), message)
    }
}

/// Of an error message the index keeps this much.
const ERROR_BYTES_MAX: usize = 1 << 10;
