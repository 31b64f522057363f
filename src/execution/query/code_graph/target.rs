//! The entities that a path or a symbol's name means.

use super::CodeGraph;
use crate::execution::query::QueryError;
use crate::store::Ask;

/// What a chain leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Targets {
    /// Entities whose every edge counts.
    pub direct: Vec<i64>,
    /// Files that define what is meant: what affected them affected it.
    pub defining: Vec<i64>,
}

impl Targets {
    pub fn is_empty(&self) -> bool {
        self.direct.is_empty()
    }
}

impl CodeGraph {
    /// The entities of a file, under whichever of its names the graph has it; where it has none, of
    /// files whose path ends with this one.
    pub(super) fn file_targets(&self, path: &str) -> Result<Targets, QueryError> {
        let roots = self.graph.roots();
        let key = roots.key(path, None);
        let mut direct = Vec::new();
        for name in roots.names(&key) {
            direct.extend(self.ids(crate::execution::query::code_graph::FILE, &name)?);
        }
        direct.extend(self.ids(crate::execution::query::code_graph::FILE_STUB, key.as_str())?);
        if direct.is_empty() {
            let end = format!("%/{}", literal(path.trim_start_matches("./")));
            for sql in [
                crate::execution::query::code_graph::FILES_ENDING,
                crate::execution::query::code_graph::FILE_STUBS_ENDING,
            ] {
                direct.extend(self.ids(sql, &end)?);
            }
        }
        direct.sort_unstable();
        direct.dedup();
        Ok(Targets { direct, defining: Vec::new() })
    }

    /// The entities of a symbol: `add`, or `Cart::add` where there are several; only those that
    /// `file` defines, where it is given.
    pub(super) fn symbol_targets(
        &self,
        symbol: &str,
        file: Option<&str>,
    ) -> Result<Targets, QueryError> {
        let last = symbol.rsplit([':', '.']).next().unwrap_or(symbol);
        let found = self.graph.answer(
            crate::execution::query::code_graph::SYMBOLS,
            &[Ask::Text(last.to_owned())],
            |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)),
        )?;
        let within = match file {
            None => None,
            Some(path) => Some(self.file_targets(path)?.direct),
        };
        let mut targets = Targets::default();
        for (id, data) in found {
            let files = self.definers(id)?;
            let elsewhere = |within: &Vec<i64>| !files.iter().any(|file| within.contains(file));
            if !is_meant(symbol, last, &data) || within.as_ref().is_some_and(elsewhere) {
                continue;
            }
            targets.direct.push(id);
            targets.defining.extend(files);
        }
        targets.direct.extend(self.ids(crate::execution::query::code_graph::SYMBOL_STUB, symbol)?);
        targets.defining.sort_unstable();
        targets.defining.dedup();
        Ok(targets)
    }

    fn definers(&self, symbol: i64) -> Result<Vec<i64>, QueryError> {
        Ok(self.graph.answer(
            crate::execution::query::code_graph::DEFINERS,
            &[Ask::Number(symbol)],
            |row| row.get(0),
        )?)
    }

    pub(super) fn ids(&self, sql: &str, name: &str) -> Result<Vec<i64>, QueryError> {
        Ok(self.graph.answer(sql, &[Ask::Text(name.to_owned())], |row| row.get(0))?)
    }
}

/// Whether a symbol of the same last name is the one that is meant: a qualified name must be the end
/// of one by which the graph knows it.
fn is_meant(symbol: &str, last: &str, data: &str) -> bool {
    if symbol == last {
        return true;
    }
    // Data that is no object says nothing for it.
    let data: serde_json::Value = serde_json::from_str(data).unwrap_or_default();
    let asked = symbol.replace('.', "::");
    ["fqn", "display_fqn", "canonical_fqn"].iter().any(|key| {
        let known = data.get(key).and_then(|known| known.as_str()).unwrap_or_default();
        let known = known.replace('.', "::");
        known.strip_suffix(&asked).is_some_and(|rest| rest.is_empty() || rest.ends_with("::"))
    })
}

/// A text that LIKE takes as it is.
fn literal(text: &str) -> String {
    let special = |c: char| matches!(c, '%' | '_' | '\\');
    text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}
