//! Which store lies at a path: a database is known by its tables, a folder by its name.

use std::path::Path;

use rusqlite::Connection;

use super::{RemainsError, tables};
use crate::journal::enclosure;
use crate::journal::enclosure::Kind;
use crate::store::StoreError;
use crate::stores::StoreName;

/// What ends the name of one that was set aside as evidence.
const EVIDENCE: &str = ".evidence";

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

/// The store that a database is, by its tables.
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
