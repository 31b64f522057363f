//! What resolved a diagnostic: checks that no longer show it, and what changed before them.

use serde::Serialize;

use super::execution::touched;
use super::executions::Driver;
use super::narrowed::{Filter, Narrowed, narrowing};
use super::next_check::Coverages;
use super::{Asked, ExecutionSummary, Page, Paging, PathRole, QueryError, Stores, number, text};
use crate::store::Ask;

/// Checks that showed the code, looked at for one page.
const PAGE_CHECKS_MAX: usize = 1_024;
/// Checks in a row that are counted.
const CHECKS_MAX: usize = 100;
/// Of them, those looked at first.
const CHECKS_FEW: usize = 4;
/// Candidates that are listed, the newest.
const CANDIDATES_MAX: usize = 10;
const DIAGNOSTICS_MAX: i64 = 5;
/// Of a diagnostic's line, the characters shown.
const LINE_CHARS_MAX: i64 = 400;

/// Which resolutions, and how many of them. Ends with [`Self::fetch`].
///
/// A check is an execution that ran: ok or failed. A resolution is the first later check that would have
/// shown the code (ruling 10) and does not; checks in a row that show it count as one. Order: the last check that showed it, the newest first. Times, session, success
/// and folder are those of the check that no longer shows it.
#[derive(Clone, Debug)]
#[must_use = "a query asks nothing before `fetch`"]
pub struct ResolutionQuery<'s> {
    stores: &'s Stores,
    code: String,
    filter: Filter,
    paging: Paging,
}

impl Stores {
    /// Checks after which a diagnostic of this code (without a code: of this level) was gone.
    pub fn executions_resolving_error(&self, code: impl Into<String>) -> ResolutionQuery<'_> {
        let (filter, paging) = (Filter::default(), Paging::default());
        ResolutionQuery { stores: self, code: code.into(), filter, paging }
    }

    /// The same where the check succeeded: a failed one may have stopped before it came so far.
    pub fn successful_resolutions_for_error(&self, code: impl Into<String>) -> ResolutionQuery<'_> {
        self.executions_resolving_error(code).with_success(true)
    }
}

impl ResolutionQuery<'_> {
    narrowing!();

    /// Only where the diagnostic was in this file: its path, or the end of it.
    pub fn with_file(mut self, file: impl Into<String>) -> Self {
        self.filter.file = Some(file.into());
        self
    }

    pub fn fetch(&self) -> Result<Page<Resolution>, QueryError> {
        let bounds = Filter { until_ms: self.filter.until_ms, ..Filter::default() };
        let Some(label) = Narrowed::of(self.stores, &bounds, false, Some(&self.code))? else {
            return Ok(Page::empty());
        };
        let Some(number) = label.label else { return Ok(Page::empty()) };
        let Some(judge) = self.judge(number)? else { return Ok(Page::empty()) };
        let coverages = Coverages::default();
        Driver::of(&label).page(self.stores, self.paging, PAGE_CHECKS_MAX, false, |check| {
            let Some(next) = self.stores.next_check(check, number, &coverages)? else {
                return Ok(None);
            };
            let mut values = judge.values.clone();
            values.extend([Ask::Number(next), Ask::Number(check)]);
            let resolver = self.stores.index.answer(&judge.sql, &values, |row| row.get(0))?.pop();
            let found = |resolver| self.stores.resolution(&self.code, number, check, resolver);
            resolver.map_or(Ok(None), found)
        })
    }

    /// Gives, of the next check and one that shows the label, the next one if that no longer shows it.
    pub(crate) fn judge(&self, label: i64) -> Result<Option<Asked>, QueryError> {
        let mut asked = Asked::default();
        asked.push(NEXT_CHECK, [Ask::Number(label)]);
        if !self.filter.add_to(&mut asked, self.stores)? {
            return Ok(None);
        }
        if let Some(file) = &self.filter.file {
            let file = text(file.strip_prefix("./").unwrap_or(file));
            asked.and(IN_FILE, [Ask::Number(label), file]);
        }
        asked.push(" AND e.seq = ? AND p.seq = ?", []);
        Ok(Some(asked))
    }
}

impl Stores {
    /// What lies between a check that showed a label and the next, which did not.
    fn resolution(
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
        let judged = |execution| self.judged("1", &[], execution);
        let (Some(resolved_by), Some(first_seen), Some(last_seen)) =
            (judged(resolver)?, judged(first)?, judged(check)?)
        else {
            return Ok(None);
        };
        let mut candidates = self.candidates(&last_seen, &resolved_by)?;
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
            basis: "temporal",
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
            let found: Vec<(i64, bool)> =
                self.index.all(IN_A_ROW, [check, label, checks_max as i64])?;
            let showing = found.into_iter().take_while(|(_, shows)| *shows);
            in_a_row = showing.map(|(check, _)| check).collect();
            if in_a_row.len() < checks_max {
                break;
            }
        }
        Ok(in_a_row)
    }

    /// What changed files between two checks, the newest first; one more than are listed.
    fn candidates(
        &self,
        from: &ExecutionSummary,
        to: &ExecutionSummary,
    ) -> Result<Vec<Candidate>, QueryError> {
        let most = CANDIDATES_MAX as u64 + 1;
        let asked = [from.at_ms, from.sequence, to.at_ms, to.sequence, most].map(number);
        let found: Vec<i64> = self.index.answer(CHANGES, &asked, |row| row.get(0))?;
        let mut candidates = Vec::new();
        for execution in found {
            let Some(summary) = self.judged("e.corrected_by IS NULL", &[], execution)? else {
                continue;
            };
            let changed = self.index.all(CHANGED, [execution])?;
            candidates.push(Candidate { execution: summary, changed });
        }
        Ok(candidates)
    }

    /// The diagnostics of a label that an execution had.
    fn lines(&self, label: i64, execution: i64) -> Result<Vec<String>, QueryError> {
        let asked = [execution, label, DIAGNOSTICS_MAX, LINE_CHARS_MAX];
        Ok(self.index.column(LINES, asked)?)
    }

    /// Whether a check that showed a label was followed by one that did not.
    pub(crate) fn is_resolved(
        &self,
        label: i64,
        check: i64,
        coverages: &Coverages,
    ) -> Result<bool, QueryError> {
        let Some(next) = self.next_check(check, label, coverages)? else { return Ok(false) };
        let sql = "SELECT 1 FROM execution_labels WHERE execution = ?1 AND label = ?2";
        Ok(self.index.cell::<i64>(sql, [next, label])?.is_none())
    }
}

/// `p` showed the label and `e`, the next check, does not.
const NEXT_CHECK: &str = "SELECT e.seq FROM executions p CROSS JOIN executions e \
     WHERE p.corrected_by IS NULL AND p.outcome IN ('ok', 'failed') AND NOT EXISTS \
     (SELECT 1 FROM execution_labels x WHERE x.execution = e.seq AND x.label = ?1)";

/// A diagnostic of the label that `p` showed is in a file.
const IN_FILE: &str = "EXISTS (SELECT 1 FROM execution_diagnostics y JOIN diagnostics d \
     ON d.number = y.diagnostic WHERE y.execution = p.seq AND d.label = ?1 \
     AND (d.file_name = ?2 OR d.file_name = './' || ?2 \
     OR substr(d.file_name, -length(?2) - 1) = '/' || ?2))";

const IN_A_ROW: &str = "SELECT m.seq, EXISTS (SELECT 1 FROM execution_labels x \
     WHERE x.execution = m.seq AND x.label = ?2) FROM executions p JOIN executions m \
     ON m.target_key = p.target_key AND m.tool = p.tool AND m.corrected_by IS NULL \
     AND m.outcome IN ('ok', 'failed') AND (m.at_ms, m.at_seq) <= (p.at_ms, p.at_seq) \
     WHERE p.seq = ?1 ORDER BY m.at_ms DESC, m.at_seq DESC LIMIT ?3";

const CHANGES: &str = "SELECT DISTINCT x.execution FROM execution_paths x \
     WHERE x.role > 0 AND (x.at_ms, x.at_seq) > (?1, ?2) AND (x.at_ms, x.at_seq) < (?3, ?4) \
     ORDER BY x.at_ms DESC, x.at_seq DESC LIMIT ?5";

const CHANGED: &str = "SELECT p.path, x.role FROM execution_paths x JOIN paths p \
     ON p.number = x.path WHERE x.execution = ?1 AND x.role > 0 ORDER BY p.path LIMIT 100";

const LINES: &str = "SELECT substr(d.level || coalesce('[' || d.code || ']', '') \
     || coalesce(' ' || d.file_name || coalesce(':' || d.line, ''), '') || ': ' || d.message, \
     1, ?4) FROM execution_diagnostics y JOIN diagnostics d ON d.number = y.diagnostic \
     WHERE y.execution = ?1 AND d.label = ?2 ORDER BY d.number LIMIT ?3";

/// A diagnostic that was there and then was not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Resolution {
    /// The code; where there is none, the level.
    pub code: String,
    /// The first check that no longer showed it.
    pub resolved_by: ExecutionSummary,
    /// The first and the last of the checks in a row that showed it.
    pub first_seen: ExecutionSummary,
    pub last_seen: ExecutionSummary,
    /// How many those were.
    pub checks: usize,
    /// There were more of them than were counted, and the first is an earlier one.
    pub checks_more: bool,
    /// The diagnostics of the code at the last of them, a line each.
    pub diagnostics: Vec<String>,
    /// `temporal`: the candidates were found by time alone. What was between may have been the cause, or not.
    pub basis: &'static str,
    /// What changed files between the last check that showed it and the first that did not, the
    /// newest last.
    pub candidates: Vec<Candidate>,
    /// There were earlier ones.
    pub candidates_more: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Candidate {
    pub execution: ExecutionSummary,
    #[serde(serialize_with = "touched")]
    pub changed: Vec<(String, PathRole)>,
}
