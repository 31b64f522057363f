//! Statements of a test whose threads take turns: whoever waits gives the turn on.

use std::time::Duration;

use rusqlite::Connection;

use crate::journal::turn::is_taking_turns;
pub use crate::journal::turn::{Turns, pass, wait};

/// Steps of SQLite's machine between two points.
const OPS: i32 = 200;
/// Tries of one statement before it is told that somebody holds the store.
const TRIES_MAX: i32 = 20_000;

/// How long statements of a connection wait for others.
pub(crate) fn patience(conn: &Connection, wait: Duration) -> rusqlite::Result<()> {
    if !is_taking_turns() {
        return conn.busy_timeout(wait);
    }
    let go_on = || {
        pass();
        false
    };
    conn.progress_handler(OPS, Some(go_on));
    conn.commit_hook(Some(go_on));
    conn.busy_handler(Some(|tries| {
        self::wait(Duration::from_millis(1));
        tries < TRIES_MAX
    }))
}
