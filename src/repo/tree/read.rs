//! Reads one file of a tree: a regular one, through no link, and no more of it than is wanted.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, openat};

use super::{FILE_BYTES_MAX, Stamp, TEXT_SAMPLE_BYTES};

/// Nothing is waited for, should it have become a FIFO since it was listed.
const FILE_FLAGS: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

/// The top folder of a tree, held: what is read is read below it.
#[derive(Debug)]
pub struct Top(OwnedFd);

/// A file as it was read.
pub enum Found {
    /// With how it stood before.
    Text(Stamp, String),
    /// It holds zeros, or is no UTF-8: not what people write.
    Binary(Stamp),
    /// It is larger than is read, no file, or gone.
    Refused,
}

impl Top {
    pub fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
        Ok(Self(openat(CWD, path, flags, Mode::empty())?))
    }

    /// A file below it; `path` is relative to it.
    pub fn read(&self, path: &Path) -> Found {
        // What cannot be read is counted, whyever it cannot.
        self.open_below(path).and_then(whole).unwrap_or(Found::Refused)
    }

    /// Where a folder on the way was exchanged for a link, nothing is opened.
    #[cfg(target_os = "linux")]
    fn open_below(&self, path: &Path) -> io::Result<File> {
        use rustix::fs::{ResolveFlags, openat2};
        use rustix::io::Errno;
        let inside = ResolveFlags::BENEATH.union(ResolveFlags::NO_SYMLINKS);
        match openat2(&self.0, path, FILE_FLAGS, Mode::empty(), inside) {
            // A kernel before 5.6, or a sandbox that does not know the call.
            Err(Errno::NOSYS | Errno::PERM) => {
                Ok(openat(&self.0, path, FILE_FLAGS, Mode::empty())?.into())
            }
            opened => Ok(opened?.into()),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn open_below(&self, path: &Path) -> io::Result<File> {
        Ok(openat(&self.0, path, FILE_FLAGS, Mode::empty())?.into())
    }
}

fn whole(file: File) -> io::Result<Found> {
    let about = file.metadata()?;
    if !about.is_file() || about.len() > FILE_BYTES_MAX {
        return Ok(Found::Refused);
    }
    let stamp = Stamp::of(&about);
    let mut bytes = Vec::with_capacity(usize::try_from(about.len()).unwrap_or_default() + 1);
    file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    let sample = &bytes[..bytes.len().min(TEXT_SAMPLE_BYTES)];
    if sample.contains(&0) || bytes.len() as u64 > FILE_BYTES_MAX {
        return Ok(Found::Binary(stamp));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => Found::Text(stamp, text),
        // An older encoding: its words are ASCII all the same.
        Err(error) => Found::Text(stamp, String::from_utf8_lossy(error.as_bytes()).into_owned()),
    })
}
