//! Length, CRC-32, payload: the smallest frame that notices damage, in writes of 256 KiB.

use std::path::Path;

use annals_journal_format::Chain;
use annals_journal_format::chain::link;

use super::RawFile;
use crate::BenchError;

const BATCH_BYTES: usize = 256 << 10;

/// Puts a frame around what `put` appends.
pub fn frame_into(
    out: &mut Vec<u8>,
    put: impl FnOnce(&mut Vec<u8>) -> Result<(), BenchError>,
) -> Result<(), BenchError> {
    let start = out.len();
    out.extend_from_slice(&[0; 8]);
    put(out)?;
    let len = (out.len() - start - 8) as u32;
    let crc = crc32fast::hash(&out[start + 8..]);
    out[start..start + 4].copy_from_slice(&len.to_le_bytes());
    out[start + 4..start + 8].copy_from_slice(&crc.to_le_bytes());
    Ok(())
}

/// Frames gathered and written 256 KiB at a time.
pub struct FramedWriter {
    file: RawFile,
    batch: Vec<u8>,
    /// Over what was written, where it is kept.
    chain: Option<Chain>,
}

impl FramedWriter {
    pub fn create(path: &Path) -> Result<Self, BenchError> {
        let file = RawFile::growing(path)?;
        Ok(Self { file, batch: Vec::with_capacity(BATCH_BYTES * 2), chain: None })
    }

    /// The same, with a hash over each write and all before it.
    pub fn chained(path: &Path) -> Result<Self, BenchError> {
        Ok(Self { chain: Some(Chain([0; 32])), ..Self::create(path)? })
    }

    /// One frame of whatever `put` appends.
    pub fn append(
        &mut self,
        put: impl FnOnce(&mut Vec<u8>) -> Result<(), BenchError>,
    ) -> Result<(), BenchError> {
        frame_into(&mut self.batch, put)?;
        if self.batch.len() >= BATCH_BYTES { self.flush() } else { Ok(()) }
    }

    /// Writes what is gathered.
    pub fn flush(&mut self) -> Result<(), BenchError> {
        self.chain = self.chain.map(|chain| link(chain, &self.batch));
        self.file.write(&self.batch)?;
        self.batch.clear();
        Ok(())
    }
}
