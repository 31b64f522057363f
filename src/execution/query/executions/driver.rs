//! The index that an answer is read along: the one with the fewest rows that do not count.

use super::Narrowed;
use crate::execution::query::asked::{Asked, text};
use crate::execution::query::{After, QueryError, Stores};
use crate::store::Ask;

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
        let sql = format!("{table} x WHERE x.{column} = ?#");
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
                    format!("x.session = ?# AND x.tool = ?# AND x.outcome {outcome}")
                };
                let names = asked
                    .tools
                    .iter()
                    .flat_map(|tool| outcomes.iter().map(move |outcome| (tool, ended(outcome))));
                names.map(|(tool, sql)| arm(&sql, vec![Ask::Number(session), text(tool)])).collect()
            }
            (Some(tool), true, _) => vec![
                arm("x.outcome = 'failed' AND x.tool = ?#", vec![text(tool)]),
                arm("x.outcome = 'failed' AND x.native_tool = ?#", vec![text(tool)]),
            ],
            (_, _, Some(&[session])) => vec![arm("x.session = ?#", vec![Ask::Number(session)])],
            (_, true, _) => vec![arm("x.outcome = 'failed'", Vec::new())],
            (Some(_), false, _) => {
                let names = asked.tools.iter();
                names.map(|tool| arm("x.tool = ?#", vec![text(tool)])).collect()
            }
            _ => vec![arm("1", Vec::new())],
        }
    }

    /// The next rows: an execution, and where it stands.
    pub fn step(
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

    pub(super) fn statement(&self, after: Option<After>, rows: usize, oldest_first: bool) -> Asked {
        let mut asked = Asked::default();
        for (at, arm) in self.arms.iter().enumerate() {
            if at > 0 {
                asked.push(" UNION ALL ", []);
            }
            asked.push(&format!("SELECT {}, x.at_ms, x.at_seq FROM ", arm.execution), []);
            asked.push(&arm.sql, arm.values.iter().cloned());
            if let Some(after) = after {
                let beyond = if oldest_first { ">" } else { "<" };
                asked.and(&format!("(x.at_ms, x.at_seq) {beyond} (?#, ?#)"), after.values());
            }
            for (bound, sql) in [(&self.since, "x.at_ms >= ?#"), (&self.until, "x.at_ms <= ?#")] {
                if let Some(bound) = bound {
                    asked.and(sql, [bound.clone()]);
                }
            }
        }
        let order = if oldest_first { "ASC" } else { "DESC" };
        let rows = Ask::Number(i64::try_from(rows).unwrap_or(i64::MAX));
        asked.push(&format!(" ORDER BY 2 {order}, 3 {order} LIMIT ?#"), [rows]);
        asked
    }
}
