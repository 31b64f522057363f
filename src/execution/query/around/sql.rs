//! The questions of this room. Each finds its rows through an index that is in the order asked for.

/// One execution.
pub(super) const BY_ID: &str = "SELECT {columns} FROM executions e \
     LEFT JOIN sessions s ON s.number = e.session WHERE e.id = ?1";

/// Where it lies among others.
pub(super) const SPOT: &str = "SELECT e.seq, e.session, e.parent, coalesce(e.started_seq, e.seq), \
     e.actor, e.at_ms, e.at_seq FROM executions e WHERE e.id = ?1";

/// What ran inside it.
pub(super) const CHILDREN: &str = "SELECT {columns} FROM executions e \
     LEFT JOIN sessions s ON s.number = e.session \
     WHERE e.parent = ?1 AND e.corrected_by IS NULL ORDER BY e.at_ms, e.at_seq LIMIT ?2";

/// What came before it in its session, the nearest first.
pub(super) const SESSION_BEFORE: &str = "SELECT {columns} FROM executions e \
     LEFT JOIN sessions s ON s.number = e.session \
     WHERE e.session = ?1 AND (e.at_ms, e.at_seq) < (?2, ?3) AND e.corrected_by IS NULL \
     ORDER BY e.at_ms DESC, e.at_seq DESC LIMIT ?4";

/// What came after it in its session, the nearest first.
pub(super) const SESSION_AFTER: &str = "SELECT {columns} FROM executions e \
     LEFT JOIN sessions s ON s.number = e.session \
     WHERE e.session = ?1 AND (e.at_ms, e.at_seq) > (?2, ?3) AND e.corrected_by IS NULL \
     ORDER BY e.at_ms, e.at_seq LIMIT ?4";

/// The files it had to do with, those it changed first.
pub(super) const FILES: &str = "SELECT x.path, p.path, x.role FROM execution_paths x \
     CROSS JOIN paths p ON p.number = x.path WHERE x.execution = ?1 \
     ORDER BY x.role DESC, x.path LIMIT ?2";

/// What came before it on a file, the nearest first.
pub(super) const FILE_BEFORE: &str = "SELECT {columns} FROM execution_paths x \
     CROSS JOIN executions e ON e.seq = x.execution LEFT JOIN sessions s ON s.number = e.session \
     WHERE x.path = ?1 AND (x.at_ms, x.at_seq) < (?2, ?3) AND e.corrected_by IS NULL \
     ORDER BY x.at_ms DESC, x.at_seq DESC LIMIT ?4";

/// What came after it on a file, the nearest first.
pub(super) const FILE_AFTER: &str = "SELECT {columns} FROM execution_paths x \
     CROSS JOIN executions e ON e.seq = x.execution LEFT JOIN sessions s ON s.number = e.session \
     WHERE x.path = ?1 AND (x.at_ms, x.at_seq) > (?2, ?3) AND e.corrected_by IS NULL \
     ORDER BY x.at_ms, x.at_seq LIMIT ?4";

/// The last prompt before it.
pub(super) const PROMPT: &str = "SELECT seq, at_ms, text FROM prompts \
     WHERE session = ?1 AND seq < ?2 AND coalesce(actor, '') = ?3 ORDER BY seq DESC LIMIT 1";

#[cfg(test)]
pub(super) const ALL: [&str; 9] =
    [BY_ID, SPOT, CHILDREN, SESSION_BEFORE, SESSION_AFTER, FILES, FILE_BEFORE, FILE_AFTER, PROMPT];
