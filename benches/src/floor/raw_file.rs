//! A file written at its end with one pwrite a record and one fdatasync.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::BenchError;

/// A file that is only appended to.
pub struct RawFile {
    file: File,
    end: u64,
}

impl RawFile {
    /// A file that grows with every write: each flush also writes the new length.
    pub fn growing(path: &Path) -> Result<Self, BenchError> {
        let mut how = OpenOptions::new();
        let file = how.read(true).write(true).create(true).truncate(true).open(path);
        Ok(Self { file: file.map_err(BenchError::io("making a raw file"))?, end: 0 })
    }

    /// A file whose next `bytes` bytes are zeros on the disk already.
    pub fn zero_filled(path: &Path, bytes: u64) -> Result<Self, BenchError> {
        let raw = Self::growing(path)?;
        let zeros = vec![0; 1 << 20];
        for step in 0..bytes.div_ceil(1 << 20) {
            raw.file.write_all_at(&zeros, step << 20).map_err(BenchError::io("filling space"))?;
        }
        raw.file.sync_all().map_err(BenchError::io("filling space"))?;
        Ok(raw)
    }

    /// Writes at the end.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), BenchError> {
        self.file.write_all_at(bytes, self.end).map_err(BenchError::io("writing"))?;
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// fdatasync.
    pub fn sync(&self) -> Result<(), BenchError> {
        self.file.sync_data().map_err(BenchError::io("flushing"))
    }
}
