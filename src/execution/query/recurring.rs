//! Diagnostics that come again and again.

use rusqlite::params_from_iter;
use serde::Serialize;

use super::narrowed::{Filter, Narrowed};
use super::next_check::Coverages;
use super::{After, ExecutionSummary, Page, Paging, QueryError, Stores, list, number};
use crate::event::Outcome;
use crate::parse::check::diagnostic::Diagnostic;

/// A diagnostic that came more than once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recurring {
    /// The code; where there is none, the level.
    pub code: String,
    pub executions: u64,
    /// Sessions in which it was had.
    pub sessions: u64,
    /// No later check that would have shown it, as the last did, ran without it.
    pub still_present: bool,
    /// One of them as the last execution had it: `error[E0425] src/lib.rs:3: cannot find value`.
    pub what: Option<String>,
    pub first: ExecutionSummary,
    pub last: ExecutionSummary,
}

/// Which diagnostics that recur. Ends with [`Self::fetch`]. The most executions first; a page's
/// `next` holds for this query alone.
#[derive(Clone, Debug)]
#[must_use = "a query asks nothing before `fetch`"]
pub struct RecurringQuery<'s> {
    stores: &'s Stores,
    session: Option<String>,
    executions_min: u64,
    paging: Paging,
}

impl Stores {
    /// Diagnostics that at least two executions had.
    pub fn recurring_diagnostics(&self) -> RecurringQuery<'_> {
        let paging = Paging::default();
        RecurringQuery { stores: self, session: None, executions_min: 2, paging }
    }
}

impl RecurringQuery<'_> {
    /// Only diagnostics of this session: its id, the beginning of it, or the agent's own name.
    pub fn with_session(mut self, session: impl Into<String>) -> Self {
        self.session = Some(session.into());
        self
    }

    /// Only those that so many executions had.
    pub fn at_least(mut self, executions_min: u64) -> Self {
        self.executions_min = executions_min.max(1);
        self
    }

    /// At most this many, after the place where the last page ended.
    pub fn page(mut self, limit: usize, after: Option<After>) -> Self {
        self.paging = Paging::of(limit, after);
        self
    }

    pub fn fetch(&self) -> Result<Page<Recurring>, QueryError> {
        let filter = Filter { session: self.session.clone(), ..Filter::default() };
        let Some(asked) = Narrowed::of(self.stores, &filter, false, None)? else {
            return Ok(Page::empty());
        };
        let counted = match asked.sessions.as_deref() {
            None => "SELECT number, label, executions AS n, sessions AS of FROM labels".to_owned(),
            Some(sessions) => format!(
                "SELECT number, l.label, n, of FROM (SELECT label AS which, \
                 sum(executions) AS n, count(*) AS of FROM session_labels \
                 WHERE session IN ({}) GROUP BY label) JOIN labels l ON number = which",
                list(sessions)
            ),
        };
        let sql = format!(
            "{counted} WHERE n >= ?1 AND n <= ?2 AND (n < ?2 OR number > ?3) \
             ORDER BY n DESC, number LIMIT ?4"
        );
        let Paging { limit, after } = self.paging;
        let [count, label] = after.unwrap_or(After { at_ms: u64::MAX, sequence: 0 }).values();
        let values = [number(self.executions_min), count, label, number(limit as u64 + 1)];
        let mut found: Vec<(i64, String, u64, u64)> =
            self.stores.index.all(&sql, params_from_iter(values))?;
        let more = found.len() > limit;
        found.truncate(limit);
        let next = found.last().filter(|_| more);
        let next = next.map(|last| After { at_ms: last.2, sequence: last.0.unsigned_abs() });
        let coverages = Coverages::default();
        let mut items = Vec::with_capacity(found.len());
        for (label, code, executions, sessions) in found {
            let [first, last] = [self.end(label, &asked, true)?, self.end(label, &asked, false)?];
            let (Some((_, first)), Some((execution, last))) = (first, last) else { continue };
            // What was refused or given up did not run, so that nothing later can be held against it.
            let ran = matches!(last.outcome, Some(Outcome::Ok | Outcome::Failed));
            let still_present = !(ran && self.stores.is_resolved(label, execution, &coverages)?);
            let what = self.told(label, execution)?;
            items.push(Recurring { code, executions, sessions, still_present, what, first, last });
        }
        Ok(Page { items, next })
    }

    /// A diagnostic of this label that an execution had.
    fn told(&self, label: i64, execution: i64) -> Result<Option<String>, QueryError> {
        let sql = "SELECT d.level, d.code, d.file_name, d.line, substr(d.message, 1, 400) \
                   FROM execution_diagnostics y JOIN diagnostics d ON d.number = y.diagnostic \
                   WHERE y.execution = ?1 AND d.label = ?2 ORDER BY d.number LIMIT 1";
        let found: Vec<(String, Option<String>, Option<String>, Option<u32>, String)> =
            self.stores.index.all(sql, [execution, label])?;
        Ok(found.into_iter().next().map(|(level, code, file_name, line_start, message)| {
            Diagnostic { level, code, file_name, line_start, message }.line()
        }))
    }

    /// The first or the last execution that had a label.
    fn end(
        &self,
        label: i64,
        asked: &Narrowed,
        first: bool,
    ) -> Result<Option<(i64, ExecutionSummary)>, QueryError> {
        let order = if first { "ASC" } else { "DESC" };
        let mut among = "e.corrected_by IS NULL".to_owned();
        if let Some(sessions) = &asked.sessions {
            let sessions = list(sessions);
            among.push_str(&format!(
                " AND e.session IN ({sessions}) AND x.at_ms <= \
                 (SELECT max(at_ms) FROM executions WHERE session IN ({sessions})) AND x.at_ms >= \
                 (SELECT min(at_ms) FROM executions WHERE session IN ({sessions}))"
            ));
        }
        let sql = format!(
            "SELECT x.execution FROM execution_labels x CROSS JOIN executions e \
             ON e.seq = x.execution WHERE x.label = ?1 AND {among} \
             ORDER BY x.at_ms {order}, x.at_seq {order} LIMIT 1"
        );
        let Some(execution) = self.stores.index.cell(&sql, [label])? else { return Ok(None) };
        Ok(self.stores.judged("1", &[], execution)?.map(|summary| (execution, summary)))
    }
}
