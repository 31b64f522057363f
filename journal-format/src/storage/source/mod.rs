//! The real disk, with a source on it that is only read: nothing below it is written, and no lock
//! is taken there.

mod file;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{FsStorage, OpenHow, Storage};

pub use file::SourceFile;

/// The real disk. Where a source is guarded, whatever would change it or hold it against others is
/// refused: evidence is read as it lies.
#[derive(Clone, Debug, Default)]
pub struct SourceStorage {
    guarded: Option<Arc<PathBuf>>,
}

impl SourceStorage {
    /// The real disk, nothing guarded.
    pub fn open() -> Self {
        Self::default()
    }

    /// Guards a journal's folder, or one segment: it is read, and nothing else.
    pub fn guarding(source: &Path) -> Self {
        Self { guarded: Some(Arc::new(source.to_owned())) }
    }

    fn guards(&self, path: &Path) -> bool {
        self.guarded.as_ref().is_some_and(|source| path.starts_with(source.as_path()))
    }

    fn refuse(&self, path: &Path) -> io::Result<()> {
        match self.guards(path) {
            true => Err(io::Error::new(io::ErrorKind::PermissionDenied, "evidence is only read")),
            false => Ok(()),
        }
    }
}

impl Storage for SourceStorage {
    type File = SourceFile;

    fn open(&self, path: &Path, how: OpenHow) -> io::Result<SourceFile> {
        if how != OpenHow::Read {
            self.refuse(path)?;
        }
        let file = FsStorage.open(path, how)?;
        Ok(SourceFile::Disk { file, guarded: self.guards(path) })
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        FsStorage.list(folder)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.refuse(from)?;
        self.refuse(to)?;
        FsStorage.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.refuse(path)?;
        FsStorage.remove(path)
    }

    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        self.refuse(folder)?;
        FsStorage.create_folder(folder)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        FsStorage.sync_folder(folder)
    }

    fn identity_of(&self, path: &Path) -> io::Result<(u64, u64)> {
        FsStorage.identity_of(path)
    }

    fn boot_id(&self) -> [u8; 16] {
        FsStorage.boot_id()
    }
}
