//! What resolved a diagnostic: checks that no longer show it, and what changed before them.

mod chain;

use super::executions::{Driver, IN_FOLDER, Narrowed};
use super::filter::{Filter, narrowing};
use super::{After, PAGE_ITEMS, Page, QueryError, Stores, list, text};
use crate::execution::query::{Asked, ExecutionSummary, PathRole};
use crate::store::Ask;

/// Checks that showed the code, looked at for one page.
const CHECKS_MAX: usize = 1_024;
/// Checks of the first step.
const STEP_CHECKS: usize = 64;

/// Which resolutions, and how many of them. Ends with [`Self::fetch`].
///
/// A check is an execution that ran: ok or failed. A resolution is the first later check of the
/// same tool on the same target (ruling 10) that does not show the code; checks in a row that show
/// it count as one. Order: the last check that showed it, the newest first. Times, session, success
/// and folder are those of the check that no longer shows it.
#[derive(Clone, Debug)]
#[must_use = "a query asks nothing before `fetch`"]
pub struct ResolutionQuery<'s> {
    stores: &'s Stores,
    code: String,
    filter: Filter,
    limit: usize,
    after: Option<After>,
}

impl Stores {
    /// Checks after which a diagnostic of this code (without a code: of this level) was gone.
    pub fn executions_resolving_error(&self, code: impl Into<String>) -> ResolutionQuery<'_> {
        let (filter, limit) = (Filter::default(), PAGE_ITEMS);
        ResolutionQuery { stores: self, code: code.into(), filter, limit, after: None }
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

    /// The page.
    pub fn fetch(&self) -> Result<Page<Resolution>, QueryError> {
        let bounds = Filter { until_ms: self.filter.until_ms, ..Filter::default() };
        let Some(label) = Narrowed::of(self.stores, &bounds, false, Some(&self.code))? else {
            return Ok(Page::empty());
        };
        let Some(number) = label.label else { return Ok(Page::empty()) };
        let Some(judge) = self.judge(number)? else { return Ok(Page::empty()) };
        let driver = Driver::of(&label);
        let mut page = Page { items: Vec::new(), next: self.after };
        let (mut checks, mut step) = (0, STEP_CHECKS);
        loop {
            let found = driver.step(self.stores, page.next, step, false)?;
            let last = found.len() < step;
            checks += found.len();
            for (check, after) in found {
                if page.items.len() == self.limit {
                    return Ok(page);
                }
                page.next = Some(after);
                let mut values = judge.values.clone();
                values.push(Ask::Number(check));
                let resolver = self.stores.index.answer(&judge.sql, &values, |row| row.get(0))?;
                if let Some(resolver) = resolver.first() {
                    page.items
                        .extend(self.stores.resolution(&self.code, number, check, *resolver)?);
                }
            }
            if last {
                return Ok(Page { next: None, ..page });
            }
            if checks >= CHECKS_MAX {
                return Ok(page);
            }
            step = (step * 4).min(CHECKS_MAX - checks).max(STEP_CHECKS);
        }
    }

    /// Gives, for a check that shows the label, the next one if that no longer shows it.
    pub(crate) fn judge(&self, label: i64) -> Result<Option<Asked>, QueryError> {
        let mut asked = Asked::default();
        asked.push(NEXT_CHECK, [Ask::Number(label)]);
        let filter = &self.filter;
        if let Some(success) = filter.success {
            asked.and("e.outcome = ?#", [text(if success { "ok" } else { "failed" })]);
        }
        if let Some(tool) = &filter.tool {
            asked.and("(e.tool = ?# OR e.native_tool = ?#)", [text(tool), text(tool)]);
        }
        if let Some(session) = &filter.session {
            let sessions = self.stores.session_numbers(session)?;
            if sessions.is_empty() {
                return Ok(None);
            }
            asked.and(&format!("e.session IN ({})", list(&sessions)), []);
        }
        if let Some(folder) = &filter.repository {
            let folder = || text(folder.trim_end_matches('/'));
            asked.and(IN_FOLDER, [folder(), folder(), folder()]);
        }
        for (bound, sql) in [(filter.since_ms, "e.at_ms >= ?#"), (filter.until_ms, "e.at_ms <= ?#")]
        {
            if let Some(bound) = bound {
                asked.and(sql, [super::number(bound)]);
            }
        }
        if let Some(file) = &filter.file {
            let file = || text(file.strip_prefix("./").unwrap_or(file));
            asked.and(IN_FILE, [Ask::Number(label), file(), file(), file(), file()]);
        }
        asked.push(" AND p.seq = ?", []);
        Ok(Some(asked))
    }
}

/// `p` showed the label and `e` is the next check of the same, which does not.
const NEXT_CHECK: &str = "SELECT e.seq FROM executions p JOIN executions e ON e.seq = \
     (SELECT m.seq FROM executions m WHERE m.target_key = p.target_key AND m.tool = p.tool \
      AND m.corrected_by IS NULL AND m.outcome IN ('ok', 'failed') \
      AND (m.at_ms, m.at_seq) > (p.at_ms, p.at_seq) ORDER BY m.at_ms, m.at_seq LIMIT 1) \
     WHERE p.corrected_by IS NULL AND p.outcome IN ('ok', 'failed') AND NOT EXISTS \
     (SELECT 1 FROM execution_labels x WHERE x.execution = e.seq AND x.label = ?#)";

/// A diagnostic of the label that `p` showed is in a file.
const IN_FILE: &str = "EXISTS (SELECT 1 FROM execution_diagnostics y JOIN diagnostics d \
     ON d.number = y.diagnostic WHERE y.execution = p.seq AND d.label = ?# \
     AND (d.file_name = ?# OR d.file_name = './' || ?# \
     OR substr(d.file_name, -length(?#) - 1) = '/' || ?#))";

/// A diagnostic that was there and then was not.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// How the candidates were found.
    pub basis: Basis,
    /// What changed files between the last check that showed it and the first that did not, the
    /// newest last.
    pub candidates: Vec<Candidate>,
    /// There were earlier ones.
    pub candidates_more: bool,
}

/// How causes were found. There is no other way than time: what was between may have been the
/// cause, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// It happened between: never proven.
    Temporal,
}

impl Basis {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Temporal => "temporal",
        }
    }
}

/// An execution that changed files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub execution: ExecutionSummary,
    /// The files that it changed or created.
    pub changed: Vec<(String, PathRole)>,
}
