//! The tables of spec 003, word for word, and the indexes of their questions.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Connection;

use super::{INDEXES, TABLES};
use crate::store::StoreError;
use crate::store::statements::{created, statements};

/// Compares a file's schema with ours. What FTS5 keeps its index in is its own matter.
pub(super) fn check(conn: &Connection, path: &Path) -> Result<(), StoreError> {
    let found =
        found(conn).map_err(|source| StoreError::sql(path, "reading the schema", source))?;
    let found: BTreeSet<(&str, &str)> =
        found.iter().map(|(name, sql)| (name.as_str(), sql.as_str())).collect();
    let ours = statements(TABLES).into_iter().chain(statements(INDEXES));
    let expected: BTreeSet<(&str, &str)> = ours.map(|sql| (created(sql), sql)).collect();
    match expected.symmetric_difference(&found).next() {
        None => Ok(()),
        Some((object, _)) => {
            let object = (*object).to_owned();
            Err(StoreError::SchemaDiffers { path: path.to_owned(), object })
        }
    }
}

fn found(conn: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    let mut find = conn.prepare(
        "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL \
         AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
         AND name NOT LIKE 'archival\\_fts\\_%' ESCAPE '\\' ORDER BY name",
    )?;
    find.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}
