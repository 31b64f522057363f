//! redb: a copy-on-write B-tree; a transaction an append.

use std::path::Path;

use redb::{Database, TableDefinition};

use crate::BenchError;

const LOG: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("log");

/// One table, keyed by number.
pub struct Redb(Database);

impl Redb {
    pub fn create(dir: &Path) -> Result<Self, BenchError> {
        Database::create(dir.join("log.redb")).map(Self).map_err(BenchError::peer("opening redb"))
    }

    /// Returns when the bytes are durable.
    pub fn append(&self, key: u64, bytes: &[u8]) -> Result<(), BenchError> {
        let write = || -> Result<(), redb::Error> {
            let transaction = self.0.begin_write()?;
            transaction.open_table(LOG)?.insert(key, bytes)?;
            transaction.commit()?;
            Ok(())
        };
        write().map_err(BenchError::peer("appending to redb"))
    }
}
