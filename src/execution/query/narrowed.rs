//! What narrows an answer, whatever was asked: as it is said, and with its names looked up.

use std::collections::BTreeSet;

use super::log::literal;
use super::{Asked, QueryError, Stores, list, number, text};
use crate::store::Ask;

/// What narrows an answer. Every field left empty lets everything through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    pub symbol: Option<String>,
    /// A file; nothing below it.
    pub file: Option<String>,
    /// A file or a folder.
    pub path: Option<String>,
    pub tool: Option<String>,
    /// What a diagnostic's message says, any case.
    pub said: Option<String>,
    pub session: Option<String>,
    pub success: Option<bool>,
    /// Unix milliseconds, inclusive.
    pub since_ms: Option<u64>,
    pub until_ms: Option<u64>,
    pub repository: Option<String>,
}

impl Filter {
    /// Adds what rows of `executions e` must hold, names of symbols and files aside; `false` where a
    /// session is asked for that is not there.
    pub fn add_to(&self, asked: &mut Asked, stores: &Stores) -> Result<bool, QueryError> {
        if let Some(success) = self.success {
            asked.and("e.outcome = ?1", [text(if success { "ok" } else { "failed" })]);
        }
        if let Some(tool) = &self.tool {
            asked.and("(e.tool = ?1 OR e.native_tool = ?1)", [text(tool)]);
        }
        if let Some(said) = &self.said {
            asked.and(SAID, [text(&literal(said))]);
        }
        if let Some(session) = &self.session {
            let sessions = stores.session_numbers(session)?;
            if sessions.is_empty() {
                return Ok(false);
            }
            asked.and(&format!("e.session IN ({})", list(&sessions)), []);
        }
        if let Some(folder) = &self.repository {
            asked.and(IN_FOLDER, [text(folder.trim_end_matches('/'))]);
        }
        for (bound, sql) in [(self.since_ms, "e.at_ms >= ?1"), (self.until_ms, "e.at_ms <= ?1")] {
            if let Some(bound) = bound {
                asked.and(sql, [number(bound)]);
            }
        }
        Ok(true)
    }
}

/// Ran in a folder or below it.
const IN_FOLDER: &str = "(e.cwd = ?1 OR substr(e.cwd, 1, length(?1) + 1) = ?1 || '/')";

/// Had a diagnostic that says this.
const SAID: &str = "EXISTS (SELECT 1 FROM execution_diagnostics y JOIN diagnostics d \
     ON d.number = y.diagnostic WHERE y.execution = e.seq \
     AND d.message LIKE '%' || ?1 || '%' ESCAPE '\\')";

/// The methods that narrow, for a builder with a `filter` and a `paging`.
macro_rules! narrowing {
    () => {
        /// Only this tool, by the contract's name or the agent's.
        pub fn with_tool(mut self, tool: impl Into<String>) -> Self {
            self.filter.tool = Some(tool.into());
            self
        }

        /// Only this session: its id, the beginning of it, or the agent's own name for it.
        pub fn with_session(mut self, session: impl Into<String>) -> Self {
            self.filter.session = Some(session.into());
            self
        }

        /// Only those that succeeded, or only those that failed: refused is neither.
        pub fn with_success(mut self, success: bool) -> Self {
            self.filter.success = Some(success);
            self
        }

        /// Not before this time, Unix milliseconds.
        pub fn after_timestamp(mut self, at_ms: u64) -> Self {
            self.filter.since_ms = Some(at_ms);
            self
        }

        /// Not after this time, Unix milliseconds.
        pub fn before_timestamp(mut self, at_ms: u64) -> Self {
            self.filter.until_ms = Some(at_ms);
            self
        }

        /// Only what ran in this folder or below it.
        pub fn in_repository(mut self, path: impl AsRef<std::path::Path>) -> Self {
            self.filter.repository = Some(path.as_ref().to_string_lossy().into_owned());
            self
        }

        /// At most this many items, after the place where the last page ended.
        pub fn page(
            mut self,
            limit: usize,
            after: Option<$crate::execution::query::After>,
        ) -> Self {
            self.paging = $crate::execution::query::Paging::of(limit, after);
            self
        }
    };
}
pub(crate) use narrowing;

/// A filter with its names looked up.
#[derive(Clone, Debug)]
pub struct Narrowed {
    pub symbol: Option<i64>,
    pub label: Option<i64>,
    paths: Option<Paths>,
    pub sessions: Option<Vec<i64>>,
    pub tool: Option<String>,
    /// The contract's names that the tool may have in a row.
    pub tools: Vec<String>,
    pub failed: bool,
    pub success: Option<bool>,
    pub since: Option<Ask>,
    pub until: Option<Ask>,
    judge: Asked,
}

/// The numbers of the paths that count.
pub type Paths = BTreeSet<i64>;

impl Narrowed {
    /// `None` where a name is asked for that nothing has.
    pub fn of(
        stores: &Stores,
        filter: &Filter,
        failed: bool,
        label: Option<&str>,
    ) -> Result<Option<Self>, QueryError> {
        let named = |sql: &str, name: Option<&str>| -> Result<Option<Option<i64>>, QueryError> {
            let Some(name) = name else { return Ok(Some(None)) };
            Ok(stores.index.cell(sql, [name])?.map(Some))
        };
        let symbol = named("SELECT number FROM symbols WHERE name = ?1", filter.symbol.as_deref())?;
        let label = named("SELECT number FROM labels WHERE label = ?1", label)?;
        let (Some(symbol), Some(label)) = (symbol, label) else { return Ok(None) };
        let paths = match (&filter.file, &filter.path) {
            (Some(file), None) => Some(stores.file_numbers(file)?),
            (None, Some(path)) => Some(stores.path_numbers(path)?),
            (Some(file), Some(path)) => {
                Some(&stores.file_numbers(file)? & &stores.path_numbers(path)?)
            }
            (None, None) => None,
        };
        let sessions = filter.session.as_deref().map(|name| stores.session_numbers(name));
        let sessions = sessions.transpose()?;
        let nothing = paths.as_ref().is_some_and(Paths::is_empty)
            || sessions.as_ref().is_some_and(Vec::is_empty);
        if nothing {
            return Ok(None);
        }
        let mut judge = Asked::default();
        judge.push("e.corrected_by IS NULL", []);
        if failed {
            judge.and("e.outcome = 'failed'", []);
        }
        filter.add_to(&mut judge, stores)?;
        let tools = match &filter.tool {
            Some(tool) => stores.tools_named(tool)?,
            None => Vec::new(),
        };
        Ok(Some(Self {
            symbol,
            label,
            paths,
            sessions,
            tool: filter.tool.clone(),
            tools,
            failed,
            success: filter.success,
            since: filter.since_ms.map(number),
            until: filter.until_ms.map(number),
            judge,
        }))
    }

    /// The paths, where they are so few that their indexes are read side by side.
    pub fn few_paths(&self, paths_max: usize) -> Option<&Paths> {
        self.paths.as_ref().filter(|paths| paths.len() <= paths_max)
    }

    /// Whether an execution had to do with one of the paths.
    pub fn touches(&self, stores: &Stores, execution: i64) -> Result<bool, QueryError> {
        let Some(paths) = &self.paths else { return Ok(true) };
        let sql = "SELECT path FROM execution_paths WHERE execution = ?1";
        let found: Vec<i64> = stores.index.column(sql, [execution])?;
        Ok(found.iter().any(|path| paths.contains(path)))
    }

    /// What every row must hold, whichever index it was found by, but for the paths.
    pub fn judge(&self) -> Asked {
        let mut asked = self.judge.clone();
        let ties = [
            (self.symbol, "execution_symbols", "symbol"),
            (self.label, "execution_labels", "label"),
        ];
        for (number, table, column) in ties {
            if let Some(number) = number {
                let sql = format!(
                    "EXISTS (SELECT 1 FROM {table} y WHERE y.execution = e.seq AND y.{column} = ?1)"
                );
                asked.and(&sql, [Ask::Number(number)]);
            }
        }
        asked
    }
}

impl Stores {
    /// The paths that are this file, from wherever it was named.
    pub(crate) fn file_numbers(&self, file: &str) -> Result<BTreeSet<i64>, QueryError> {
        let file = plain(file);
        let name = file.rsplit('/').next().unwrap_or(file);
        let sql = "SELECT number FROM paths WHERE name = ?2 AND (path = ?1 OR path = './' || ?1 \
                   OR substr(path, -length(?1) - 1) = '/' || ?1)";
        self.numbers(sql, &[file, name])
    }

    /// The same, as they were recorded.
    pub(crate) fn file_paths(&self, file: &str, most: usize) -> Result<Vec<String>, QueryError> {
        let sql = "SELECT path FROM paths WHERE number = ?1";
        let mut paths = Vec::new();
        for number in self.file_numbers(file)?.into_iter().take(most) {
            paths.extend(self.index.column::<String>(sql, [number])?);
        }
        Ok(paths)
    }

    /// The paths that are this file, or in this folder.
    pub(crate) fn path_numbers(&self, path: &str) -> Result<BTreeSet<i64>, QueryError> {
        let path = plain(path);
        if path.is_empty() || path == "." {
            return self.numbers("SELECT number FROM paths", &[]);
        }
        // Of names alone: there are few of them beside the executions.
        let sql = "SELECT number FROM paths WHERE path = ?1 OR instr('/' || path || '/', \
                   '/' || ?1 || '/') > 0 OR (substr(?1, 1, 1) = '/' AND \
                   substr(path, 1, length(?1) + 1) = ?1 || '/')";
        self.numbers(sql, &[path])
    }

    /// The sessions of this id, of one that begins so, or that the agent calls so.
    pub(crate) fn session_numbers(&self, name: &str) -> Result<Vec<i64>, QueryError> {
        let sql = "SELECT number FROM sessions WHERE id = ?1 OR native_id = ?1 \
                   OR id LIKE ?2 || '%' ESCAPE '\\'";
        Ok(self.numbers(sql, &[name, &literal(name)])?.into_iter().collect())
    }

    /// The contract's tools that a name stands for: itself, and what an agent calls so.
    pub(crate) fn tools_named(&self, name: &str) -> Result<Vec<String>, QueryError> {
        let sql = "SELECT tool FROM native_tools WHERE native_tool = ?1 UNION SELECT ?1 ORDER BY 1";
        Ok(self.index.column(sql, [name])?)
    }

    pub(super) fn numbers(&self, sql: &str, names: &[&str]) -> Result<BTreeSet<i64>, QueryError> {
        let found = self.index.column(sql, rusqlite::params_from_iter(names))?;
        Ok(found.into_iter().collect())
    }
}

/// A path without `./` before and `/` behind.
fn plain(path: &str) -> &str {
    let path = path.strip_prefix("./").unwrap_or(path);
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() { path } else { trimmed }
}
