//! One resolution, whole: the checks before it, and what changed in between.

use super::{Basis, Candidate, Resolution};
use crate::execution::query::show::role;
use crate::execution::query::{QueryError, Stores};
use crate::store::Ask;

/// Checks in a row that are counted.
const CHECKS_MAX: usize = 100;
/// Of them, those looked at first.
const CHECKS_FEW: usize = 4;
/// Candidates that are listed, the newest.
const CANDIDATES_MAX: usize = 10;
/// Diagnostics that are shown.
const DIAGNOSTICS_MAX: i64 = 5;
/// Of a diagnostic's line, the characters shown.
const LINE_CHARS_MAX: i64 = 400;

impl Stores {
    /// What lies between a check that showed a label and the next, which did not.
    pub(super) fn resolution(
        &self,
        code: &str,
        label: i64,
        check: i64,
        resolver: i64,
    ) -> Result<Option<Resolution>, QueryError> {
        let mut row = self.in_a_row(label, check)?;
        let checks_more = row.len() > CHECKS_MAX;
        row.truncate(CHECKS_MAX);
        let first = row.last().copied().unwrap_or(check);
        let found = [resolver, first, check].map(|execution| self.judged("1", &[], execution));
        let [Some(resolved_by), Some(first_seen), Some(last_seen)] = lift(found)? else {
            return Ok(None);
        };
        let from = [last_seen.at_ms, last_seen.sequence].map(crate::execution::query::number);
        let to = [resolved_by.at_ms, resolved_by.sequence].map(crate::execution::query::number);
        let mut candidates = self.candidates([from, to].concat())?;
        let candidates_more = candidates.len() > CANDIDATES_MAX;
        candidates.truncate(CANDIDATES_MAX);
        candidates.reverse();
        Ok(Some(Resolution {
            code: code.to_owned(),
            resolved_by,
            first_seen,
            last_seen,
            checks: row.len(),
            checks_more,
            diagnostics: self.lines(label, check)?,
            basis: Basis::Temporal,
            candidates,
            candidates_more,
        }))
    }

    /// The checks in a row that showed the label, the newest first; one more than are counted
    /// where there are more.
    fn in_a_row(&self, label: i64, check: i64) -> Result<Vec<i64>, QueryError> {
        // Rows are long seldom: a few are looked at before the rest.
        let mut in_a_row = Vec::new();
        for checks_max in [CHECKS_FEW, CHECKS_MAX + 1] {
            let values = [check, label, checks_max as i64].map(Ask::Number);
            let found: Vec<(i64, bool)> =
                self.index.answer(IN_A_ROW, &values, |row| Ok((row.get(0)?, row.get(1)?)))?;
            let showing = found.into_iter().take_while(|(_, shows)| *shows);
            in_a_row = showing.map(|(check, _)| check).collect();
            if in_a_row.len() < checks_max {
                break;
            }
        }
        Ok(in_a_row)
    }

    fn candidates(&self, between: Vec<Ask>) -> Result<Vec<Candidate>, QueryError> {
        let mut values = between;
        values.push(Ask::Number((CANDIDATES_MAX + 1) as i64));
        let found: Vec<i64> = self.index.answer(CHANGES, &values, |row| row.get(0))?;
        let mut candidates = Vec::new();
        for execution in found {
            let Some(summary) = self.judged("e.corrected_by IS NULL", &[], execution)? else {
                continue;
            };
            let changed = self.index.answer(CHANGED, &[Ask::Number(execution)], |row| {
                Ok((row.get(0)?, role(row.get(1)?)))
            })?;
            candidates.push(Candidate { execution: summary, changed });
        }
        Ok(candidates)
    }

    /// The diagnostics of a label that an execution had.
    fn lines(&self, label: i64, execution: i64) -> Result<Vec<String>, QueryError> {
        let values = [execution, label, DIAGNOSTICS_MAX, LINE_CHARS_MAX].map(Ask::Number);
        Ok(self.index.answer(LINES, &values, |row| row.get(0))?)
    }

    /// Whether a check that showed a label was followed by one that did not.
    pub(crate) fn is_resolved(&self, label: i64, check: i64) -> Result<bool, QueryError> {
        let sql = super::NEXT_CHECK.replace("?#", "?1");
        let values = [label, check].map(Ask::Number);
        let found = self.index.answer(&format!("{sql} AND p.seq = ?2"), &values, |_| Ok(()))?;
        Ok(!found.is_empty())
    }
}

fn lift<T, const N: usize>(
    found: [Result<Option<T>, QueryError>; N],
) -> Result<[Option<T>; N], QueryError> {
    let mut lifted = [const { None }; N];
    for (to, from) in lifted.iter_mut().zip(found) {
        *to = from?;
    }
    Ok(lifted)
}

pub(super) const IN_A_ROW: &str = "SELECT m.seq, EXISTS (SELECT 1 FROM execution_labels x \
     WHERE x.execution = m.seq AND x.label = ?2) FROM executions p JOIN executions m \
     ON m.target_key = p.target_key AND m.tool = p.tool AND m.corrected_by IS NULL \
     AND m.outcome IN ('ok', 'failed') AND (m.at_ms, m.at_seq) <= (p.at_ms, p.at_seq) \
     WHERE p.seq = ?1 ORDER BY m.at_ms DESC, m.at_seq DESC LIMIT ?3";

pub(super) const CHANGES: &str = "SELECT DISTINCT x.execution FROM execution_paths x \
     WHERE x.role > 0 AND (x.at_ms, x.at_seq) > (?1, ?2) AND (x.at_ms, x.at_seq) < (?3, ?4) \
     ORDER BY x.at_ms DESC, x.at_seq DESC LIMIT ?5";

const CHANGED: &str = "SELECT p.path, x.role FROM execution_paths x JOIN paths p \
     ON p.number = x.path WHERE x.execution = ?1 AND x.role > 0 ORDER BY p.path LIMIT 100";

const LINES: &str = "SELECT substr(d.level || coalesce('[' || d.code || ']', '') \
     || coalesce(' ' || d.file_name || coalesce(':' || d.line, ''), '') || ': ' || d.message, \
     1, ?4) FROM execution_diagnostics y JOIN diagnostics d ON d.number = y.diagnostic \
     WHERE y.execution = ?1 AND d.label = ?2 ORDER BY d.number LIMIT ?3";
