//! Opening SQLite files: who may write, which pragmas hold, which permissions.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::dir::if_there;
use super::lock::WAIT_MAX;
use super::{StoreError, turn};
use crate::journal::enclosure;
use crate::journal::enclosure::{DatabaseUse, OpenHow};

/// Pages of a new store. 16 KiB loads a tenth faster than 4 KiB (measured).
const PAGE_BYTES: u32 = 16 << 10;
/// Cached pages, KiB. More is slower for a load in key order, and costs its memory (measured).
const CACHE_KIB: i32 = 2_000;
/// Pages of a store whose rows are read one here, one there: a row costs the reading of its page.
pub(crate) const SCATTERED_PAGE_BYTES: u32 = 4 << 10;
/// Cached pages of such a store, KiB, as far as they are used: what a chain of branches has.
const SCATTERED_CACHE_KIB: i32 = 64 << 10;
const STATEMENTS_MAX: usize = 64;

/// A connection that may write: WAL, synchronous NORMAL (the journal is what is durable).
pub(crate) fn open_write(path: &Path) -> Result<Connection, StoreError> {
    let failed = |source| StoreError::sql(path, "opening the store", source);
    let conn = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let mode: String =
        conn.query_row("PRAGMA journal_mode", [], |row| row.get(0)).map_err(failed)?;
    if mode != "wal" {
        conn.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).map_err(failed)?;
    }
    // Statement journals in memory: every insert that a trigger or a conflict may undo writes one.
    let pragmas =
        "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY";
    conn.execute_batch(pragmas).map_err(failed)?;
    Ok(conn)
}

/// A connection that only reads. Where the folder can be written it is opened so that the `-wal`
/// of a dead writer is read and put away; where not, as the file stands.
pub(crate) fn open_read(path: &Path) -> Result<Connection, StoreError> {
    open_read_of(path, Whose::Ours)
}

/// As [`open_read`], of a file that may be another program's.
pub(crate) fn open_read_of(path: &Path, whose: Whose) -> Result<Connection, StoreError> {
    let failed = |source| StoreError::sql(path, "opening the store", source);
    let opened = open_of(path, OpenFlags::SQLITE_OPEN_READ_WRITE, whose)
        .and_then(|conn| readable(&conn).map_err(failed).map(|()| conn));
    let conn = match opened {
        Err(StoreError::Sql { .. } | StoreError::Unreadable { .. }) => {
            let conn = open_of(path, OpenFlags::SQLITE_OPEN_READ_ONLY, whose)?;
            readable(&conn).map_err(failed)?;
            conn
        }
        opened => opened?,
    };
    conn.execute_batch("PRAGMA query_only = ON").map_err(failed)?;
    Ok(conn)
}

/// Whether it is a database at all: else each who opens it says so in the same words.
fn readable(conn: &Connection) -> rusqlite::Result<()> {
    conn.query_row("PRAGMA schema_version", [], |_| Ok(()))
}

/// A connection to a file that is only looked at: nothing beside it is read, made or locked. The
/// caller has seen that no `-wal` and no rollback journal holds more of it.
pub(crate) fn open_still(path: &Path) -> Result<Connection, StoreError> {
    let real = place(path, DatabaseUse::Read)?;
    let uri = uri(&real, "mode=ro&immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NOFOLLOW
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let failed = |source| StoreError::sql(path, "opening the store", source);
    let conn = Connection::open_with_flags(uri, flags).map_err(failed)?;
    plan_once(&conn).map_err(failed)?;
    conn.execute_batch("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF").map_err(failed)?;
    readable(&conn).map_err(failed)?;
    Ok(conn)
}

/// Plans a statement by itself and not by the values that are bound: a bound of rows (`LIMIT ?`) would have it
/// prepared anew each time it is asked.
fn plan_once(conn: &Connection) -> rusqlite::Result<()> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(drop)
}

/// A file as SQLite takes it with options: what means something there is written in hex.
pub(crate) fn uri(path: &Path, options: &str) -> String {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' => uri.push(char::from(*byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(*byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    format!("{uri}?{options}")
}

/// A new file for a bulk load: no journal, no sync, nobody else.
pub(crate) fn create_bulk(path: &Path) -> Result<Connection, StoreError> {
    create_bulk_of(path, PAGE_BYTES)
}

pub(crate) fn create_bulk_of(path: &Path, page_bytes: u32) -> Result<Connection, StoreError> {
    enclosure::open(path, OpenHow::CreateNew)
        .map_err(|source| StoreError::io(path, "making the store", source))?;
    let conn = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let pragmas = format!(
        "PRAGMA page_size = {page_bytes}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; \
         PRAGMA locking_mode = EXCLUSIVE"
    );
    conn.execute_batch(&pragmas)
        .map_err(|source| StoreError::sql(path, "making the store", source))?;
    Ok(conn)
}

/// Puts a finished bulk load into WAL mode. A second connection, because the loading one never
/// had a journal. Who puts the store in its place flushes it, whole.
pub(crate) fn finish_bulk(path: &Path) -> Result<(), StoreError> {
    let failed = |source| StoreError::sql(path, "finishing the store", source);
    let conn = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    conn.execute_batch("PRAGMA synchronous = OFF").map_err(failed)?;
    conn.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).map_err(failed)?;
    conn.close().map_err(|(_, source)| failed(source))
}

/// Of a larger store the indexes are not held against the rows.
const CHECK_BYTES_MAX: u64 = 64 << 20;

/// Lets a connection keep the pages of rows that lie apart.
pub(crate) fn keep_scattered(conn: &Connection, path: &Path) -> Result<(), StoreError> {
    conn.execute_batch(&format!("PRAGMA cache_size = -{SCATTERED_CACHE_KIB}"))
        .map_err(|source| StoreError::sql(path, "opening the store", source))
}

/// Cached pages of a store that is read through once, KiB.
const PASSING_CACHE_KIB: i32 = 256;

/// Lets a connection keep few pages.
pub(crate) fn keep_little(conn: &Connection) {
    // Where that fails it keeps more.
    drop(conn.execute_batch(&format!("PRAGMA cache_size = -{PASSING_CACHE_KIB}")));
}

/// Whether a database passes SQLite's own check of its pages and indexes. One that cannot be asked is not said
/// to fail it.
pub(crate) fn is_whole(conn: &Connection) -> bool {
    let number = |pragma: &str| conn.query_row(pragma, [], |row| row.get::<_, u64>(0));
    let bytes = number("PRAGMA page_count")
        .and_then(|count| number("PRAGMA page_size").map(|size| count.saturating_mul(size)));
    let check = match bytes.is_ok_and(|bytes| bytes <= CHECK_BYTES_MAX) {
        true => "PRAGMA integrity_check(1)",
        false => "PRAGMA quick_check(1)",
    };
    match conn.query_row(check, [], |row| row.get::<_, String>(0)) {
        Ok(told) => told == "ok",
        Err(source) => !StoreError::sql(Path::new(""), "checking it", source).wants_rebuild(),
    }
}

pub(crate) fn must_exist(path: &Path) -> Result<(), StoreError> {
    let looked = if_there(enclosure::look(path));
    match looked.map_err(|source| StoreError::io(path, "opening the store", source))? {
        None => Err(StoreError::Missing { path: path.to_owned() }),
        Some(_) => Ok(()),
    }
}

/// Where SQLite may open a store, and what it opens beside it: by name, through no link.
pub(crate) fn place(path: &Path, to: DatabaseUse) -> Result<PathBuf, StoreError> {
    must_exist(path)?;
    enclosure::database(path, to)
        .map_err(|source| StoreError::io(path, "opening the store", source))
}

pub(crate) fn open(path: &Path, access: OpenFlags) -> Result<Connection, StoreError> {
    open_of(path, access, Whose::Ours)
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Whose {
    Ours,
    /// Another program's as well: others are waited for no longer than this, and closing leaves a `-wal`
    /// where it is, whatever became of the connection.
    Shared(Duration),
}

pub(crate) fn open_of(
    path: &Path,
    access: OpenFlags,
    whose: Whose,
) -> Result<Connection, StoreError> {
    let to = match access.contains(OpenFlags::SQLITE_OPEN_READ_WRITE) {
        true => DatabaseUse::Write,
        false => DatabaseUse::Read,
    };
    turn::pass();
    let real = place(path, to)?;
    let failed = |source| StoreError::sql(path, "opening the store", source);
    let flags = access | OpenFlags::SQLITE_OPEN_NOFOLLOW | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    // SQLite says no more than that it cannot be opened.
    let why = |error| match enclosure::open(path, OpenHow::Read) {
        Err(source) => StoreError::io(path, "opening the store", source),
        Ok(_) => failed(error),
    };
    let conn = Connection::open_with_flags(real, flags).map_err(why)?;
    let wait = match whose {
        Whose::Ours => WAIT_MAX,
        Whose::Shared(wait) => {
            let leaves = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
            conn.set_db_config(leaves, true).map_err(failed)?;
            wait
        }
    };
    turn::patience(&conn, wait).map_err(failed)?;
    plan_once(&conn).map_err(failed)?;
    conn.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    conn.execute_batch(&format!("PRAGMA cache_size = -{CACHE_KIB}; PRAGMA trusted_schema = OFF"))
        .map_err(failed)?;
    Ok(conn)
}
