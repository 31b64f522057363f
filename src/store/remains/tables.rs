//! Which tables of a store say what happened, and what tells their rows from one another. What follows
//! from others of their rows (tallies, names with numbers, full-text indexes) is not among them.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Connection;

use super::{RemainsError, tables};
use crate::journal::enclosure;
use crate::journal::enclosure::Kind;
use crate::store::quarantine::EVIDENCE;
use crate::store::{StoreError, StoreName};

/// A table whose rows are held against a fresh store's.
pub(super) struct Table {
    pub of: &'static str,
    pub key: &'static [&'static str],
    /// What is asked instead of the table itself.
    pub asked: Option<&'static str>,
    /// Columns that say how a store numbers things, which is no matter of what happened.
    pub passed: &'static [&'static str],
    /// Numbers of sessions and repositories stand in it: their own ids are given.
    pub is_numbered: bool,
    /// A row of the same key is not compared: what it says besides follows from others as well.
    pub is_known_by_key: bool,
}

const PLAIN: Table = Table {
    of: "",
    key: &["seq"],
    asked: None,
    passed: &[],
    is_numbered: false,
    is_known_by_key: false,
};
const NUMBERED: Table = Table { is_numbered: true, ..PLAIN };

const EXECUTION_LOG: &[Table] = &[
    Table { of: "executions", key: &["id"], ..PLAIN },
    Table {
        of: "execution_artifacts",
        key: &["execution_id", "artifact_type"],
        passed: &["id"],
        ..PLAIN
    },
];

const MEMORY: &[Table] = &[
    Table { of: "branches", key: &["id"], ..PLAIN },
    Table { of: "core_kv", key: &["branch_id", "key"], ..PLAIN },
    Table { of: "core_meta", key: &["branch_id", "key"], ..PLAIN },
    Table { of: "events", key: &["id"], ..PLAIN },
    Table { of: "archival", key: &["id"], ..PLAIN },
    Table { of: "inherited_exclusions", key: &["branch_id", "excluded_event_id"], ..PLAIN },
    Table { of: "inherited_summaries", key: &["id"], ..PLAIN },
];

const INDEX: &[Table] = &[
    Table { of: "sessions", key: &["id"], passed: &["number"], is_known_by_key: true, ..PLAIN },
    Table { of: "prompts", ..NUMBERED },
    Table {
        of: "executions",
        key: &["id"],
        passed: &["ordinal", "at_seq", "at_ms", "diagnostic", "command", "target_key", "said"],
        ..NUMBERED
    },
    Table { of: "tools", key: &["name"], passed: &["number"], ..PLAIN },
    Table { of: "reads", ..NUMBERED },
    Table { of: "verdicts", ..NUMBERED },
    Table { of: "bypasses", ..NUMBERED },
    Table { of: "claims", ..NUMBERED },
    Table { of: "plans", ..NUMBERED },
    Table { of: "steps", ..NUMBERED },
    Table { of: "checkpoints", ..NUMBERED },
    Table { of: "memory_ops", ..NUMBERED },
    Table { of: "repos", key: &["hash"], passed: &["number", "family", "last_seq"], ..PLAIN },
    Table { of: "repo_links", passed: &["other"], ..NUMBERED },
    Table { of: "repo_conventions", key: &["repo", "id"], ..NUMBERED },
    Table { of: "repo_decisions", key: &["repo", "id"], ..NUMBERED },
    Table { of: "repo_notes", key: &["repo", "id"], ..NUMBERED },
    Table { of: "repo_summaries", ..NUMBERED },
    Table { of: "repo_indexes", key: &["repo", "kind"], ..NUMBERED },
    Table { of: "debug_ops", ..PLAIN },
    Table { of: "debug_sessions", key: &["id"], passed: &["number"], ..PLAIN },
    Table { of: "debug_expired", key: &["id"], ..PLAIN },
];

/// Ours alone, and edges by the execution that they begin at: where they lead to is told by name, since
/// the rest of the graph is magellan's.
const CODE_GRAPH: &[Table] = &[
    Table {
        of: "graph_entities",
        key: &["kind", "name"],
        asked: Some(
            "SELECT kind, name, file_path, data FROM graph_entities WHERE kind = 'execution'",
        ),
        ..PLAIN
    },
    Table {
        of: "graph_edges",
        key: &["execution"],
        asked: Some(
            "SELECT e.name AS execution, edge_type, t.kind AS to_kind, t.name AS to_name, \
             t.file_path AS to_file, g.data AS data FROM graph_edges g \
             JOIN graph_entities e ON e.id = g.from_id AND e.kind = 'execution' \
             LEFT JOIN graph_entities t ON t.id = g.to_id \
             WHERE edge_type IN ('EXECUTED_ON', 'AFFECTED', 'REFERENCED', 'PRODUCED')",
        ),
        is_known_by_key: true,
        ..PLAIN
    },
    Table {
        of: "graph_entities",
        key: &["kind", "name"],
        asked: Some(
            "SELECT kind, name, file_path, data FROM graph_entities WHERE kind = 'diagnostic'",
        ),
        is_known_by_key: true,
        ..PLAIN
    },
];

/// The tables of a database; nothing of a store that is a folder. The first two tell which one it is.
pub(super) fn of(store: StoreName) -> &'static [Table] {
    match store {
        StoreName::Index => INDEX,
        StoreName::ExecutionLog => EXECUTION_LOG,
        StoreName::Memory => MEMORY,
        StoreName::CodeGraph => CODE_GRAPH,
        StoreName::MemoryLogs | StoreName::Experiments | StoreName::DebugMemory => &[],
    }
}

pub(super) fn cursor(store: StoreName) -> Option<&'static str> {
    match store {
        StoreName::ExecutionLog | StoreName::Memory => Some("sqlite_sequence"),
        StoreName::Index => Some("cursor"),
        StoreName::CodeGraph => Some("annals_cursor"),
        StoreName::MemoryLogs | StoreName::Experiments | StoreName::DebugMemory => None,
    }
}

/// The ordinary tables of a database: a view of such a name could be anything.
pub(super) fn ordinary(conn: &Connection) -> rusqlite::Result<BTreeSet<String>> {
    let listed = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'";
    conn.prepare(listed)?.query_map([], |row| row.get(0))?.collect()
}

/// The store that a folder is, by its name, also where it was set aside; `None` where it is no folder.
pub(super) fn folder(path: &Path) -> Result<Option<StoreName>, RemainsError> {
    let look = enclosure::look(path)
        .map_err(|source| StoreError::io(path, "looking at the store", source))?;
    if look.kind != Kind::Folder {
        return Ok(None);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(EVIDENCE).unwrap_or(&name);
    let name = match name.rsplit_once('.') {
        Some((name, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => name,
    };
    // `memory` is what the folder is called, and of a database the store's name.
    let store = match name {
        "memory" => Some(StoreName::MemoryLogs),
        name => StoreName::parse(name).filter(|store| store.is_folder()),
    };
    store.map(Some).ok_or_else(|| RemainsError::NoStore {
        path: path.to_owned(),
        why: "a folder that is one is called memory, experiments or debug-memory".to_owned(),
    })
}

pub(super) fn database(conn: &Connection, path: &Path) -> Result<StoreName, RemainsError> {
    let no_store = |why: String| RemainsError::NoStore { path: path.to_owned(), why };
    let found = tables::ordinary(conn).map_err(|error| no_store(error.to_string()))?;
    let is = |store: &&StoreName| {
        let mut first = tables::of(**store).iter().take(2);
        !store.is_folder() && first.all(|table| found.contains(table.of))
    };
    let store = StoreName::ALL.iter().find(is).copied();
    store.ok_or_else(|| no_store("it has the tables of none".to_owned()))
}
