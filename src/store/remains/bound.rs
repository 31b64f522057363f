//! What reading a database of anybody's making may cost: its pages can lead in circles, and one page can
//! stand for a million rows.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::Connection;
use rusqlite::limits::Limit;

/// The largest value that is given.
pub(super) const CELL_BYTES_MAX: u64 = 64 << 20;
/// Instructions of SQLite's machine, however small the file, and for each of its bytes: rows of ours take
/// a tenth of that.
const STEPS_MIN: u64 = 100_000_000;
const STEPS_PER_BYTE: u64 = 64;
/// Instructions between two counts.
const COUNT_EVERY: i32 = 10_000;
/// Bytes that are read, however small the file, and for each of its bytes: names stand in many edges.
const BYTES_MIN: u64 = 128 << 20;
const BYTES_PER_BYTE: u64 = 32;
/// A file's size counts up to here: holes cost its maker nothing.
const FILE_BYTES_MAX: u64 = 64 << 30;

/// What may still be read.
pub(super) struct Bound {
    bytes: Cell<u64>,
}

impl Bound {
    /// Sets the bounds of a connection to files of so many bytes.
    pub fn on(conn: &Connection, file_bytes: u64) -> Self {
        let file_bytes = file_bytes.min(FILE_BYTES_MAX);
        let steps_max = STEPS_MIN + file_bytes * STEPS_PER_BYTE;
        let steps = Arc::new(AtomicU64::new(0));
        let over = move || {
            let taken = COUNT_EVERY.unsigned_abs().into();
            steps.fetch_add(taken, Ordering::Relaxed) > steps_max
        };
        conn.progress_handler(COUNT_EVERY, Some(over));
        // Above what is given, so that what is too large can be told from what is damaged.
        let cell = i32::try_from(2 * CELL_BYTES_MAX).unwrap_or(i32::MAX);
        // A limit that cannot be set stands at SQLite's own.
        drop(conn.set_limit(Limit::SQLITE_LIMIT_LENGTH, cell));
        Self { bytes: Cell::new(BYTES_MIN + file_bytes * BYTES_PER_BYTE) }
    }

    /// Counts bytes that were read; whether no more may be.
    pub fn is_over(&self, bytes: u64) -> bool {
        let left = self.bytes.get().checked_sub(bytes);
        self.bytes.set(left.unwrap_or(0));
        left.is_none()
    }
}
