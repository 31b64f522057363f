//! A store's rows as fast as SQLite takes them: those of a finished store, into a file without journal and sync,
//! 16 KiB pages, 2 MB of cache, indexes and triggers last.

use std::path::Path;

use rusqlite::Connection;

use crate::BenchError;
use crate::floor::make_durable;

/// Copies every table of a store, and flushes the copy.
pub fn bulk_copy(store: &Path, to: &Path) -> Result<(), BenchError> {
    let copy = || -> rusqlite::Result<()> {
        let connection = Connection::open(to)?;
        connection.execute_batch(
            "PRAGMA page_size=16384; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
             PRAGMA cache_size=-2048; PRAGMA locking_mode=EXCLUSIVE; PRAGMA foreign_keys=OFF;",
        )?;
        connection.execute("ATTACH ?1 AS old", [store.to_string_lossy()])?;
        // SQLite's own tables are made by it.
        let sql = "SELECT type, name, sql FROM old.sqlite_master WHERE sql IS NOT NULL \
                   AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
        let mut read = connection.prepare(sql)?;
        let all: Vec<(String, String, String)> = read
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
            .collect::<rusqlite::Result<_>>()?;
        connection.execute_batch("BEGIN")?;
        for (_, name, sql) in all.iter().filter(|it| it.0 == "table") {
            connection.execute_batch(sql)?;
            // Without a condition whole pages would be copied, and no row inserted.
            let rows = format!("INSERT INTO main.\"{name}\" SELECT * FROM old.\"{name}\" WHERE 1");
            connection.execute_batch(&rows)?;
        }
        connection.execute_batch("COMMIT")?;
        // Views, where there are any, name what is there by then.
        all.iter().filter(|it| it.0 != "table").try_for_each(|it| connection.execute_batch(&it.2))
    };
    copy().map_err(BenchError::peer("bulk loading"))?;
    make_durable(to)
}
