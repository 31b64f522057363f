//! A filter with its names looked up: numbers, which indexes know.

use std::collections::BTreeSet;

use crate::execution::query::filter::Filter;
use crate::execution::query::{Asked, QueryError, Stores, list, number, text};
use crate::store::Ask;

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
    repository: Option<String>,
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
            Ok(stores.index.answer(sql, &[text(name)], |row| row.get(0))?.pop().map(Some))
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
            repository: filter.repository.as_deref().map(folder),
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
        let found: Vec<i64> = stores.index.rows(sql, [execution], |row| row.get(0))?;
        Ok(found.iter().any(|path| paths.contains(path)))
    }

    /// What every row must hold, whichever index it was found by, but for the paths.
    pub fn judge(&self) -> Asked {
        let mut asked = Asked::default();
        asked.push("e.corrected_by IS NULL", []);
        if self.failed {
            asked.and("e.outcome = 'failed'", []);
        }
        if let Some(success) = self.success {
            asked.and("e.outcome = ?#", [text(if success { "ok" } else { "failed" })]);
        }
        if let Some(tool) = &self.tool {
            asked.and("(e.tool = ?# OR e.native_tool = ?#)", [text(tool), text(tool)]);
        }
        if let Some(sessions) = &self.sessions {
            asked.and(&format!("e.session IN ({})", list(sessions)), []);
        }
        if let Some(folder) = &self.repository {
            asked.and(IN_FOLDER, [text(folder), text(folder), text(folder)]);
        }
        for (bound, sql) in [(&self.since, "e.at_ms >= ?#"), (&self.until, "e.at_ms <= ?#")] {
            if let Some(bound) = bound {
                asked.and(sql, [bound.clone()]);
            }
        }
        let ties = [
            (self.symbol, "execution_symbols", "symbol"),
            (self.label, "execution_labels", "label"),
        ];
        for (number, table, column) in ties {
            if let Some(number) = number {
                let sql = format!(
                    "EXISTS (SELECT 1 FROM {table} y WHERE y.execution = e.seq AND y.{column} = ?#)"
                );
                asked.and(&sql, [Ask::Number(number)]);
            }
        }
        asked
    }
}

/// Ran in a folder or below it.
pub(crate) const IN_FOLDER: &str = "(e.cwd = ?# OR substr(e.cwd, 1, length(?#) + 1) = ?# || '/')";

/// A folder without the slash at its end.
fn folder(path: &str) -> String {
    path.trim_end_matches('/').to_owned()
}
