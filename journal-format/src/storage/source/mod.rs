//! The real disk, with a source on it that is only read: nothing below it is written, and no lock
//! is taken there.

mod file;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{FsStorage, OpenHow, Storage, first_page};
use crate::archive::{Note, noted};
use crate::bundle::{Bundle, BundleError, hex, is_bundle, unhex};
use crate::segment::SegmentName;

pub use file::SourceFile;

/// The real disk. Where a source is guarded, whatever would change it or hold it against others is
/// refused: evidence is read as it lies. A bundle reads as the journal's folder that is in it, and a segment that was
/// moved elsewhere (its note says so) as the file that it was.
#[derive(Clone, Debug, Default)]
pub struct SourceStorage {
    guarded: Option<Arc<Guarded>>,
}

#[derive(Debug)]
struct Guarded {
    path: PathBuf,
    bundle: Option<Bundle>,
}

impl SourceStorage {
    /// The real disk, nothing guarded.
    pub fn open() -> Self {
        Self::default()
    }

    /// Guards a journal's folder, one segment, or a bundle: it is read, and nothing else.
    ///
    /// # Errors
    /// Where it is a bundle, and not to be believed.
    pub fn guarding(source: &Path) -> Result<Self, BundleError> {
        let bundle = is_bundle(source).then(|| Bundle::open(source)).transpose()?;
        Ok(Self { guarded: Some(Arc::new(Guarded { path: source.to_owned(), bundle })) })
    }

    /// The bundle that is guarded, if it is one.
    pub fn bundle(&self) -> Option<&Bundle> {
        self.guarded.as_ref()?.bundle.as_ref()
    }

    /// What of a path lies in the source that is guarded.
    fn inside<'a>(&self, path: &'a Path) -> Option<&'a Path> {
        // Nothing lies beneath it otherwise.
        path.strip_prefix(&self.guarded.as_ref()?.path).ok()
    }

    fn refuse(&self, path: &Path) -> io::Result<()> {
        match self.inside(path) {
            Some(_) => {
                Err(io::Error::new(io::ErrorKind::PermissionDenied, "evidence is only read"))
            }
            None => Ok(()),
        }
    }

    /// What lies there itself.
    fn open_plain(&self, path: &Path) -> io::Result<SourceFile> {
        match (self.bundle(), self.inside(path)) {
            (Some(bundle), Some(inside)) => Self::part(bundle, inside),
            (_, inside) => {
                let file = FsStorage.open(path, OpenHow::Read)?;
                Ok(SourceFile::Disk { file, guarded: inside.is_some() })
            }
        }
    }

    /// Where a file lies in the bundle.
    fn part(bundle: &Bundle, inside: &Path) -> io::Result<SourceFile> {
        let name = inside.to_str().unwrap_or_default();
        let extent = match name.strip_prefix("blobs/") {
            Some(hash) => unhex(hash).and_then(|hash| bundle.blobs.get(&hash)),
            None => SegmentName::parse(name).and_then(|name| bundle.segments.get(&name)),
        };
        let extent = extent.ok_or(io::ErrorKind::NotFound)?;
        Ok(SourceFile::Part { file: bundle.file(), extent: *extent })
    }
}

impl Storage for SourceStorage {
    type File = SourceFile;

    fn open(&self, path: &Path, how: OpenHow) -> io::Result<SourceFile> {
        if how != OpenHow::Read {
            self.refuse(path)?;
        }
        let inside = self.inside(path);
        if let (Some(bundle), Some(inside)) = (self.bundle(), inside) {
            return Self::part(bundle, inside);
        }
        match FsStorage.open(path, how) {
            Err(error) if is_missing(&error, how) => match Note::of(path)? {
                Some(note) => Ok(SourceFile::Archived(Box::new(note.open()?))),
                None => Err(error),
            },
            file => Ok(SourceFile::Disk { file: file?, guarded: inside.is_some() }),
        }
    }

    fn header_page(&self, path: &Path) -> io::Result<Vec<u8>> {
        let page = self.open_plain(path).and_then(|file| first_page(&file));
        match page {
            Err(error) if is_missing(&error, OpenHow::Read) => {
                Note::header_page(path)?.ok_or(error)
            }
            page => page,
        }
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        let (Some(bundle), Some(inside)) = (self.bundle(), self.inside(folder)) else {
            let mut names = FsStorage.list(folder)?;
            let moved: Vec<_> = names.iter().filter_map(|name| noted(name)).collect();
            for name in moved.into_iter().map(|it| it.to_string()) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            return Ok(names);
        };
        match inside.to_str() {
            Some("") => Ok(bundle.segments.keys().map(ToString::to_string).collect()),
            Some("blobs") => Ok(bundle.blobs.keys().map(|hash| hex(hash)).collect()),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
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

    fn take_mode(&self, of: &Path, file: &Path) -> io::Result<()> {
        self.refuse(file)?;
        FsStorage.take_mode(of, file)
    }

    fn boot_id(&self) -> [u8; 16] {
        FsStorage.boot_id()
    }
}

fn is_missing(error: &io::Error, how: OpenHow) -> bool {
    how == OpenHow::Read && error.kind() == io::ErrorKind::NotFound
}
