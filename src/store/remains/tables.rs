//! Which tables of a store say what happened, and what tells their rows from one another. What follows
//! from others of their rows (tallies, names with numbers, full-text indexes) is not among them.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Connection;

use super::{RemainsError, tables};
use crate::journal::enclosure;
use crate::journal::enclosure::Kind;
use crate::store::quarantine::EVIDENCE;
use crate::store::{StoreError, StoreList, StoreName};

/// A table whose rows are held against a fresh store's.
#[derive(Debug)]
pub struct Table {
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

impl Table {
    pub const PLAIN: Self = Self {
        of: "",
        key: &["seq"],
        asked: None,
        passed: &[],
        is_numbered: false,
        is_known_by_key: false,
    };
}

/// The tables of a database; nothing of a store that is a folder.
pub(super) fn of(store: StoreName) -> &'static [Table] {
    store.database().map_or(&[], |database| database.tables)
}

/// The ordinary tables of a database: a view of such a name could be anything.
pub(super) fn ordinary(conn: &Connection) -> rusqlite::Result<BTreeSet<String>> {
    let listed = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'";
    conn.prepare(listed)?.query_map([], |row| row.get(0))?.collect()
}

/// The store that a folder is, by its name, also where it was set aside; `None` where it is no folder.
pub(super) fn folder(list: &StoreList, path: &Path) -> Result<Option<StoreName>, RemainsError> {
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
    // What the folder is called may be the name of a database.
    let folders = || list.stores.iter().copied().filter(|store| store.is_folder());
    let is_its = |store: &StoreName| place_of(*store) == name || store.is_called(name);
    folders().find(is_its).map(Some).ok_or_else(|| {
        let places: Vec<&str> = folders().map(place_of).collect();
        let why = match places.split_last() {
            Some((last, [])) => format!("a folder that is one is called {last}"),
            Some((last, first)) => {
                format!("a folder that is one is called {} or {last}", first.join(", "))
            }
            None => "none is a folder".to_owned(),
        };
        RemainsError::NoStore { path: path.to_owned(), why }
    })
}

/// What a store's folder is called.
fn place_of(store: StoreName) -> &'static str {
    store.place().rsplit('/').next().unwrap_or_default()
}

pub(super) fn database(
    list: &StoreList,
    conn: &Connection,
    path: &Path,
) -> Result<StoreName, RemainsError> {
    let no_store = |why: String| RemainsError::NoStore { path: path.to_owned(), why };
    let found = tables::ordinary(conn).map_err(|error| no_store(error.to_string()))?;
    let is = |store: &&StoreName| {
        let mut first = tables::of(**store).iter().take(2);
        !store.is_folder() && first.all(|table| found.contains(table.of))
    };
    let store = list.stores.iter().find(is).copied();
    store.ok_or_else(|| no_store("it has the tables of none".to_owned()))
}
