//! A file of a source.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::sync::Arc;

use crate::archive::ArchivedFile;
use crate::bundle::Extent;
use crate::storage::{FsFile, LockKind, StorageFile};

/// A file of a source.
#[derive(Debug)]
pub enum SourceFile {
    Disk {
        file: FsFile,
        /// It is only read, and not locked.
        guarded: bool,
    },
    /// A stretch of a bundle.
    Part { file: Arc<File>, extent: Extent },
    /// A segment that was moved elsewhere.
    Archived(Box<ArchivedFile>),
}

impl SourceFile {
    /// The file, for what a guarded one refuses.
    fn free(&self) -> io::Result<&FsFile> {
        match self {
            Self::Disk { file, guarded: false } => Ok(file),
            Self::Disk { guarded: true, .. } | Self::Part { .. } | Self::Archived(_) => {
                Err(io::Error::new(io::ErrorKind::Unsupported, "evidence is only read"))
            }
        }
    }
}

impl StorageFile for SourceFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match self {
            Self::Disk { file, .. } => file.read_at(buffer, offset),
            Self::Part { file, extent } => {
                let left = extent.bytes.saturating_sub(offset);
                let want = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
                if want == 0 {
                    return Ok(0);
                }
                file.read_at(&mut buffer[..want], extent.offset + offset)
            }
            Self::Archived(file) => file.read_at(buffer, offset),
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
            Self::Part { extent, .. } => Ok(extent.bytes),
            Self::Archived(file) => Ok(file.len()),
        }
    }

    fn data_from(&self, at: u64) -> u64 {
        match self {
            Self::Disk { file, .. } => file.data_from(at),
            Self::Part { .. } | Self::Archived(_) => at,
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
            Self::Part { file, extent } => {
                let about = file.metadata()?;
                Ok(((about.dev(), about.ino() ^ extent.offset), 1))
            }
            Self::Archived(file) => file.identity(),
        }
    }

    fn map(&self) -> io::Result<Option<memmap2::Mmap>> {
        match self {
            Self::Disk { file, .. } => file.map(),
            // A stretch begins at no page: it is read through a window.
            Self::Part { .. } | Self::Archived(_) => Ok(None),
        }
    }
}
