//! How long a statement waits for others; the twin in `tests/` lets a test decide who goes on meanwhile.

use std::time::Duration;

use rusqlite::Connection;

pub use crate::journal::turn::{pass, wait};

/// How long statements of a connection wait for others.
pub(crate) fn patience(conn: &Connection, wait: Duration) -> rusqlite::Result<()> {
    conn.busy_timeout(wait)
}
