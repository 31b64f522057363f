//! Names as people give them, as the numbers that indexes know.

use std::collections::BTreeSet;

use super::log_filter::literal;
use super::{QueryError, Stores, text};

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
            paths.extend(self.index.rows(sql, [number], |row| row.get::<_, String>(0))?);
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
        Ok(self.index.answer(sql, &[text(name)], |row| row.get(0))?)
    }

    fn numbers(&self, sql: &str, names: &[&str]) -> Result<BTreeSet<i64>, QueryError> {
        let values: Vec<_> = names.iter().map(|name| text(name)).collect();
        Ok(self.index.answer(sql, &values, |row| row.get(0))?.into_iter().collect())
    }
}

/// A path without `./` before and `/` behind.
fn plain(path: &str) -> &str {
    let path = path.strip_prefix("./").unwrap_or(path);
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() { path } else { trimmed }
}
