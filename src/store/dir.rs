//! A folder held by its descriptor: what is done in it is done in it, whoever exchanges names
//! meanwhile, and no symbolic link is followed.

use std::ffi::CString;
use std::fs::{File, Metadata};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, fstat, openat, renameat, unlinkat};
use rustix::io::Errno;
use rustix::path::Arg;
use serde::{Deserialize, Serialize};

use super::fuse;
use crate::event::Ordered;
use crate::journal::enclosure;
use crate::journal::enclosure::Kind;

const FOLDER_FLAGS: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// Nothing is waited for, should it be a FIFO.
const FILE_FLAGS: OFlags =
    OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

#[derive(Debug)]
pub(crate) struct Dir(OwnedFd);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Named {
    pub kind: FileType,
    pub device: u64,
    pub inode: u64,
    pub bytes: u64,
    pub links: u64,
    pub owner: u32,
}

pub(crate) struct Entry {
    pub name: CString,
    pub kind: FileType,
}

impl Dir {
    pub fn open(path: &Path) -> io::Result<Self> {
        // Below `.annals` no link is on the way either; elsewhere the last name is none.
        let look = enclosure::look(path)?;
        match look.kind {
            Kind::Folder => {
                enclosure::must_be_used(path, &look, false)?;
                Ok(Self(enclosure::folder(path)?.into()))
            }
            Kind::Link => Err(Errno::LOOP.into()),
            _ => Err(Errno::NOTDIR.into()),
        }
    }

    pub fn child<P: Arg + Copy>(&self, name: P) -> io::Result<Option<Self>> {
        let opened = there(openat(&self.0, name, FOLDER_FLAGS, Mode::empty()))?;
        let Some(fd) = opened else { return Ok(None) };
        self.must_be_used(name, fstat(&fd)?.st_uid, false)?;
        Ok(Some(Self(fd)))
    }

    pub fn make_child(&self, name: &str) -> io::Result<Self> {
        fuse::step()?;
        enclosure::make_folder_in(&self.0, name)?;
        self.child(name)?.ok_or_else(|| Errno::NOENT.into())
    }

    /// Holds that what lies in it is of somebody whose files are used.
    fn must_be_used<P: Arg>(&self, name: P, owner: u32, is_written: bool) -> io::Result<()> {
        enclosure::must_be_used_in(&self.0, Path::new(&*name.to_string_lossy()), owner, is_written)
    }

    /// A regular file that has no other name, to read; `None` where there is none.
    pub fn read<P: Arg + Copy>(&self, name: P) -> io::Result<Option<File>> {
        self.file(name, OFlags::RDONLY)
    }

    pub fn append(&self, name: &str) -> io::Result<Option<File>> {
        self.file(name, OFlags::RDWR.union(OFlags::APPEND))
    }

    fn file<P: Arg + Copy>(&self, name: P, access: OFlags) -> io::Result<Option<File>> {
        let opened = openat(&self.0, name, FILE_FLAGS.union(access), Mode::empty());
        let Some(fd) = there(opened)? else { return Ok(None) };
        let stat = fstat(&fd)?;
        // What has a second name is somebody else's file too.
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile || stat.st_nlink > 1 {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "not a regular file of its own",
            ));
        }
        self.must_be_used(name, stat.st_uid, access.contains(OFlags::RDWR))?;
        Ok(Some(File::from(fd)))
    }

    pub fn create(&self, name: &str) -> io::Result<File> {
        let flags = FILE_FLAGS.union(OFlags::RDWR).union(OFlags::APPEND);
        fuse::step()?;
        Ok(File::from(enclosure::make_file_in(&self.0, name, flags)?))
    }

    pub fn has(&self, name: &str) -> io::Result<bool> {
        self.named(name).map(|found| found.is_some())
    }

    pub fn named(&self, name: &str) -> io::Result<Option<Named>> {
        let looked = rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW);
        // Widths differ from system to system; none of these is negative.
        #[allow(clippy::unnecessary_cast)]
        let named = |stat: rustix::fs::Stat| Named {
            kind: FileType::from_raw_mode(stat.st_mode),
            device: stat.st_dev as u64,
            inode: stat.st_ino as u64,
            bytes: stat.st_size as u64,
            links: stat.st_nlink as u64,
            owner: stat.st_uid,
        };
        Ok(there(looked)?.map(named))
    }

    pub fn remove(&self, name: &str) -> io::Result<()> {
        fuse::step()?;
        there(unlinkat(&self.0, name, AtFlags::empty())).map(drop)
    }

    /// Gives a file another name in another folder, over what has it.
    pub fn rename(&self, name: &str, to: &Self, new: &str) -> io::Result<()> {
        fuse::step()?;
        if let Some(there) = to.named(new)? {
            to.must_be_used(new, there.owner, true)?;
        }
        Ok(renameat(&self.0, name, &to.0, new)?)
    }

    pub fn entries(&self) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in rustix::fs::Dir::read_from(&self.0)? {
            let entry = entry?;
            let name = entry.file_name().to_owned();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let kind = match entry.file_type() {
                // Not every file system says.
                FileType::Unknown => {
                    let looked = rustix::fs::statat(&self.0, &name, AtFlags::SYMLINK_NOFOLLOW);
                    let Some(stat) = there(looked)? else { continue };
                    FileType::from_raw_mode(stat.st_mode)
                }
                kind => kind,
            };
            entries.push(Entry { name, kind });
        }
        entries.order_by(|one, other| one.name.cmp(&other.name));
        Ok(entries)
    }

    pub fn sync(&self) -> io::Result<()> {
        Ok(rustix::fs::fsync(self.0.as_fd())?)
    }

    /// Makes everything on its file system durable: sooner done than many files one by one.
    pub fn sync_all(&self) -> io::Result<()> {
        Ok(rustix::fs::syncfs(self.0.as_fd())?)
    }
}

fn there<T>(done: Result<T, Errno>) -> io::Result<Option<T>> {
    match done {
        Ok(found) => Ok(Some(found)),
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(errno.into()),
    }
}

/// What was asked of something that may not be there.
pub(crate) fn if_there<T>(done: io::Result<T>) -> io::Result<Option<T>> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        done => done.map(Some),
    }
}

/// A file that changed within this time before a look may have changed again in the same tick of
/// its clock, milliseconds.
const RACY_MS: u64 = 2_000;

/// What a file is on the disk. Its times of change cannot be set back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    pub bytes: u64,
    device: u64,
    inode: u64,
    modified_ns: i128,
    changed_ns: i128,
}

impl Identity {
    pub fn of(about: &Metadata) -> Self {
        let ns = |seconds: i64, ns: i64| i128::from(seconds) * 1_000_000_000 + i128::from(ns);
        Self {
            bytes: about.len(),
            device: about.dev(),
            inode: about.ino(),
            modified_ns: ns(about.mtime(), about.mtime_nsec()),
            changed_ns: ns(about.ctime(), about.ctime_nsec()),
        }
    }

    /// Whether its times say no more than the second, so that what happens within one changes none.
    pub fn is_of_a_second(&self) -> bool {
        [self.modified_ns, self.changed_ns].iter().all(|ns| ns % 1_000_000_000 == 0)
    }

    /// Of so many bytes within it, which are what they were for as long as the file is.
    pub fn part(self, bytes: u64) -> Self {
        Self { bytes, ..self }
    }

    pub fn is_same_file(&self, other: &Self) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }

    /// The same, whatever became of its owner and mode.
    pub fn by_its_bytes(self) -> Self {
        Self { changed_ns: self.modified_ns, ..self }
    }

    /// Whether it was left alone for long enough before this time.
    pub fn is_settled(&self, at_ms: u64) -> bool {
        let last = self.modified_ns.max(self.changed_ns) / 1_000_000;
        last + i128::from(RACY_MS) < i128::from(at_ms)
    }
}
