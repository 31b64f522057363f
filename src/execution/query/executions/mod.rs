//! Lists of executions: what failed, what produced a diagnostic, what touched a symbol or a file.

mod driver;
mod narrowed;

use super::filter::{Filter, narrowing};
use super::page::PAGE_ITEMS;
use super::summary::{COLUMNS, read};
use super::{After, ExecutionSummary, Page, QueryError, Stores};
use crate::store::Ask;
pub(crate) use driver::Driver;
pub(crate) use narrowed::{IN_FOLDER, Narrowed};

/// Rows looked at for one page, so that none takes longer than a few milliseconds.
const ROWS_MAX: usize = 4_096;
/// Rows of the first step; each further one is four times as large.
const STEP_ROWS: usize = 64;

/// Which executions, and how many of them. Ends with [`Self::fetch`].
///
/// Corrections stand for what they correct. Order: (time, sequence), the newest first unless
/// [`Self::oldest_first`].
#[derive(Clone, Debug)]
#[must_use = "a query asks nothing before `fetch`"]
pub struct ExecutionQuery<'s> {
    stores: &'s Stores,
    filter: Filter,
    /// Only those that ran and failed.
    failed: bool,
    label: Option<String>,
    limit: usize,
    after: Option<After>,
    oldest_first: bool,
}

impl Stores {
    /// Every execution.
    pub fn executions(&self) -> ExecutionQuery<'_> {
        ExecutionQuery {
            stores: self,
            filter: Filter::default(),
            failed: false,
            label: None,
            limit: PAGE_ITEMS,
            after: None,
            oldest_first: false,
        }
    }

    /// Executions of a tool that ran and failed (refused is not failed).
    pub fn failed_executions(&self, tool: impl Into<String>) -> ExecutionQuery<'_> {
        self.all_failed_executions().with_tool(tool)
    }

    /// Executions of any tool that ran and failed.
    pub fn all_failed_executions(&self) -> ExecutionQuery<'_> {
        ExecutionQuery { failed: true, ..self.executions() }
    }

    /// Executions with a diagnostic of this code; of those without a code, of this level.
    pub fn executions_producing_diagnostic(&self, code: impl Into<String>) -> ExecutionQuery<'_> {
        ExecutionQuery { label: Some(code.into()), ..self.executions() }
    }
}

impl ExecutionQuery<'_> {
    narrowing!();

    /// Only what was about this symbol.
    pub fn with_symbol(mut self, symbol: impl Into<String>) -> Self {
        self.filter.symbol = Some(symbol.into());
        self
    }

    /// Only what had to do with this file: its path, or the end of it.
    pub fn with_file(mut self, file: impl Into<String>) -> Self {
        self.filter.file = Some(file.into());
        self
    }

    /// Only what had to do with this file, or with what is in this folder.
    pub fn with_path(mut self, path: impl Into<String>) -> Self {
        self.filter.path = Some(path.into());
        self
    }

    /// Only what had a diagnostic of this code; of those without a code, of this level.
    pub fn with_diagnostic(mut self, code: impl Into<String>) -> Self {
        self.label = Some(code.into());
        self
    }

    /// In the order in which they happened.
    pub fn oldest_first(mut self) -> Self {
        self.oldest_first = true;
        self
    }

    /// The page.
    ///
    /// # Errors
    /// Where a store cannot be read.
    pub fn fetch(&self) -> Result<Page<ExecutionSummary>, QueryError> {
        let label = self.label.as_deref();
        let Some(narrowed) = Narrowed::of(self.stores, &self.filter, self.failed, label)? else {
            return Ok(Page::empty());
        };
        let driver = Driver::of(&narrowed);
        let judge = narrowed.judge();
        let mut page = Page { items: Vec::new(), next: self.after };
        let (mut rows, mut step) = (0, STEP_ROWS);
        loop {
            let found = driver.step(self.stores, page.next, step, self.oldest_first)?;
            let last = found.len() < step;
            rows += found.len();
            for (execution, after) in found {
                if page.next == Some(after) {
                    continue; // met by another path
                }
                if page.items.len() == self.limit {
                    return Ok(page);
                }
                page.next = Some(after);
                if narrowed.touches(self.stores, execution)? {
                    page.items.extend(self.stores.judged(&judge.sql, &judge.values, execution)?);
                }
            }
            if last {
                return Ok(Page { next: None, ..page });
            }
            if rows >= ROWS_MAX {
                return Ok(page);
            }
            step = (step * 4).min(ROWS_MAX - rows).max(STEP_ROWS);
        }
    }
}

/// One execution by its row's number, if the conditions let it through.
fn judging(conditions: &str) -> String {
    format!(
        "SELECT {COLUMNS} FROM executions e LEFT JOIN sessions s ON s.number = e.session \
         WHERE {conditions} AND e.seq = ?"
    )
}

impl Stores {
    /// An execution by its row's number, if the conditions let it through.
    pub(crate) fn judged(
        &self,
        conditions: &str,
        values: &[Ask],
        execution: i64,
    ) -> Result<Option<ExecutionSummary>, QueryError> {
        let mut values = values.to_vec();
        values.push(Ask::Number(execution));
        let sql = judging(conditions);
        Ok(self.index.answer(&sql, &values, |row| Ok(read!(row)))?.pop())
    }
}
