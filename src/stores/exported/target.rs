//! Where an export goes: a folder or a bucket. Each file appears whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use super::error::{ExportError, Result};
use crate::journal::archive::{ObjectStore, nameless, object_store};

/// Two marks, a length, and what every file says of its columns.
const PARQUET_BYTES_MIN: u64 = 500;

pub enum Target {
    Folder(PathBuf),
    /// A bucket, and the address in it below which everything goes.
    Bucket(Box<ObjectStore>, PathBuf),
}

/// What a small file holds, and, in a bucket, which version that is.
pub struct Kept {
    pub bytes: Vec<u8>,
    pub version: Option<String>,
}

impl Target {
    pub fn of(to: &Path) -> Result<Self> {
        Ok(match object_store(to)? {
            Some(store) => Self::Bucket(Box::new(store), to.to_owned()),
            None => Self::Folder(to.to_owned()),
        })
    }

    pub fn path(&self, name: &str) -> PathBuf {
        let (Self::Folder(root) | Self::Bucket(_, root)) = self;
        root.join(name)
    }

    /// Begins a file. `by` tells it from what others may write at that place.
    pub fn begin(&self, name: &str, by: &str) -> Result<Coming<'_>> {
        let path = self.path(name);
        match self {
            Self::Bucket(store, _) => {
                let file = nameless().map_err(ExportError::io("write", &path))?;
                Ok(Coming { file, path, to: To::Bucket(store) })
            }
            Self::Folder(_) => {
                let folder = path.parent().unwrap_or(Path::new("."));
                fs::create_dir_all(folder).map_err(ExportError::io("make", folder))?;
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let temporary = path.with_file_name(format!(".{name}.{by}.tmp"));
                // What an export that died left, or a trap: what it may lead to is not touched.
                drop(fs::remove_file(&temporary));
                let mut options = OpenOptions::new();
                let file = options.write(true).create_new(true).mode(0o644).open(&temporary);
                let file = file.map_err(ExportError::io("write", &temporary))?;
                Ok(Coming { file, path, to: To::Folder(temporary) })
            }
        }
    }

    /// Takes a file away, where there is one.
    pub fn remove(&self, name: &str) -> Result<()> {
        let path = self.path(name);
        let removed = match self {
            Self::Bucket(store, _) => store.remove(&path),
            Self::Folder(_) => match fs::remove_file(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                removed => removed,
            },
        };
        removed.map_err(ExportError::io("remove", &path))
    }

    /// Whether a file of that length is there, as far as that is cheap to know: in a bucket nobody changes a part of one.
    pub fn is_there(&self, name: &str, bytes: u64) -> bool {
        match self {
            Self::Bucket(..) => true,
            Self::Folder(_) => {
                let about = fs::symlink_metadata(self.path(name));
                about.is_ok_and(|about| about.is_file() && about.len() == bytes)
            }
        }
    }

    /// Whether there is a file that is no less than one without rows, as far as that is cheap to know.
    pub fn is_parquet(&self, name: &str) -> bool {
        match self {
            Self::Bucket(..) => true,
            Self::Folder(_) => {
                let about = fs::symlink_metadata(self.path(name));
                about.is_ok_and(|about| about.is_file() && about.len() >= PARQUET_BYTES_MIN)
            }
        }
    }

    /// What a small file holds; `None` where there is none.
    pub fn read(&self, name: &str, bytes_max: u64) -> Result<Option<Kept>> {
        let path = self.path(name);
        let read = match self {
            Self::Bucket(store, _) => store
                .read(&path, bytes_max)
                .map(|it| it.map(|(bytes, version)| Kept { bytes, version })),
            Self::Folder(_) => {
                regular(&path, bytes_max).map(|it| it.map(|bytes| Kept { bytes, version: None }))
            }
        };
        read.map_err(ExportError::io("read", &path))
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
                let put = store.put_behind(&path, bytes, version);
                match put.map_err(ExportError::io("write", &path))? {
                    true => Ok(()),
                    false => Err(ExportError::Busy { path }),
                }
            }
            Self::Folder(_) => {
                let mut coming = self.begin(name, by)?;
                coming.file.write_all(&bytes).map_err(ExportError::io("write", &path))?;
                coming.arrive().map(drop)
            }
        }
    }

    /// Keeps every other export of the same journal out as long as it lives; in a bucket the list does.
    pub fn lock(&self, name: &str) -> Result<Option<File>> {
        match self {
            Self::Bucket(..) => Ok(None),
            Self::Folder(_) => lock(&self.path(name)).map(Some),
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
    Bucket(&'t ObjectStore),
}

impl Coming<'_> {
    /// Puts it in the place of what was there, durably. Gives its length.
    pub fn arrive(mut self) -> Result<u64> {
        let failed = |doing| ExportError::io(doing, &self.path);
        let bytes = self.file.metadata().map_err(failed("look at"))?.len();
        match &self.to {
            To::Folder(temporary) => {
                self.file.sync_all().map_err(failed("flush"))?;
                fs::rename(temporary, &self.path).map_err(failed("rename"))?;
                let folder = self.path.parent().unwrap_or(Path::new("."));
                let flushed = File::open(folder).and_then(|it| it.sync_all());
                flushed.map_err(ExportError::io("flush", folder))?;
            }
            To::Bucket(store) => {
                let mut whole = Vec::new();
                let read = self.file.rewind().and_then(|()| self.file.read_to_end(&mut whole));
                read.map_err(ExportError::io("read", &self.path))?;
                store.replace(&self.path, whole).map_err(ExportError::io("send", &self.path))?;
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
fn regular(path: &Path, bytes_max: u64) -> io::Result<Option<Vec<u8>>> {
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
    Ok(Some(bytes))
}

fn lock(path: &Path) -> Result<File> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(ExportError::io("make", folder))?;
    let flags = i32::try_from((OFlags::NONBLOCK | OFlags::NOFOLLOW).bits()).unwrap_or(0);
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).custom_flags(flags).mode(0o644).open(path);
    let file = file.map_err(ExportError::io("lock", path))?;
    match fs2::FileExt::try_lock_exclusive(&file) {
        Ok(()) => Ok(file),
        Err(error) if error.kind() == fs2::lock_contended_error().kind() => {
            Err(ExportError::Busy { path: folder.to_owned() })
        }
        Err(source) => Err(ExportError::io("lock", path)(source)),
    }
}

/// As Hive writes that there is no value.
pub const NOTHING: &str = "__HIVE_DEFAULT_PARTITION__";

/// A value in the name of a folder, as Hive writes it: what is no letter, digit, `.`, `-` or `_` in hex.
pub fn named(value: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    let dots = value.bytes().all(|byte| byte == b'.');
    let mut name = String::new();
    for byte in value.bytes() {
        match is_plain(byte) || byte == b'.' && !dots {
            true => name.push(char::from(byte)),
            false => name.push_str(&format!("%{byte:02X}")),
        }
    }
    if name.is_empty() { NOTHING.to_owned() } else { name }
}
