//! Lists of executions: what failed, what produced a diagnostic, what touched a symbol or a file.

use super::narrowed::{Filter, Narrowed, narrowing};
use super::{After, Asked, ExecutionSummary, Page, Paging, QueryError, Stores, text};
use crate::store::Ask;

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
    paging: Paging,
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
            paging: Paging::default(),
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

    /// The same; where no diagnostic has such a code or level, those with one whose message has the text in
    /// it, in any case.
    pub(crate) fn executions_with_diagnostic(&self, text: &str) -> ExecutionQuery<'_> {
        let sql = "SELECT number FROM labels WHERE label = ?1";
        // What cannot be read here cannot be when it is asked either, which says so.
        if let Ok(None) = self.index.cell::<i64>(sql, [text]) {
            let filter = Filter { said: Some(text.to_owned()), ..Filter::default() };
            return ExecutionQuery { filter, ..self.executions() };
        }
        self.executions_producing_diagnostic(text)
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

    pub fn fetch(&self) -> Result<Page<ExecutionSummary>, QueryError> {
        let label = self.label.as_deref();
        let Some(narrowed) = Narrowed::of(self.stores, &self.filter, self.failed, label)? else {
            return Ok(Page::empty());
        };
        let judge = narrowed.judge();
        Driver::of(&narrowed).page(
            self.stores,
            self.paging,
            ROWS_MAX,
            self.oldest_first,
            |execution| match narrowed.touches(self.stores, execution)? {
                true => self.stores.judged(&judge.sql, &judge.values, execution),
                false => Ok(None),
            },
        )
    }
}

/// One or several indexes, each in order of time, read as one.
#[derive(Clone, Debug)]
pub struct Driver {
    arms: Vec<Arm>,
    since: Option<Ask>,
    until: Option<Ask>,
}

/// `FROM … WHERE …` with the values for its marks.
#[derive(Clone, Debug)]
struct Arm {
    execution: &'static str,
    sql: String,
    values: Vec<Ask>,
}

impl Arm {
    fn of(execution: &'static str, sql: impl Into<String>, values: Vec<Ask>) -> Self {
        Self { execution, sql: sql.into(), values }
    }

    fn tie(table: &str, column: &str, number: i64) -> Self {
        let sql = format!("{table} x WHERE x.{column} = ?1");
        Self::of("x.execution", sql, vec![Ask::Number(number)])
    }
}

/// Paths whose indexes are read side by side; of more, another index is read and each row asked.
const ARMS_MAX: usize = 16;

impl Driver {
    /// The indexes for what is asked, the narrowest first.
    pub fn of(asked: &Narrowed) -> Self {
        let arms = if let Some(symbol) = asked.symbol {
            vec![Arm::tie("execution_symbols", "symbol", symbol)]
        } else if let Some(label) = asked.label {
            vec![Arm::tie("execution_labels", "label", label)]
        } else if let Some(paths) = asked.few_paths(ARMS_MAX) {
            paths.iter().map(|path| Arm::tie("execution_paths", "path", *path)).collect()
        } else {
            Self::by_execution(asked)
        };
        Self { arms, since: asked.since.clone(), until: asked.until.clone() }
    }

    fn by_execution(asked: &Narrowed) -> Vec<Arm> {
        let arm = |sql: &str, values: Vec<Ask>| {
            Arm::of("x.seq", format!("executions x WHERE {sql}"), values)
        };
        let failed = asked.failed || asked.success == Some(false);
        match (&asked.tool, failed, asked.sessions.as_deref()) {
            (Some(_), _, Some(&[session])) => {
                let outcomes: &[&str] = match asked.success {
                    _ if failed => &["= 'failed'"],
                    Some(_) => &["= 'ok'"],
                    None => &["= 'ok'", "= 'failed'", "= 'refused'", "= 'interrupted'", "IS NULL"],
                };
                let ended = |outcome: &&str| {
                    format!("x.session = ?1 AND x.tool = ?2 AND x.outcome {outcome}")
                };
                let names = asked
                    .tools
                    .iter()
                    .flat_map(|tool| outcomes.iter().map(move |outcome| (tool, ended(outcome))));
                names.map(|(tool, sql)| arm(&sql, vec![Ask::Number(session), text(tool)])).collect()
            }
            (Some(tool), true, _) => vec![
                arm("x.outcome = 'failed' AND x.tool = ?1", vec![text(tool)]),
                arm("x.outcome = 'failed' AND x.native_tool = ?1", vec![text(tool)]),
            ],
            (_, _, Some(&[session])) => vec![arm("x.session = ?1", vec![Ask::Number(session)])],
            (_, true, _) => vec![arm("x.outcome = 'failed'", Vec::new())],
            (Some(_), false, _) => {
                let names = asked.tools.iter();
                names.map(|tool| arm("x.tool = ?1", vec![text(tool)])).collect()
            }
            _ => vec![arm("1", Vec::new())],
        }
    }

    /// A page of what `item` makes of the rows, of which so many are looked at.
    pub fn page<T>(
        &self,
        stores: &Stores,
        paging: Paging,
        rows_max: usize,
        oldest_first: bool,
        mut item: impl FnMut(i64) -> Result<Option<T>, QueryError>,
    ) -> Result<Page<T>, QueryError> {
        let mut page = Page { items: Vec::new(), next: paging.after };
        let (mut rows, mut step) = (0, STEP_ROWS);
        loop {
            let found = self.step(stores, page.next, step, oldest_first)?;
            let last = found.len() < step;
            rows += found.len();
            for (execution, after) in found {
                if page.next == Some(after) {
                    continue; // met by another path
                }
                if page.items.len() == paging.limit {
                    return Ok(page);
                }
                page.next = Some(after);
                page.items.extend(item(execution)?);
            }
            if last {
                return Ok(Page { next: None, ..page });
            }
            if rows >= rows_max {
                return Ok(page);
            }
            step = (step * 4).min(rows_max - rows).max(STEP_ROWS);
        }
    }

    /// The next rows: an execution, and where it stands.
    fn step(
        &self,
        stores: &Stores,
        after: Option<After>,
        rows: usize,
        oldest_first: bool,
    ) -> Result<Vec<(i64, After)>, QueryError> {
        let asked = self.statement(after, rows, oldest_first);
        Ok(stores.index.answer(&asked.sql, &asked.values, |row| {
            Ok((row.get(0)?, After { at_ms: row.get(1)?, sequence: row.get(2)? }))
        })?)
    }

    fn statement(&self, after: Option<After>, rows: usize, oldest_first: bool) -> Asked {
        let mut asked = Asked::default();
        for (at, arm) in self.arms.iter().enumerate() {
            if at > 0 {
                asked.push(" UNION ALL ", []);
            }
            asked.push(&format!("SELECT {}, x.at_ms, x.at_seq FROM ", arm.execution), []);
            asked.push(&arm.sql, arm.values.iter().cloned());
            if let Some(after) = after {
                let beyond = if oldest_first { ">" } else { "<" };
                asked.and(&format!("(x.at_ms, x.at_seq) {beyond} (?1, ?2)"), after.values());
            }
            for (bound, sql) in [(&self.since, "x.at_ms >= ?1"), (&self.until, "x.at_ms <= ?1")] {
                if let Some(bound) = bound {
                    asked.and(sql, [bound.clone()]);
                }
            }
        }
        let order = if oldest_first { "ASC" } else { "DESC" };
        let rows = Ask::Number(i64::try_from(rows).unwrap_or(i64::MAX));
        asked.push(&format!(" ORDER BY 2 {order}, 3 {order} LIMIT ?1"), [rows]);
        asked
    }
}
