//! Points at which others may go on; the twin in `tests/` lets a test decide who does.

use std::thread;
use std::time::Duration;

use rusqlite::Connection;

/// Between two steps that others may come between.
pub fn pass() {}

/// Before trying again what somebody else holds.
pub fn wait(pause: Duration) {
    thread::sleep(pause);
}

/// How long statements of a connection wait for others.
pub(crate) fn patience(conn: &Connection, wait: Duration) -> rusqlite::Result<()> {
    conn.busy_timeout(wait)
}
