//! How often the same was tried, and how often it failed.

use super::executions::IN_FOLDER;
use super::filter::{Filter, narrowing};
use super::{
    Action, After, Asked, ExecutionSummary, PAGE_ITEMS, Page, QueryError, Stores, list, text,
};
use crate::event::target::Target;
use crate::store::Ask;

/// Ways in which a path was recorded that are looked at.
const PATHS_MAX: usize = 16;

/// What was done before that is like an action: the same tool on the same target (ruling 10).
///
/// One pattern a tool and target: an action given by words may be several. The most executions
/// first.
#[derive(Clone, Debug)]
#[must_use = "a query asks nothing before `fetch`"]
pub struct PatternQuery<'s> {
    stores: &'s Stores,
    action: Action,
    filter: Filter,
    rate_min: f64,
    limit: usize,
    after: Option<After>,
}

impl Stores {
    /// What was done before that is like this action.
    pub fn pattern_match(&self, action: &Action) -> PatternQuery<'_> {
        let (action, filter) = (action.clone(), Filter::default());
        PatternQuery { stores: self, action, filter, rate_min: 0.0, limit: PAGE_ITEMS, after: None }
    }
}

impl PatternQuery<'_> {
    narrowing!();

    /// Only patterns of which at least this share of what ran failed, 0.0 to 1.0. What was refused
    /// or interrupted did not run.
    pub fn filter_failure_rate_threshold(mut self, rate_min: f64) -> Self {
        self.rate_min = rate_min;
        self
    }

    /// The page: patterns with their counts and their last executions.
    pub fn fetch(&self) -> Result<Page<Pattern>, QueryError> {
        let mut keys = self.action.target_keys();
        if let Some(target) = &self.action.target {
            // A path may have been recorded from another folder than it is asked from.
            for path in self.stores.file_paths(target, PATHS_MAX)? {
                keys.push(Target::of_path(path).key());
            }
            keys.sort_unstable();
            keys.dedup();
        }
        let mut items = Vec::new();
        for tool in self.stores.tools_named(&self.action.tool)? {
            for key in keys.iter().copied() {
                let asked = self.conditions(&tool, Ask::Bytes(key.0))?;
                if let Some(pattern) = asked.map(|asked| self.pattern(&tool, &asked)).transpose()? {
                    items.extend(pattern);
                }
            }
        }
        items.retain(|pattern| pattern.failure_rate() >= self.rate_min || self.rate_min <= 0.0);
        items.sort_by_key(|pattern| std::cmp::Reverse(pattern.executions()));
        let from = self.after.map_or(0, |after| after.sequence as usize);
        let more = items.len() > from.saturating_add(self.limit);
        let items: Vec<Pattern> = items.into_iter().skip(from).take(self.limit).collect();
        let sequence = (from + items.len()) as u64;
        Ok(Page { items, next: more.then_some(After { at_ms: 0, sequence }) })
    }

    fn pattern(&self, tool: &str, asked: &Asked) -> Result<Option<Pattern>, QueryError> {
        let sql = format!(
            "SELECT e.outcome, count(*), min(e.at_ms), max(e.at_ms) FROM executions e WHERE {} \
             GROUP BY e.outcome",
            asked.sql
        );
        let counted: Vec<(Option<String>, u64, u64, u64)> =
            self.stores.index.answer(&sql, &asked.values, |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })?;
        let Some(first_ms) = counted.iter().map(|counted| counted.2).min() else {
            return Ok(None);
        };
        let of = |outcome: &str| {
            let same = counted.iter().filter(|counted| counted.0.as_deref() == Some(outcome));
            same.map(|counted| counted.1).sum()
        };
        Ok(Some(Pattern {
            tool: tool.to_owned(),
            ok: of("ok"),
            failed: of("failed"),
            refused: of("refused"),
            interrupted: of("interrupted"),
            first_ms,
            last_ms: counted.iter().map(|counted| counted.3).max().unwrap_or(first_ms),
            last: self.last(asked)?,
        }))
    }

    fn last(&self, asked: &Asked) -> Result<Vec<ExecutionSummary>, QueryError> {
        let sql = format!(
            "SELECT e.seq FROM executions e WHERE {} ORDER BY e.at_ms DESC, e.at_seq DESC LIMIT 5",
            asked.sql
        );
        let found: Vec<i64> = self.stores.index.answer(&sql, &asked.values, |row| row.get(0))?;
        let mut last = Vec::new();
        for execution in found {
            last.extend(self.stores.judged("1", &[], execution)?);
        }
        Ok(last)
    }

    /// Executions of the tool on the target; `None` where a session is asked for that is not there.
    pub(crate) fn conditions(&self, tool: &str, key: Ask) -> Result<Option<Asked>, QueryError> {
        let mut asked = Asked::default();
        asked.push(
            "e.target_key = ?# AND e.tool = ?# AND e.corrected_by IS NULL AND e.outcome NOTNULL",
            [key, text(tool)],
        );
        if tool != self.action.tool {
            asked.and("e.native_tool = ?#", [text(&self.action.tool)]);
        }
        let filter = &self.filter;
        if let Some(name) = &filter.tool {
            asked.and("(e.tool = ?# OR e.native_tool = ?#)", [text(name), text(name)]);
        }
        if let Some(success) = filter.success {
            asked.and("e.outcome = ?#", [text(if success { "ok" } else { "failed" })]);
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
        Ok(Some(asked))
    }
}

/// How often the same was tried, and how often it failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The contract's name.
    pub tool: String,
    pub ok: u64,
    pub failed: u64,
    /// Never ran.
    pub refused: u64,
    pub interrupted: u64,
    /// When it was first tried, Unix milliseconds.
    pub first_ms: u64,
    pub last_ms: u64,
    /// The last executions, the newest first.
    pub last: Vec<ExecutionSummary>,
}

impl Pattern {
    /// All of them.
    pub fn executions(&self) -> u64 {
        self.ok + self.failed + self.refused + self.interrupted
    }

    /// Of those that ran to their end, the share that failed; 0 where none did.
    pub fn failure_rate(&self) -> f64 {
        let ran = self.ok + self.failed;
        if ran == 0 { 0.0 } else { self.failed as f64 / ran as f64 }
    }

    /// What they were about, as the newest of them had it.
    pub fn target(&self) -> Option<&str> {
        self.last.first()?.target.as_deref()
    }
}
