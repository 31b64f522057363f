//! A file of a source.

use std::io;

use crate::storage::{FsFile, LockKind, StorageFile};

/// A file of a source.
#[derive(Debug)]
pub enum SourceFile {
    Disk {
        file: FsFile,
        /// It is only read, and not locked.
        guarded: bool,
    },
}

impl SourceFile {
    /// The file, for what a guarded one refuses.
    fn free(&self) -> io::Result<&FsFile> {
        match self {
            Self::Disk { file, guarded: false } => Ok(file),
            Self::Disk { guarded: true, .. } => {
                Err(io::Error::new(io::ErrorKind::Unsupported, "evidence is only read"))
            }
        }
    }
}

impl StorageFile for SourceFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match self {
            Self::Disk { file, .. } => file.read_at(buffer, offset),
        }
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        self.free()?.write_at(bytes, offset)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.free()?.sync_data()
    }

    fn len(&self) -> io::Result<u64> {
        match self {
            Self::Disk { file, .. } => file.len(),
        }
    }

    fn lock(&self, kind: LockKind) -> io::Result<()> {
        self.free()?.lock(kind)
    }

    fn try_lock(&self, kind: LockKind) -> io::Result<bool> {
        self.free()?.try_lock(kind)
    }

    fn unlock(&self) -> io::Result<()> {
        self.free()?.unlock()
    }

    fn identity(&self) -> io::Result<((u64, u64), u64)> {
        match self {
            Self::Disk { file, .. } => file.identity(),
        }
    }

    fn map(&self) -> io::Result<Option<memmap2::Mmap>> {
        match self {
            Self::Disk { file, .. } => file.map(),
        }
    }
}
