//! An archived segment, read where it lies.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::{ArchiveFault, Manifest, address, reach};
use crate::limits::ARCHIVE_BLOCK_BYTES;

/// An archived segment that is read as the file it was. No byte is given that the manifest does not vouch for, and
/// no more than one block of it is in memory.
#[derive(Debug)]
pub struct ArchivedFile {
    path: PathBuf,
    /// Of an address it is opened when its first block is read.
    file: OnceLock<File>,
    manifest: Manifest,
    /// Where each block starts.
    starts: Vec<u64>,
    /// The block that was read last.
    held: Mutex<Option<(usize, Vec<u8>)>>,
}

impl ArchivedFile {
    /// # Errors
    /// [`ArchiveFault`] in an [`io::Error`] where it is not there, or not as long as it should be.
    pub fn open(path: &Path, manifest: Manifest) -> io::Result<Self> {
        let mut starts = Vec::with_capacity(manifest.blocks.len());
        let mut end = 0_u64;
        for block in &manifest.blocks {
            starts.push(end);
            end = end.saturating_add(block.bytes);
        }
        let (path, file) = (path.to_owned(), OnceLock::new());
        let opened = Self { path, file, manifest, starts, held: Mutex::default() };
        if address(&opened.path).is_none() {
            opened.file()?;
        }
        Ok(opened)
    }

    fn file(&self) -> io::Result<&File> {
        if let Some(file) = self.file.get() {
            return Ok(file);
        }
        let end = self.manifest.stored_bytes();
        let unread = |error: io::Error| ArchiveFault::unread(&self.path, "opened", &error);
        let file = reach::open(&self.path, end).map_err(unread)?;
        let len = file.metadata().map_err(unread)?.len();
        if len != end {
            let what = format!("has {len} bytes where {end} were archived");
            return Err(ArchiveFault::wrong(&self.path, what).into());
        }
        Ok(self.file.get_or_init(|| file))
    }

    pub fn len(&self) -> u64 {
        self.manifest.bytes
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// As [`crate::storage::StorageFile::read_at`].
    ///
    /// # Errors
    /// As [`Self::open`], and where a block is not the one that was archived.
    pub fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        if offset >= self.manifest.bytes || buffer.is_empty() {
            return Ok(0);
        }
        let number = (offset / ARCHIVE_BLOCK_BYTES) as usize;
        let within = (offset % ARCHIVE_BLOCK_BYTES) as usize;
        // A block is put there whole.
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.as_ref().is_none_or(|(of, _)| *of != number) {
            *held = Some((number, self.block(number)?));
        }
        let Some((_, block)) = held.as_ref() else { return Ok(0) };
        let count = buffer.len().min(block.len() - within);
        buffer[..count].copy_from_slice(&block[within..within + count]);
        Ok(count)
    }

    pub(crate) fn identity(&self) -> io::Result<((u64, u64), u64)> {
        let about = self.file()?.metadata()?;
        Ok(((about.dev(), about.ino()), 1))
    }

    pub(super) fn block(&self, number: usize) -> io::Result<Vec<u8>> {
        let wrong = || {
            ArchiveFault::wrong(
                &self.path,
                format!("block {number} is not the one that was archived"),
            )
        };
        let block = self.manifest.blocks.get(number).ok_or_else(wrong)?;
        let mut stored = vec![0; usize::try_from(block.bytes).map_err(|_| wrong())?];
        let unread = |error: io::Error| ArchiveFault::unread(&self.path, "read", &error);
        self.file()?.read_exact_at(&mut stored, self.starts[number]).map_err(unread)?;
        // Before anything is decompressed.
        if *blake3::hash(&stored).as_bytes() != block.blake3 {
            return Err(wrong().into());
        }
        let raw = self.manifest.raw_bytes(number) as usize;
        let bytes = zstd::bulk::decompress(&stored, raw).map_err(|_| wrong())?;
        if bytes.len() != raw {
            return Err(wrong().into());
        }
        Ok(bytes)
    }
}
