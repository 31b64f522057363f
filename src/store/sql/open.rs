//! Opening stores for free SQL.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::{FreeSql, Limits, SqlSource, unions};
use crate::journal::enclosure;
use crate::journal::enclosure::DatabaseUse;
use crate::store::StoreError;
use crate::store::connection::place;
use crate::store::lock::{StoreLock, WAIT_MAX};

/// The schema of `codegraph.db`.
const GRAPH: &str = "graph";
/// What there is only with something to hold.
const OPTIONAL: [&str; 2] = [GRAPH, "memory"];
/// What SQLite attaches at most, as it is built everywhere.
const ATTACHED_MAX: usize = 10;

impl FreeSql {
    /// Opens the stores of one or several journals.
    pub fn open(sources: &[SqlSource], limits: Limits) -> Result<Self, StoreError> {
        let begun = Instant::now();
        // A temporary file, SQLite's own, gone when it is closed: what is sorted or copied is not
        // kept in memory.
        let temporary = Path::new("");
        let failed = |source| StoreError::sql(temporary, "opening a temporary database", source);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NOFOLLOW
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags("", flags).map_err(failed)?;
        conn.busy_timeout(WAIT_MAX).map_err(failed)?;
        conn.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA temp_store = FILE")
            .map_err(failed)?;
        // Nor is the last one here to delete another program's `-wal`.
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(failed)?;
        let (mut locks, mut left_out) = (Vec::new(), Vec::new());
        let mut there = Vec::new();
        for source in sources {
            let mut stores = source.stores.clone();
            stores.retain(|(_, path)| enclosure::look(path).is_ok());
            // Not every journal has these: one that cannot be read keeps nobody from the rest.
            stores.retain(|(schema, path)| {
                match OPTIONAL.contains(schema).then(|| readable(schema, path)) {
                    Some(Err(error)) => {
                        left_out.push(error);
                        false
                    }
                    _ => true,
                }
            });
            // The graph is never swapped, and somebody else's: no lock lies beside it.
            for (_, path) in stores.iter().filter(|(schema, _)| *schema != GRAPH) {
                locks.extend(StoreLock::reading(path)?);
            }
            there.push(SqlSource { name: source.name.clone(), stores });
        }
        let views = match there.as_slice() {
            [one] => {
                for (schema, path) in &one.stores {
                    attach(&conn, path, schema)?;
                    unions::alias(&conn, schema, path)?;
                }
                BTreeSet::new()
            }
            several
                if several.iter().map(|one| one.stores.len()).sum::<usize>() <= ATTACHED_MAX =>
            {
                unions::view(&conn, several)?
            }
            many => unions::copy(&conn, many, &limits)?,
        };
        crate::store::sql::close_to_writers(&conn, &limits, begun).map_err(failed)?;
        Ok(Self { conn, limits, views, left_out, _locks: locks })
    }
}

/// Whether a file is a database that can be read.
fn readable(schema: &str, path: &Path) -> Result<(), StoreError> {
    let failed = |source| StoreError::sql(path, "opening the store", source);
    let flags = OpenFlags::default() | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let conn = Connection::open_in_memory_with_flags(flags).map_err(failed)?;
    attach(&conn, path, schema)?;
    let look = format!("SELECT count(*) FROM {schema}.sqlite_master");
    conn.query_row(&look, [], |_| Ok(())).map_err(failed)
}

/// Attaches a store for reading.
pub(super) fn attach(conn: &Connection, path: &Path, schema: &str) -> Result<(), StoreError> {
    let real = place(path, DatabaseUse::Read)?;
    let failed = |source| StoreError::sql(path, "opening the store", source);
    conn.execute("ATTACH DATABASE ?1 AS ?2", [uri(&real), schema.to_owned()]).map_err(failed)?;
    // Attaching reads nothing: what is no database says so here.
    conn.query_row(&format!("PRAGMA {schema}.schema_version"), [], |_| Ok(())).map_err(failed)
}

/// `file:` with everything that means something there written in hex; read-only.
fn uri(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(char::from(*byte));
            }
            other => uri.push_str(&format!("%{other:02x}")),
        }
    }
    uri.push_str("?mode=ro");
    uri
}
