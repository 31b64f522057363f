//! Files of an export: each appears whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use super::error::{ExportError, Result};

/// A file on its way to its place.
pub struct Coming {
    pub file: File,
    temporary: PathBuf,
    path: PathBuf,
}

impl Coming {
    pub fn to(path: &Path) -> Result<Self> {
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(ExportError::io("make", folder))?;
        let mut name = std::ffi::OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(".tmp");
        let temporary = path.with_file_name(name);
        // What an export that died left, or a trap: what it may lead to is not touched.
        drop(fs::remove_file(&temporary));
        let mut options = OpenOptions::new();
        let file = options.write(true).create_new(true).mode(0o644).open(&temporary);
        let file = file.map_err(ExportError::io("write", &temporary))?;
        Ok(Self { file, temporary, path: path.to_owned() })
    }

    /// Makes it durable, in the place of what was there. Gives its length.
    pub fn arrive(self) -> Result<u64> {
        let failed = |doing| ExportError::io(doing, &self.path);
        let bytes = self.file.metadata().map_err(failed("look at"))?.len();
        self.file.sync_all().map_err(failed("flush"))?;
        fs::rename(&self.temporary, &self.path).map_err(failed("rename"))?;
        sync_folder_of(&self.path)?;
        Ok(bytes)
    }
}

impl Drop for Coming {
    fn drop(&mut self) {
        // Gone already where it arrived; else what made it fail is the error to tell.
        drop(fs::remove_file(&self.temporary));
    }
}

fn sync_folder_of(path: &Path) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let flushed = File::open(folder).and_then(|it| it.sync_all());
    flushed.map_err(ExportError::io("flush", folder))
}

pub fn put(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut coming = Coming::to(path)?;
    coming.file.write_all(bytes).map_err(ExportError::io("write", path))?;
    coming.arrive().map(drop)
}

/// Takes a file away, where there is one.
pub fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(ExportError::io("remove", path)),
    }
}

/// A file's length; `None` where there is no regular one.
pub fn len(path: &Path) -> Option<u64> {
    let about = fs::symlink_metadata(path).ok()?; // then it is written
    about.is_file().then_some(about.len())
}

/// What a regular file holds; `None` where there is none.
pub fn read(path: &Path, bytes_max: u64) -> Result<Option<Vec<u8>>> {
    let failed = |source| ExportError::io("read", path)(source);
    let flags = i32::try_from((OFlags::NONBLOCK | OFlags::NOFOLLOW).bits()).unwrap_or(0);
    let file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened.map_err(failed)?,
    };
    let about = file.metadata().map_err(failed)?;
    let mut bytes = Vec::new();
    let read = match about.is_file() && about.len() <= bytes_max {
        true => file.take(bytes_max).read_to_end(&mut bytes),
        false => Err(io::ErrorKind::InvalidInput.into()),
    };
    read.map_err(failed)?;
    Ok(Some(bytes))
}

/// Keeps every other export of the same journal out as long as it lives.
pub fn lock(path: &Path) -> Result<File> {
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
