//! okaywal: a write-ahead log with group commit, the fastest peer that flushes.

use std::path::Path;

use okaywal::{Configuration, LogVoid, WriteAheadLog};

use crate::BenchError;

/// A log that is never checkpointed while it is measured.
pub struct Okaywal(WriteAheadLog);

impl Okaywal {
    /// `bytes` of space made ahead, as our own journal makes its.
    pub fn create(dir: &Path, bytes: u64) -> Result<Self, BenchError> {
        let space = u32::try_from(bytes.max(1 << 20)).unwrap_or(u32::MAX);
        Configuration::default_for(dir.join("okaywal"))
            .preallocate_bytes(space)
            .checkpoint_after_bytes(u64::from(space) * 4)
            .open(LogVoid)
            .map(Self)
            .map_err(BenchError::peer("opening okaywal"))
    }

    /// Returns when the bytes are durable.
    pub fn append(&self, bytes: &[u8]) -> Result<(), BenchError> {
        let write = || {
            let mut entry = self.0.begin_entry()?;
            entry.write_chunk(bytes)?;
            entry.commit()
        };
        write().map(drop).map_err(BenchError::peer("appending to okaywal"))
    }
}
