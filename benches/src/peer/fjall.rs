//! fjall: an LSM tree; each insert followed by a flush of its journal.

use std::path::Path;

use fjall::{Config, Keyspace, PartitionCreateOptions, PartitionHandle, PersistMode};

use crate::BenchError;

/// One partition, keyed by number.
pub struct Fjall {
    keyspace: Keyspace,
    partition: PartitionHandle,
}

impl Fjall {
    pub fn create(dir: &Path) -> Result<Self, BenchError> {
        let open = || {
            let keyspace = Config::new(dir.join("fjall")).open()?;
            let partition = keyspace.open_partition("log", PartitionCreateOptions::default())?;
            Ok(Self { keyspace, partition })
        };
        open().map_err(|source: fjall::Error| BenchError::peer("opening fjall")(source))
    }

    /// Returns when the bytes are durable.
    pub fn append(&self, key: u64, bytes: &[u8]) -> Result<(), BenchError> {
        self.partition
            .insert(key.to_be_bytes(), bytes)
            .and_then(|()| self.keyspace.persist(PersistMode::SyncData))
            .map_err(BenchError::peer("appending to fjall"))
    }
}
