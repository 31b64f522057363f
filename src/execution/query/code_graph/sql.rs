//! Every question that the graph is asked. None reads a table whole; a test asks SQLite how it would
//! answer each.

/// An execution by its entity's name.
pub(super) const EXECUTION: &str =
    "SELECT id, data FROM graph_entities WHERE kind = 'execution' AND name = ?1 LIMIT 1";

/// A file by one of its names.
pub(super) const FILE: &str =
    "SELECT id FROM graph_entities WHERE kind = 'File' AND name = ?1 LIMIT 64";

/// What stands for a file, by its path from the root.
pub(super) const FILE_STUB: &str = "SELECT id FROM graph_entities \
     WHERE kind = 'annals_stub' AND name = ?1 AND file_path IS NOT NULL LIMIT 64";

/// What stands for a symbol.
pub(super) const SYMBOL_STUB: &str = "SELECT id FROM graph_entities \
     WHERE kind = 'annals_stub' AND name = ?1 AND file_path IS NULL LIMIT 64";

/// Files whose path ends so: reads the names of the files, and of nothing else.
pub(super) const FILES_ENDING: &str =
    "SELECT id FROM graph_entities WHERE kind = 'File' AND name LIKE ?1 ESCAPE '\\' LIMIT 64";

/// The same of what stands for files.
pub(super) const FILE_STUBS_ENDING: &str = "SELECT id FROM graph_entities \
     WHERE kind = 'annals_stub' AND name LIKE ?1 ESCAPE '\\' AND file_path IS NOT NULL LIMIT 64";

/// Symbols of one name.
pub(super) const SYMBOLS: &str = "SELECT id, data FROM graph_entities \
     WHERE kind = 'Symbol' AND name = ?1 LIMIT 512";

/// The files that define a symbol.
pub(super) const DEFINERS: &str = "SELECT f.id FROM graph_edges d CROSS JOIN graph_entities f \
     ON f.id = d.from_id WHERE d.to_id = ?1 AND d.edge_type = 'DEFINES' AND f.kind = 'File' LIMIT 8";

/// The executions whose edges lead to an entity, the edges recorded last first.
pub(super) const LINKED: &str = "SELECT x.id, x.data, g.id FROM graph_edges g \
     CROSS JOIN graph_entities x ON x.id = g.from_id \
     WHERE g.to_id = ?1 AND g.id < ?3 AND x.kind = 'execution' ORDER BY g.id DESC LIMIT ?2";

/// Of those, the ones that changed it.
pub(super) const LINKED_BY_CHANGE: &str = "SELECT x.id, x.data, g.id FROM graph_edges g \
     CROSS JOIN graph_entities x ON x.id = g.from_id \
     WHERE g.to_id = ?1 AND g.id < ?3 AND x.kind = 'execution' AND g.edge_type = 'AFFECTED' \
     ORDER BY g.id DESC LIMIT ?2";

/// How many edges lead to an entity, so far as it matters: read from the index alone.
pub(super) const EDGES: &str =
    "SELECT count(*) FROM (SELECT 1 FROM graph_edges WHERE to_id = ?1 LIMIT ?2)";

/// What an execution is linked to, as it was recorded.
pub(super) const LINKS: &str = "SELECT g.edge_type, g.data, t.id, t.kind, t.name, t.file_path, \
     t.data FROM graph_edges g CROSS JOIN graph_entities t ON t.id = g.to_id \
     WHERE g.from_id = ?1 ORDER BY g.id LIMIT ?2";

/// A diagnostic by its entity's id.
pub(super) const DIAGNOSTIC: &str =
    "SELECT id, name, data FROM graph_entities WHERE kind = 'diagnostic' AND id = ?1";

/// A diagnostic by its entity's name.
pub(super) const DIAGNOSTIC_NAMED: &str =
    "SELECT id, name, data FROM graph_entities WHERE kind = 'diagnostic' AND name = ?1 LIMIT 1";

/// The diagnostics of one code: there are as many as a code base has places that had it.
pub(super) const DIAGNOSTICS_OF: &str = "SELECT id, name, data FROM graph_entities \
     WHERE kind = 'diagnostic' AND name > ?1 AND name < ?2 ORDER BY id DESC LIMIT 256";

/// What a file defines, in its order.
pub(super) const SYMBOLS_IN: &str = "SELECT s.id, s.name, s.file_path, s.data FROM graph_edges d \
     CROSS JOIN graph_entities s ON s.id = d.to_id \
     WHERE d.from_id = ?1 AND d.edge_type = 'DEFINES' AND s.kind = 'Symbol' ORDER BY d.id LIMIT ?2";

/// Where a symbol is used: magellan has an entity for each use.
pub(super) const REFERENCES: &str = "SELECT r.id, r.kind, r.file_path, r.data FROM graph_edges g \
     CROSS JOIN graph_entities r ON r.id = g.from_id WHERE g.to_id = ?1 \
     AND g.edge_type IN ('REFERENCES', 'CALLS') AND r.kind <> 'execution' ORDER BY g.id LIMIT ?2";

/// A symbol's own row.
pub(super) const SYMBOL: &str =
    "SELECT id, name, file_path, data FROM graph_entities WHERE id = ?1 AND kind = 'Symbol'";

/// Files, and how much each defines.
pub(super) const DEFINING_FILES: &str = "SELECT f.id, substr(f.name, 1, 4096), \
     (SELECT count(*) FROM graph_edges d WHERE d.from_id = f.id AND d.edge_type = 'DEFINES') \
     FROM graph_entities f WHERE f.kind = 'File' LIMIT ?1";

/// How many symbols there are.
pub(super) const SYMBOLS_COUNT: &str = "SELECT count(*) FROM graph_entities WHERE kind = 'Symbol'";

/// Names and words of what a file defines, in its order; of data that nobody wrote so long, nothing.
pub(super) const SYMBOL_WORDS_IN: &str = "SELECT substr(s.name, 1, 256), \
     CASE WHEN length(s.data) <= 16384 THEN s.data ELSE '' END \
     FROM graph_edges d CROSS JOIN graph_entities s ON s.id = d.to_id \
     WHERE d.from_id = ?1 AND d.edge_type = 'DEFINES' AND s.kind = 'Symbol' ORDER BY d.id LIMIT ?2";

#[cfg(test)]
pub(super) const ALL: [&str; 21] = [
    DEFINING_FILES,
    SYMBOLS_COUNT,
    SYMBOL_WORDS_IN,
    EXECUTION,
    FILE,
    FILE_STUB,
    SYMBOL_STUB,
    FILES_ENDING,
    FILE_STUBS_ENDING,
    SYMBOLS,
    DEFINERS,
    LINKED,
    LINKED_BY_CHANGE,
    EDGES,
    LINKS,
    DIAGNOSTIC,
    DIAGNOSTIC_NAMED,
    DIAGNOSTICS_OF,
    SYMBOLS_IN,
    REFERENCES,
    SYMBOL,
];
