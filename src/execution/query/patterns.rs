//! What an agent is about to do, and how often the same was tried and failed.

use std::path::Path;

use rusqlite::params_from_iter;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::narrowed::{Filter, narrowing};
use super::{After, Asked, ExecutionSummary, Page, Paging, QueryError, Stores, text};
use crate::event::target::{self, CallDigest, Target, arguments_digest};
use crate::event::{Json, Ordered, wire};
use crate::execution::index::ROOT;
use crate::parse::check;
use crate::parse::check::coverage::Site;
use crate::store::Ask;

const CHECKED_IN: &str = "SELECT DISTINCT cwd FROM executions \
     WHERE command IS NOT NULL AND cwd IS NOT NULL ORDER BY cwd LIMIT 64";

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
    paging: Paging,
}

impl Stores {
    /// What was done before that is like this action.
    pub fn pattern_match(&self, action: &Action) -> PatternQuery<'_> {
        let (action, filter, paging) = (action.clone(), Filter::default(), Paging::default());
        PatternQuery { stores: self, action, filter, rate_min: 0.0, paging }
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
        self.add_folders(&mut keys)?;
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
        items.order_by_key(|pattern| std::cmp::Reverse(pattern.executions()));
        let Paging { limit, after } = self.paging;
        let from = after.map_or(0, |after| after.sequence as usize);
        let more = items.len() > from.saturating_add(limit);
        let items: Vec<Pattern> = items.into_iter().skip(from).take(limit).collect();
        let sequence = (from + items.len()) as u64;
        Ok(Page { items, next: more.then_some(After { at_ms: 0, sequence }) })
    }

    /// A check is another in each folder; what was one may be declared no longer.
    fn add_folders(&self, keys: &mut Vec<CallDigest>) -> Result<(), QueryError> {
        let Some(command) = self.action.command() else { return Ok(()) };
        let mut folders: Vec<Option<String>> = self.stores.index.column(CHECKED_IN, [])?;
        folders.push(None);
        let root: String = self.stores.index.cell(ROOT, [])?.unwrap_or_default();
        let plain = keys.clone();
        for folder in &folders {
            let site = Site { root: &root, cwd: folder.as_deref() };
            let within = |key: &CallDigest| check::call_key(*key, Some(&command), site);
            keys.extend(plain.iter().map(within));
        }
        keys.sort_unstable();
        keys.dedup();
        Ok(())
    }

    fn pattern(&self, tool: &str, asked: &Asked) -> Result<Option<Pattern>, QueryError> {
        let sql = format!(
            "SELECT e.outcome, count(*), min(e.at_ms), max(e.at_ms) FROM executions e WHERE {} \
             GROUP BY e.outcome",
            asked.sql
        );
        let counted: Vec<(Option<String>, u64, u64, u64)> =
            self.stores.index.all(&sql, params_from_iter(&asked.values))?;
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
            "e.target_key = ?1 AND e.tool = ?2 AND e.corrected_by IS NULL AND e.outcome NOTNULL",
            [key, text(tool)],
        );
        if tool != self.action.tool {
            asked.and("e.native_tool = ?1", [text(&self.action.tool)]);
        }
        Ok(self.filter.add_to(&mut asked, self.stores)?.then_some(asked))
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

impl Serialize for Pattern {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut it = to.serialize_struct("Pattern", 11)?;
        it.serialize_field("tool", &self.tool)?;
        it.serialize_field("target", &self.target())?;
        it.serialize_field("executions", &self.executions())?;
        it.serialize_field("ok", &self.ok)?;
        it.serialize_field("failed", &self.failed)?;
        it.serialize_field("refused", &self.refused)?;
        it.serialize_field("interrupted", &self.interrupted)?;
        it.serialize_field("failure_rate", &self.failure_rate())?;
        it.serialize_field("first", &wire::utc_text(self.first_ms))?;
        it.serialize_field("last", &wire::utc_text(self.last_ms))?;
        it.serialize_field("last_executions", &self.last)?;
        it.end()
    }
}

/// What an agent is about to do, to be compared with what was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The contract's name of the tool, or the agent's.
    pub tool: String,
    /// What it is about: a command, a path, a symbol.
    pub target: Option<String>,
    /// Its canonical arguments, a JSON object.
    pub arguments: Option<Json>,
}

/// The arguments that name what a call is about, where nobody told its paths.
const PATH_ARGUMENTS: [&str; 5] = ["file_path", "notebook_path", "path", "file", "symbol"];

impl Action {
    /// A call of a tool on a target, whatever its other arguments.
    pub fn on(tool: impl Into<String>, target: impl Into<String>) -> Self {
        Self { tool: tool.into(), target: Some(target.into()), arguments: None }
    }

    /// A call of a tool with these arguments, a JSON object.
    pub fn with(tool: impl Into<String>, arguments: &str) -> Result<Self, QueryError> {
        let arguments = Json::canonical("arguments", arguments)
            .map_err(|source| QueryError::Arguments { source })?;
        if !arguments.is_object() {
            let text = arguments.0.chars().take(80).collect();
            return Err(QueryError::NoObject { text });
        }
        Ok(Self { tool: tool.into(), target: None, arguments: Some(arguments) })
    }

    pub(crate) fn arguments_digest(&self) -> Option<CallDigest> {
        self.arguments.as_ref().map(|json| arguments_digest(&json.0))
    }

    fn command(&self) -> Option<String> {
        let given = || target::command(&self.arguments.as_ref()?.0);
        self.target.clone().or_else(given)
    }

    /// The keys that executions on the same target may have.
    pub(crate) fn target_keys(&self) -> Vec<CallDigest> {
        let mut keys = Vec::new();
        if let Some(target) = &self.target {
            keys.push(Target::of_command(target.clone()).key());
            keys.push(Target::of_path(target.clone()).key());
        } else if let Some(arguments) = &self.arguments {
            // As a recorder may have had it: with the paths that the arguments name, or without.
            for paths in [named(&arguments.0), Vec::new()] {
                let target = Target::of(&arguments.0, &paths, &[]);
                let key = target.map(|target| target.key());
                keys.push(key.unwrap_or_else(|| arguments_digest(&arguments.0)));
            }
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// What it is about, in a few words.
    pub fn shown(&self) -> String {
        let of_arguments = |json: &Json| {
            Target::of(&json.0, &named(&json.0), &[]).map_or(json.0.clone(), |target| target.shown)
        };
        let told = self.target.clone();
        told.or_else(|| self.arguments.as_ref().map(of_arguments)).unwrap_or_default()
    }

    /// The same action with its target as it is named from a project's folder.
    #[must_use]
    pub fn seen_from(mut self, root: &Path) -> Self {
        if let Some(target) = &mut self.target
            && let Ok(inside) = Path::new(target.as_str()).strip_prefix(root)
        {
            *target = inside.to_string_lossy().into_owned();
        }
        self
    }
}

/// The paths and symbols in arguments.
fn named(arguments: &str) -> Vec<String> {
    let Ok(serde_json::Value::Object(fields)) = serde_json::from_str(arguments) else {
        return Vec::new();
    };
    let text = |name: &&str| fields.get(*name).and_then(|value| value.as_str()).map(str::to_owned);
    PATH_ARGUMENTS.iter().filter_map(text).collect()
}
