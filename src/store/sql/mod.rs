//! Free SQL over stores, read-only: one journal's or several's.
//!
//! One journal: its stores are attached as `log`, `idx` and `graph`, the files themselves, opened
//! for reading. Several: one view a table, over all of them, with the journal's name before the
//! row; where they are more than SQLite attaches, a copy in a temporary database.

mod dotted;
mod guard;
mod open;
mod rows;
mod source;
mod unions;
mod value;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::time::Instant;

use rusqlite::Connection;

use super::StoreError;
use super::lock::StoreLock;

pub use guard::Limits;
pub use rows::{SqlError, TakeRows};
pub use source::SqlSource;
pub use value::Value;

/// Stores open for free SQL.
#[derive(Debug)]
pub struct FreeSql {
    conn: Connection,
    limits: Limits,
    begun: Instant,
    /// Views over several journals, in small letters.
    views: BTreeSet<String>,
    /// Stores that are there and cannot be read.
    pub left_out: Vec<StoreError>,
    /// Held so that no store is swapped for another meanwhile (R12).
    _locks: Vec<StoreLock>,
}
