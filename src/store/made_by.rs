//! Which version of annals made a database's tables: a number of what it was to have, kept as its `user_version`.
//!
//! It is asked where tables differ: another version's are out of date, those of this very version were changed by
//! somebody.

use std::path::Path;

use rusqlite::Connection;

use super::StoreError;
use super::held::Held;

/// The number of the tables that are made by these statements.
pub(crate) fn number<'s>(schema: impl IntoIterator<Item = &'s str>) -> i32 {
    let mut hash = blake3::Hasher::new_derive_key("annals tables v1");
    for sql in schema {
        hash.update(&(sql.len() as u64).to_le_bytes()).update(sql.as_bytes());
    }
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&hash.finalize().as_bytes()[..4]);
    i32::from_le_bytes(bytes) | 1 // 0 is the number of those that were never given one
}

/// Notes who makes a store.
pub(crate) fn note(conn: &Held, number: i32) -> Result<(), StoreError> {
    conn.run(&format!("PRAGMA user_version = {number}"), "making the tables")
}

/// What is wrong with a store whose tables are not the ones that this build makes.
pub(crate) fn differs(conn: &Connection, path: &Path, number: i32, object: String) -> StoreError {
    let path = path.to_owned();
    match conn.query_row("SELECT user_version FROM pragma_user_version", [], |row| row.get(0)) {
        Ok(found) if number == found => StoreError::SchemaDiffers { path, object },
        Ok::<i32, _>(_) => StoreError::OtherVersion { path },
        Err(source) => StoreError::sql(&path, "reading the version", source),
    }
}
