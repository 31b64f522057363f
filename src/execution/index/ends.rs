//! Executions as they end.

use rusqlite::params;

use super::Index;
use super::begun::Ended;
use super::coverage::Tried;
use super::links::{At, PathRole};
use super::open::KnownRow;
use crate::event::{Closing, Outcome, Recorded};
use crate::execution::closed::{Closed, signed};
use crate::execution::json;
use crate::execution::judged::is_answer;
use crate::parse::check::{Basis, Kind, Verdict, diagnostic};
use crate::store::{AnomalyKind, StoreError};

const ERROR_BYTES_MAX: usize = 1 << 10;
/// Corrections of corrections that are followed.
const CORRECTIONS_MAX: usize = 64;

impl Index {
    /// Gives an execution its end, and the ordinal that its row in `execution_log.db` has: one is
    /// given here exactly where the other fold inserts a row.
    pub(super) fn close(
        &mut self,
        recorded: &Recorded,
        closed: Closed<'_>,
        session: Option<u64>,
    ) -> Result<(), StoreError> {
        let id = closed.execution.to_string();
        if closed.corrects.is_some() {
            // What it says of others is written into their rows.
            self.write_open()?;
        }
        let known = match closed.corrects {
            // A correction is a row of its own id, whatever else that id was.
            Some(_) => self.own_execution(&id)?,
            None => self.execution(&id)?,
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
                self.make_row(recorded, closed, session)?;
                self.execution_at(recorded.sequence.0)?
            }
        };
        let Some(mut known) = known else { return Ok(()) };
        let (seq, again) = (known.seq, known.outcome.is_some());
        let ordinal = self.ordinal(recorded, closed)?;
        let corrects = closed.corrects.map(|id| id.to_string());
        if let Some(corrected) = &corrects
            && let Some(corrected) = self.execution(corrected)?
        {
            self.mark_corrected(corrected.seq, &id)?;
            // One may correct itself, or what corrects it.
            known.corrected |= self.execution_at(seq)?.is_some_and(|row| row.corrected);
        }
        let error = closed.error_message();
        let closing = closed.closing;
        let (command, cwd) = (known.command.as_deref(), known.cwd.as_deref());
        let (judged, causes) = self.judged(recorded.sequence, closed, command, cwd);
        let first = diagnostic::first(&judged.diagnostics);
        let told = closing.and_then(|closing| closing.diagnostics.as_ref());
        if told.is_some_and(|json| !json::is_array(&json.0)) {
            let message = "the diagnostics are not a JSON array; they were left out".to_owned();
            self.anomaly(recorded, AnomalyKind::InvalidJson, Some(closed.execution), message)?;
        }
        let tried = Tried::of(&judged);
        let is_answer = is_answer(known.asks, judged.outcome, closing.and_then(|it| it.exit_code));
        let verdict = judged.verdict().unzip();
        let report = judged.report.as_ref();
        let (at_seq, at_ms) = (recorded.sequence.0, signed(recorded.event.envelope.at_ms));
        let error = error.as_deref().map(|error| diagnostic::cut(error, ERROR_BYTES_MAX));
        let ended = Ended {
            ordinal,
            outcome: judged.outcome.as_str(),
            exit_code: closing.and_then(|closing| closing.exit_code),
            duration_ms: closing.and_then(|closing| closing.duration_ms).map(signed),
            error,
            diagnostic: first,
            at_seq,
            at_ms,
            corrects: corrects.as_deref(),
            tool: closed.tool,
            said: tried.said,
            told: closed.outcome.as_str(),
            checked: report.and_then(|it| it.kind).map(Kind::as_str),
            program: report.and_then(|it| it.program.as_deref()),
            verdict: verdict.0.map(Verdict::as_str),
            basis: verdict.1.map(Basis::as_str),
            telling: judged.telling.as_deref(),
            need: tried.need.as_deref(),
            partial: judged.is_partial().then_some(1),
            asks: is_answer.then_some(1),
            tests_ran: judged.tests_ran().map(signed),
            tests_skipped: judged.tests_skipped().map(signed),
            tests_passed: judged.tests_passed(),
            untimed: recorded.event.envelope.is_untimed().then_some(1),
        };
        if let Some(ordinal) = ordinal {
            self.rows.others = self.rows.others.max(ordinal);
        }
        let at = At { execution: seq, at_ms, at_seq };
        if let Some(closing) = closing {
            self.touched(at, closed.tool, closing)?;
        }
        match self.open.take(seq) {
            Some(open) => {
                self.write_whole(&open.known, &open.begun, ended)?;
                self.write_links(at, &open)?;
            }
            None => {
                self.write_ended(seq, ended)?;
                self.close_links(at)?;
            }
        }
        if again {
            self.forget_diagnostics(seq)?;
            self.forget_coverages(seq)?;
            self.forget_causes(seq)?;
            self.forget_failed_tests(seq)?;
        }
        if !known.corrected {
            self.add_coverages(at, known.session, &judged)?;
        }
        self.add_diagnostics(at, &judged.diagnostics)?;
        self.add_causes(at, causes)?;
        self.add_failed_tests(at, judged.failed_tests())?;
        if again {
            self.discount(&known)?;
        }
        // A write may turn out to have made its file.
        known.tool = closed.tool.to_owned();
        known.outcome = Some(judged.outcome.as_str().to_owned());
        known.told = Some(closed.outcome.as_str().to_owned());
        known.proven = judged.is_proven();
        known.partial = judged.is_partial();
        known.asks = is_answer;
        (known.at_ms, known.at_seq) = (at_ms, at_seq);
        self.count(&known, &tried)
    }

    /// The paths and symbols of a closing event. A success of a tool that only changes files
    /// changed the ones it named, where nobody said more.
    fn touched(&mut self, at: At, tool: &str, closing: &Closing) -> Result<(), StoreError> {
        for path in &closing.paths {
            self.add_path(at, path, PathRole::Named)?;
        }
        for change in &closing.changed {
            let role = if change.created { PathRole::Created } else { PathRole::Changed };
            self.add_path(at, &change.path, role)?;
        }
        let role = match tool {
            "file_create" => Some(PathRole::Created),
            "file_write" | "file_edit" | "splice_patch" => Some(PathRole::Changed),
            _ => None,
        };
        if let Some(role) = role
            && closing.changed.is_empty()
            && closing.outcome == Outcome::Ok
        {
            self.strengthen_paths(at.execution, role)?;
        }
        closing.symbols.iter().try_for_each(|symbol| self.add_symbol(at, symbol))
    }

    /// The ordinal, if `execution_log.db` takes the row.
    fn ordinal(
        &mut self,
        recorded: &Recorded,
        closed: Closed<'_>,
    ) -> Result<Option<u64>, StoreError> {
        if self.in_force(closed.tool) {
            return Ok(Some(self.rows.others + 1));
        }
        let message = format!(
            "{:?} is not in the contract's list in force: no row in execution_log.db",
            closed.tool
        );
        self.anomaly(recorded, AnomalyKind::UndeclaredTool, Some(closed.execution), message)?;
        Ok(None)
    }

    /// Says that an execution is counted by its correction; if it had one before, that one is.
    fn mark_corrected(&mut self, seq: u64, by: &str) -> Result<(), StoreError> {
        let mut seq = seq;
        for _ in 0..CORRECTIONS_MAX {
            let sql = "SELECT seq FROM executions WHERE id = \
                       (SELECT corrected_by FROM executions WHERE seq = ?1) AND id <> ?2";
            match self.find("looking a correction up", sql, params![seq, by], |row| row.get(0))? {
                Some(next) => seq = next,
                None => break,
            }
        }
        // Those that are kept too: what is said of them is said in their rows.
        self.write_open()?;
        let counted = self.execution_at(seq)?;
        self.count_labels(seq, -1)?;
        let sql = "UPDATE executions SET corrected_by = ?2 WHERE seq = ?1";
        self.write("marking a corrected execution", sql, params![seq, by])?;
        counted.map_or(Ok(()), |counted| self.discount(&counted))
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
        if known.told.as_deref() == Some(outcome) {
            return Ok(());
        }
        let before = known.outcome.as_deref().unwrap_or("open");
        let message = format!("a second end says {outcome}, the first said {before}; it counts");
        self.anomaly(recorded, AnomalyKind::Contradiction, Some(closed.execution), message)
    }
}
