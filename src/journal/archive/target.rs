//! Where something is sent: a folder or a bucket. Each file appears whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use rustix::fs::OFlags;

use super::MoveError;
use super::address;
use super::remote::{Store, nameless};
use crate::fault::{Class, Fault, Sorted};
use crate::journal::fault::of_io;

pub type Result<T, E = TargetError> = std::result::Result<T, E>;

/// Why something did not arrive, or was not found there.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    #[error("could not {doing} {}", path.display())]
    Io { doing: &'static str, path: PathBuf, source: io::Error },
    #[error("another export of this journal, {}, is under way or was meanwhile", path.display())]
    Busy { path: PathBuf },
    #[error("{} is a link to somewhere else: nothing is written by way of it", path.display())]
    Link { path: PathBuf },
    #[error(transparent)]
    Address(#[from] MoveError),
}

impl TargetError {
    pub fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { doing, path: path.to_owned(), source }
    }
}

impl Fault for TargetError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Io { source, .. } => of_io(source),
            Self::Busy { .. } => Class::Locked.alone(),
            Self::Link { .. } => Class::Refused.alone(),
            Self::Address(source) => source.sorted(),
        }
    }
}

pub enum Target {
    Folder(PathBuf),
    /// A bucket, and the address in it below which everything goes.
    Bucket(Box<Store>, PathBuf),
}

/// What a small file holds, and, in a bucket, which version that is.
pub struct Kept {
    pub bytes: Vec<u8>,
    pub version: Option<String>,
    /// When it was written, by the clock of whoever keeps it, Unix milliseconds; `None` where that is not said.
    pub modified_ms: Option<u64>,
}

impl Target {
    /// `patience`: how long a bucket is asked again that does not answer, or answers that it is busy.
    pub fn of(to: &Path, patience: Option<Duration>) -> Result<Self> {
        address::must_be_known(to)?;
        let Some(address) = address::address(to) else { return Ok(Self::Folder(to.to_owned())) };
        let store = Store::patient(address, patience).map_err(TargetError::io("reach", to))?;
        Ok(Self::Bucket(Box::new(store), to.to_owned()))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        let (Self::Folder(root) | Self::Bucket(_, root)) = self;
        root.join(name)
    }

    /// Makes a folder there, for whoever may read what is around it; a bucket has none.
    pub fn make_folder(&self, name: &str) -> Result<()> {
        match self {
            Self::Bucket(..) => Ok(()),
            Self::Folder(_) => self.make(&self.path(name)),
        }
    }

    /// Begins a file. `by` tells it from what others may write at that place.
    pub fn begin(&self, name: &str, by: &str) -> Result<Coming<'_>> {
        let path = self.path(name);
        match self {
            Self::Bucket(store, _) => {
                let file = nameless().map_err(TargetError::io("write", &path))?;
                Ok(Coming { file, path, to: To::Bucket(store) })
            }
            Self::Folder(_) => {
                let folder = path.parent().unwrap_or(Path::new("."));
                self.make(folder)?;
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let temporary = path.with_file_name(format!(".{name}.{by}.tmp"));
                // What an export that died left, or a trap: what it may lead to is not touched.
                drop(fs::remove_file(&temporary));
                let mut options = OpenOptions::new();
                let file = options.write(true).create_new(true).mode(0o644).open(&temporary);
                let file = file.map_err(TargetError::io("write", &temporary))?;
                Ok(Coming { file, path, to: To::Folder(temporary) })
            }
        }
    }

    /// Makes a folder below a folder, and holds that it is none that a link leads to.
    fn make(&self, folder: &Path) -> Result<()> {
        let (Self::Folder(root) | Self::Bucket(_, root)) = self;
        let mut path = root.clone();
        for part in folder.strip_prefix(root).unwrap_or(Path::new("")) {
            path.push(part);
            if fs::symlink_metadata(&path).is_ok_and(|it| it.is_symlink()) {
                return Err(TargetError::Link { path });
            }
        }
        fs::create_dir_all(folder).map_err(TargetError::io("make", folder))
    }

    /// What a small file holds; `None` where there is none.
    pub fn read(&self, name: &str, bytes_max: u64) -> Result<Option<Kept>> {
        let path = self.path(name);
        let read = match self {
            Self::Bucket(store, _) => store.read(&path, bytes_max),
            Self::Folder(_) => regular(&path, bytes_max),
        };
        read.map_err(TargetError::io("read", &path))
    }

    /// The names of what lies directly in a folder, in order.
    pub fn names(&self, folder: &str) -> Result<Vec<String>> {
        let path = self.path(folder);
        let listed = match self {
            Self::Bucket(store, _) => store.names(&path),
            Self::Folder(_) => names(&path),
        };
        let mut names = listed.map_err(TargetError::io("list", &path))?;
        names.sort();
        Ok(names)
    }

    /// Writes a small file, whatever is there.
    pub fn put(&self, name: &str, by: &str, bytes: &[u8]) -> Result<()> {
        let mut coming = self.begin(name, by)?;
        let path = self.path(name);
        coming.file.write_all(bytes).map_err(TargetError::io("write", &path))?;
        coming.arrive().map(drop)
    }

    /// Writes the list of what was exported, where nobody else has since `version` was read.
    pub fn write_list(
        &self,
        name: &str,
        by: &str,
        bytes: Vec<u8>,
        version: Option<&str>,
    ) -> Result<()> {
        let path = self.path(name);
        match self {
            Self::Bucket(store, _) => {
                let put = store.put_behind(&path, bytes.clone(), version);
                if put.map_err(TargetError::io("write", &path))? {
                    return Ok(());
                }
                // Whose answer was lost finds its own.
                match self.read(name, bytes.len() as u64)?.is_some_and(|it| it.bytes == bytes) {
                    true => Ok(()),
                    false => Err(TargetError::Busy { path }),
                }
            }
            Self::Folder(_) => self.put(name, by, &bytes),
        }
    }

    /// Keeps every other export of the same journal out as long as it lives; in a bucket the list does.
    pub fn lock(&self, name: &str) -> Result<Option<File>> {
        match self {
            Self::Bucket(..) => Ok(None),
            Self::Folder(_) => {
                let path = self.path(name);
                self.make(path.parent().unwrap_or(Path::new(".")))?;
                lock(&path).map(Some)
            }
        }
    }
}

/// A file on its way to its place.
pub struct Coming<'t> {
    pub file: File,
    path: PathBuf,
    to: To<'t>,
}

enum To<'t> {
    /// From beside it.
    Folder(PathBuf),
    Bucket(&'t Store),
}

impl Coming<'_> {
    /// Puts it in the place of what was there, durably. Gives its length.
    pub fn arrive(mut self) -> Result<u64> {
        let failed = |doing| TargetError::io(doing, &self.path);
        let bytes = self.file.metadata().map_err(failed("look at"))?.len();
        match &self.to {
            To::Folder(temporary) => {
                self.file.sync_all().map_err(failed("flush"))?;
                fs::rename(temporary, &self.path).map_err(failed("rename"))?;
                let folder = self.path.parent().unwrap_or(Path::new("."));
                let flushed = File::open(folder).and_then(|it| it.sync_all());
                flushed.map_err(TargetError::io("flush", folder))?;
            }
            To::Bucket(store) => {
                let mut whole = Vec::new();
                let read = self.file.rewind().and_then(|()| self.file.read_to_end(&mut whole));
                read.map_err(TargetError::io("read", &self.path))?;
                store.replace(&self.path, whole).map_err(TargetError::io("send", &self.path))?;
            }
        }
        Ok(bytes)
    }
}

impl Drop for Coming<'_> {
    fn drop(&mut self) {
        if let To::Folder(temporary) = &self.to {
            // Gone already where it arrived; else what made it fail is the error to tell.
            drop(fs::remove_file(temporary));
        }
    }
}

/// What a regular file holds; `None` where there is none.
fn regular(path: &Path, bytes_max: u64) -> io::Result<Option<Kept>> {
    let flags = i32::try_from((OFlags::NONBLOCK | OFlags::NOFOLLOW).bits()).unwrap_or(0);
    let file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let about = file.metadata()?;
    if !about.is_file() || about.len() > bytes_max {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::new();
    file.take(bytes_max).read_to_end(&mut bytes)?;
    let modified = about.modified().ok().and_then(|it| it.duration_since(UNIX_EPOCH).ok()); // not said
    let modified_ms = modified.and_then(|it| u64::try_from(it.as_millis()).ok()); // not in our time
    Ok(Some(Kept { bytes, version: None, modified_ms }))
}

fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries {
        // Ours are text.
        names.extend(entry?.file_name().into_string().ok());
    }
    Ok(names)
}

fn lock(path: &Path) -> Result<File> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let flags = i32::try_from((OFlags::NONBLOCK | OFlags::NOFOLLOW).bits()).unwrap_or(0);
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).custom_flags(flags).mode(0o644).open(path);
    let file = file.map_err(TargetError::io("lock", path))?;
    match fs2::FileExt::try_lock_exclusive(&file) {
        Ok(()) => Ok(file),
        Err(error) if error.kind() == fs2::lock_contended_error().kind() => {
            Err(TargetError::Busy { path: folder.to_owned() })
        }
        Err(source) => Err(TargetError::io("lock", path)(source)),
    }
}
