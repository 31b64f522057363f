//! What an edge leads to: the code's own entities where the graph has them, stubs where not.

use std::collections::HashMap;

use rusqlite::{OptionalExtension, params};

use super::nodes::{DIAGNOSTIC, STUB, StubOf};
use super::{CodeGraph, DiagnosticNode, FileKey, Link};

/// Look-ups among the code's own entities that are remembered, of each sort; and what is remembered of ours.
const REMEMBERED_MAX: usize = 50_000;
const OWN_MAX: usize = 200_000;
/// Symbols of one name that are looked at, and that an edge each leads to.
const NAMESAKES_MAX: usize = 512;
const SYMBOLS_MAX: usize = 64;

#[derive(Debug, Default)]
pub(super) struct Resolved {
    files: HashMap<Key, i64>,
    symbols: HashMap<Key, Vec<i64>>,
    /// Diagnostics and stubs of ours.
    own: HashMap<Key, i64>,
    /// Every entity of ours is in `own`, so that what is not there is nowhere.
    own_complete: bool,
    has_files: bool,
    has_symbols: bool,
}

/// Half a hash of names: those themselves would take several times the memory.
type Key = [u8; 16];

fn key<'n>(names: impl IntoIterator<Item = &'n str>) -> Key {
    let mut hasher = blake3::Hasher::new();
    for name in names {
        hasher.update(&(name.len() as u64).to_le_bytes()).update(name.as_bytes());
    }
    let mut half = [0; 16];
    half.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    half
}

struct Namesake {
    id: i64,
    /// The file that defines it.
    file: Option<FileKey>,
}

impl CodeGraph {
    /// Forgets what was looked up; `load` where nothing of ours is in the graph.
    pub(super) fn forget(&mut self, load: bool) {
        // Where the question fails, every look-up asks again.
        let has = |kind: &str| {
            self.conn
                .prepare_cached("SELECT 1 FROM graph_entities WHERE kind = ?1 LIMIT 1")
                .and_then(|mut any| any.exists([kind]))
                .unwrap_or(true)
        };
        let (has_files, has_symbols) = (has("File"), has("Symbol"));
        self.resolved =
            Resolved { own_complete: load, has_files, has_symbols, ..Resolved::default() };
    }

    /// The entities an edge leads to: one, or every symbol of an ambiguous name.
    pub(super) fn targets(
        &mut self,
        link: &Link<'_>,
        files: &[FileKey],
        execution_id: &str,
    ) -> rusqlite::Result<Vec<i64>> {
        match link {
            Link::ExecutedOn { file, .. } | Link::Affected { file, .. } => {
                Ok(vec![self.file(file, execution_id)?])
            }
            Link::Referenced { symbol, .. } => self.symbols(symbol, files, execution_id),
            Link::Produced { diagnostic } => Ok(vec![self.diagnostic(diagnostic, execution_id)?]),
        }
    }

    fn file(&mut self, file: &FileKey, execution_id: &str) -> rusqlite::Result<i64> {
        if !self.resolved.has_files {
            return self.stub(StubOf::File, file.as_str(), execution_id);
        }
        let asked = key([file.as_str()]);
        if let Some(id) = self.resolved.files.get(&asked) {
            return Ok(*id);
        }
        let id = match self.known_file(file)? {
            Some(id) => id,
            None => self.stub(StubOf::File, file.as_str(), execution_id)?,
        };
        if self.resolved.files.len() >= REMEMBERED_MAX {
            self.resolved.files.clear();
        }
        self.resolved.files.insert(asked, id);
        Ok(id)
    }

    fn known_file(&mut self, file: &FileKey) -> rusqlite::Result<Option<i64>> {
        for name in self.roots.names(file) {
            if let Some(id) = self.find("File", &name)? {
                self.note_target(id, "File", &name)?;
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    fn symbols(
        &mut self,
        symbol: &str,
        files: &[FileKey],
        execution_id: &str,
    ) -> rusqlite::Result<Vec<i64>> {
        if !self.resolved.has_symbols {
            return Ok(vec![self.stub(StubOf::Symbol, symbol, execution_id)?]);
        }
        let asked = key([symbol].into_iter().chain(files.iter().map(FileKey::as_str)));
        if let Some(ids) = self.resolved.symbols.get(&asked) {
            return Ok(ids.clone());
        }
        let mut found = self.known_symbols(symbol, files)?;
        for id in &found {
            self.note_target(*id, "Symbol", last_part(symbol))?;
        }
        if found.is_empty() {
            found.push(self.stub(StubOf::Symbol, symbol, execution_id)?);
        }
        if self.resolved.symbols.len() >= REMEMBERED_MAX {
            self.resolved.symbols.clear();
        }
        self.resolved.symbols.insert(asked, found.clone());
        Ok(found)
    }

    /// The symbols of that name: those that the execution's own files define, else all that any file
    /// defines, else the last that a file once did.
    fn known_symbols(&self, symbol: &str, files: &[FileKey]) -> rusqlite::Result<Vec<i64>> {
        let namesakes = self.namesakes(symbol)?;
        let in_own = |found: &&Namesake| found.file.as_ref().is_some_and(|f| files.contains(f));
        let ids = |found: Vec<&Namesake>| -> Vec<i64> {
            found.into_iter().take(SYMBOLS_MAX).map(|found| found.id).collect()
        };
        let own = ids(namesakes.iter().filter(in_own).collect());
        if !own.is_empty() {
            return Ok(own);
        }
        let defined = ids(namesakes.iter().filter(|found| found.file.is_some()).collect());
        if !defined.is_empty() {
            return Ok(defined);
        }
        Ok(ids(namesakes.iter().rev().take(1).collect()))
    }

    fn namesakes(&self, symbol: &str) -> rusqlite::Result<Vec<Namesake>> {
        let mut find = self.conn.prepare_cached(
            "SELECT id, data FROM graph_entities WHERE kind = 'Symbol' AND name = ?1 \
             ORDER BY id LIMIT ?2",
        )?;
        let mut rows = find.query(params![last_part(symbol), NAMESAKES_MAX])?;
        let mut namesakes = Vec::new();
        while let Some(row) = rows.next()? {
            let data: String = row.get(1)?;
            if is_meant(symbol, &data) {
                let id = row.get(0)?;
                namesakes.push(Namesake { id, file: self.definer(id)? });
            }
        }
        Ok(namesakes)
    }

    fn definer(&self, symbol: i64) -> rusqlite::Result<Option<FileKey>> {
        let name: Option<String> = self
            .conn
            .prepare_cached(
                "SELECT f.name FROM graph_edges d JOIN graph_entities f ON f.id = d.from_id \
                 WHERE d.to_id = ?1 AND d.edge_type = 'DEFINES' AND f.kind = 'File' LIMIT 1",
            )?
            .query_row([symbol], |row| row.get(0))
            .optional()?;
        Ok(name.map(|name| self.roots.key_of_name(&name)))
    }

    fn diagnostic(&mut self, node: &DiagnosticNode, execution_id: &str) -> rusqlite::Result<i64> {
        let name = node.name();
        let asked = key([DIAGNOSTIC, &name]);
        if let Some(id) = self.resolved.own.get(&asked) {
            return Ok(*id);
        }
        let found = match self.resolved.own_complete {
            true => None,
            false => self.find(DIAGNOSTIC, &name)?,
        };
        let id = match found {
            Some(id) => id,
            None => {
                let data = node.data(execution_id);
                self.add_entity(DIAGNOSTIC, &name, node.file_name.as_deref(), &data)?
            }
        };
        self.remember(asked, id)?;
        Ok(id)
    }

    fn stub(&mut self, of: StubOf, name: &str, execution_id: &str) -> rusqlite::Result<i64> {
        let asked = key([of.as_str(), name]);
        if let Some(id) = self.resolved.own.get(&asked) {
            return Ok(*id);
        }
        let found: Option<i64> = match self.resolved.own_complete {
            true => None,
            false => self
                .conn
                .prepare_cached(
                    "SELECT id FROM graph_entities WHERE kind = 'annals_stub' AND name = ?1 \
                     AND (file_path IS NOT NULL) = ?2 ORDER BY id LIMIT 1",
                )?
                .query_row(params![name, of == StubOf::File], |row| row.get(0))
                .optional()?,
        };
        let id = match found {
            Some(id) => id,
            None => {
                let file_path = (of == StubOf::File).then_some(name);
                self.add_entity(STUB, name, file_path, &of.data(execution_id))?
            }
        };
        self.remember(asked, id)?;
        Ok(id)
    }

    fn remember(&mut self, asked: Key, id: i64) -> rusqlite::Result<()> {
        if self.resolved.own.len() >= OWN_MAX {
            self.resolved.own.clear();
            if std::mem::take(&mut self.resolved.own_complete) {
                // From here on they are looked up; a new file's indexes would else come last.
                self.index()?;
            }
        }
        self.resolved.own.insert(asked, id);
        Ok(())
    }

    fn note_target(&self, id: i64, kind: &str, name: &str) -> rusqlite::Result<()> {
        let sql = "INSERT OR IGNORE INTO annals_targets (entity, kind, name) VALUES (?1, ?2, ?3)";
        self.conn.prepare_cached(sql)?.execute(params![id, kind, name]).map(drop)
    }
}

/// `add` of `Cart::add`.
pub fn last_part(symbol: &str) -> &str {
    let after = |separator| symbol.rsplit(separator).next().unwrap_or(symbol);
    let (colons, dots) = (after("::"), after("."));
    if dots.len() < colons.len() && !dots.is_empty() { dots } else { colons }
}

/// Whether a symbol of the same last name is the one that is meant: where the name is qualified,
/// the graph must know it by as much.
fn is_meant(symbol: &str, data: &str) -> bool {
    if last_part(symbol) == symbol {
        return true;
    }
    let asked = symbol.replace('.', "::");
    // Data that is no object says nothing for it.
    let data: serde_json::Value = serde_json::from_str(data).unwrap_or_default();
    ["fqn", "display_fqn", "canonical_fqn"].iter().any(|key| {
        let known = data.get(key).and_then(|known| known.as_str()).unwrap_or_default();
        let known = known.replace('.', "::");
        let ends = |long: &str, short: &str| {
            short.contains("::")
                && long
                    .strip_suffix(short)
                    .is_some_and(|rest| rest.is_empty() || rest.ends_with("::"))
        };
        ends(&known, &asked) || ends(&asked, &known)
    })
}
