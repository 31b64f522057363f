//! A connection to a graph that another program may have open as well.

use std::ops::Deref;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::schema;
use crate::journal::enclosure;
use crate::store::lock::beside;

/// Of a `-wal` that nobody else has put away: beyond this we copy it into the graph.
const WAL_BYTES_MAX: i64 = 32 << 20;

/// A connection that leaves another program's `-wal` where it is.
///
/// SQLite's last connection copies the `-wal` into the file and deletes it, and knows by a POSIX
/// lock that it is the last. A program that opens the file once more and closes that loses the lock
/// (magellan does): its `-wal` would be deleted under it. Copying beside it is safe, for that is
/// agreed upon by locks on `-shm`; it is left to the others until the `-wal` is large.
#[derive(Debug)]
pub(super) struct Shared(Connection);

impl Shared {
    pub fn of(conn: Connection) -> rusqlite::Result<Self> {
        leave_wal(&conn, true)?;
        let page_bytes: i64 = conn.query_row("PRAGMA page_size", [], |row| row.get(0))?;
        let pages = WAL_BYTES_MAX / page_bytes.max(1);
        conn.query_row(&format!("PRAGMA wal_autocheckpoint = {pages}"), [], |_| Ok(()))?;
        Ok(Self(conn))
    }
}

/// Copies a `-wal` that has grown beyond the bound into the graph, before something is written: what is
/// written then begins it again. SQLite does so by itself behind a commit, but whoever opens the graph alone
/// next has forgotten that, and would go on at its end.
pub(super) fn copy_wal(conn: &Connection, path: &Path) -> rusqlite::Result<()> {
    let wal = enclosure::look(&beside(path, "-wal"));
    match wal.is_ok_and(|wal| wal.bytes >= WAL_BYTES_MAX as u64) {
        // As far as readers allow; the next one goes on.
        true => conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())),
        false => Ok(()),
    }
}

/// Whether closing leaves the `-wal` as it is.
fn leave_wal(conn: &Connection, leaves: bool) -> rusqlite::Result<()> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, leaves).map(drop)
}

impl Deref for Shared {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.0
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // One that nobody but us ever opened is one file again.
        if schema::is_only_ours(&self.0).unwrap_or_default() {
            let _ = leave_wal(&self.0, false); // where that fails, its `-wal` stays beside it
        }
    }
}
