//! Executions as they end.

use super::IndexProjector;
use super::starts::{CHANGED, CREATED, NAMED, source};
use crate::event::{Closing, Outcome, Recorded};
use crate::execution::closed::{Closed, signed};
use crate::execution::index::{At, ClosingRow, DiagnosticRow, ExecutionRow, KnownRow};
use crate::execution::json_check;
use crate::parse::diagnostic;
use crate::parse::diagnostics::{Diagnostic, of_closing};
use crate::store::{AnomalyKind, StoreError};

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
        let known = match known {
            Some(known) => {
                if known.tool != closed.tool {
                    self.name_tool(known.native_tool.as_deref(), closed.tool)?;
                }
                Some(known)
            }
            None => {
                let made = self.make_row(recorded, closed, session)?;
                self.store.execution_at(made)?
            }
        };
        let Some(mut known) = known else { return Ok(()) };
        let (seq, again) = (known.seq, known.outcome.is_some());
        let ordinal = self.ordinal(recorded, closed)?;
        let corrects = closed.corrects.map(|id| id.to_string());
        if let Some(corrected) = &corrects
            && let Some(corrected) = self.store.execution(corrected)?
        {
            self.store.mark_corrected(corrected.seq, &closed.execution.to_string())?;
            // One may correct itself, or what corrects it.
            known.corrected |= self.store.execution_at(seq)?.is_some_and(|row| row.corrected);
        }
        let error = closed.error_message();
        let closing = closed.closing;
        let found = closing.map(|closing| of_closing(closed.tool, closing)).unwrap_or_default();
        let first = diagnostic::first(&found);
        let told = closing.and_then(|closing| closing.diagnostics.as_ref());
        if told.is_some_and(|json| !json_check::is_array(&json.0)) {
            let message = "the diagnostics are not a JSON array; they were left out".to_owned();
            self.anomaly(recorded, AnomalyKind::InvalidJson, Some(closed.execution), message)?;
        }
        let failed = closed.outcome == Outcome::Failed;
        let said = failed.then(|| diagnostic::said(first.as_deref().or(error.as_deref())));
        let row = ClosingRow {
            ordinal,
            tool: closed.tool,
            outcome: closed.outcome.as_str(),
            exit_code: closing.and_then(|closing| closing.exit_code),
            duration_ms: closing.and_then(|closing| closing.duration_ms).map(signed),
            error: error.as_deref().map(|error| diagnostic::cut(error, ERROR_BYTES_MAX)),
            diagnostic: first.as_deref(),
            said: said.map(|digest| digest.0),
            closed_seq: recorded.sequence.0,
            closed_ms: signed(recorded.event.envelope.at_ms),
            corrects: corrects.as_deref(),
        };
        self.store.close_execution(seq, &row)?;
        let at = At { execution: seq, at_ms: row.closed_ms, at_seq: row.closed_seq };
        if let Some(closing) = closing {
            self.touched(at, closed.tool, closing)?;
        }
        self.store.close_links(at)?;
        if again {
            self.store.forget_diagnostics(seq)?;
        }
        self.diagnostics(at, &found)?;
        if again {
            self.store.discount(&known)?;
        }
        known.tool = closed.tool.to_owned();
        known.outcome = Some(row.outcome.to_owned());
        (known.at_ms, known.at_seq) = (row.closed_ms, row.closed_seq);
        self.store.count(&known, row.said)
    }

    fn diagnostics(&mut self, at: At, found: &[Diagnostic]) -> Result<(), StoreError> {
        for one in found {
            let mut digest = [0; 16];
            digest.copy_from_slice(&one.identity()[..16]);
            let row = DiagnosticRow {
                digest,
                label: one.label(),
                code: one.code.as_deref(),
                level: &one.level,
                file_name: one.file_name.as_deref(),
                line: one.line_start,
                message: &one.message,
            };
            self.store.add_diagnostic(at, &row)?;
        }
        if found.is_empty() { Ok(()) } else { self.store.count_labels(at.execution, 1) }
    }

    /// The paths and symbols of a closing event. A success of a tool that only changes files
    /// changed the ones it named, where nobody said more.
    fn touched(&mut self, at: At, tool: &str, closing: &Closing) -> Result<(), StoreError> {
        for path in &closing.paths {
            self.store.add_path(at, path, NAMED)?;
        }
        for change in &closing.changed {
            let role = if change.created { CREATED } else { CHANGED };
            self.store.add_path(at, &change.path, role)?;
        }
        let role = match tool {
            "file_create" => Some(CREATED),
            "file_write" | "file_edit" | "splice_patch" => Some(CHANGED),
            _ => None,
        };
        if let Some(role) = role
            && closing.changed.is_empty()
            && closing.outcome == Outcome::Ok
        {
            self.store.strengthen_paths(at.execution, role)?;
        }
        closing.symbols.iter().try_for_each(|symbol| self.store.add_symbol(at, symbol))
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
                self.name_tool(corrected.native_tool.as_deref(), closed.tool)?;
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
