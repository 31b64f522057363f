//! `execution_log.db` made as fast as SQLite makes it: journal and sync off, 16 KiB pages, 2 MB of
//! cache, rows in order, indexes and triggers last.

use std::fs::File;
use std::path::Path;

use rusqlite::Connection;

use crate::workload::Execution;
use crate::{BenchError, sql};

/// Rows first, everything else after.
pub fn bulk_load(path: &Path, executions: &[Execution]) -> Result<(), BenchError> {
    let load = || -> rusqlite::Result<()> {
        let connection = Connection::open(path)?;
        connection.execute_batch(
            "PRAGMA page_size=16384; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
             PRAGMA cache_size=-2048; PRAGMA locking_mode=EXCLUSIVE; PRAGMA foreign_keys=OFF;",
        )?;
        connection.execute_batch(sql::TABLES)?;
        connection.execute_batch("BEGIN")?;
        for execution in executions {
            sql::insert(&connection, execution)?;
        }
        connection.execute_batch("COMMIT")?;
        connection.execute_batch(sql::INDEXES)?;
        connection.execute_batch(sql::TRIGGERS)
    };
    load().map_err(BenchError::peer("bulk loading"))
}

/// Triggers and indexes there from the start; one transaction, default pages.
pub fn load_in_order(path: &Path, executions: &[Execution]) -> Result<(), BenchError> {
    let load = || -> rusqlite::Result<()> {
        let connection = Connection::open(path)?;
        connection.execute_batch("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;")?;
        connection.execute_batch(sql::TABLES)?;
        connection.execute_batch(sql::INDEXES)?;
        connection.execute_batch(sql::TRIGGERS)?;
        for batch in executions.chunks(1000) {
            connection.execute_batch("BEGIN")?;
            for execution in batch {
                sql::insert(&connection, execution)?;
            }
            connection.execute_batch("COMMIT")?;
        }
        Ok(())
    };
    load().map_err(BenchError::peer("loading in order"))
}

/// Makes a finished file durable, as a swap must before it renames.
pub fn make_durable(path: &Path) -> Result<(), BenchError> {
    File::open(path).and_then(|file| file.sync_all()).map_err(BenchError::io("flushing a store"))
}
