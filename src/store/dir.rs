//! A folder held by its descriptor: what is done in it is done in it, whoever exchanges names
//! meanwhile, and no symbolic link is followed.

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, fstat, openat, renameat, unlinkat};
use rustix::io::Errno;
use rustix::path::Arg;

use super::fuse;
use crate::journal::enclosure;
use crate::journal::enclosure::Kind;

const FOLDER_FLAGS: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// Nothing is waited for, should it be a FIFO.
const FILE_FLAGS: OFlags =
    OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// A folder held by its descriptor.
#[derive(Debug)]
pub(crate) struct Dir(OwnedFd);

/// What a name stands for, no link followed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named {
    pub kind: FileType,
    pub device: u64,
    pub inode: u64,
    pub bytes: u64,
    /// Names that it has.
    pub links: u64,
    pub owner: u32,
}

/// What lies in a folder under a name.
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

    /// A folder in this one; `None` where there is none.
    pub fn child<P: Arg + Copy>(&self, name: P) -> io::Result<Option<Self>> {
        let opened = there(openat(&self.0, name, FOLDER_FLAGS, Mode::empty()))?;
        let Some(fd) = opened else { return Ok(None) };
        self.must_be_used(name, fstat(&fd)?.st_uid, false)?;
        Ok(Some(Self(fd)))
    }

    /// A folder in this one, made where there is none.
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

    /// The same, to append to.
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

    /// A new file; fails where anything has the name.
    pub fn create(&self, name: &str) -> io::Result<File> {
        let flags = FILE_FLAGS.union(OFlags::RDWR).union(OFlags::APPEND);
        fuse::step()?;
        Ok(File::from(enclosure::make_file_in(&self.0, name, flags)?))
    }

    /// Whether anything has the name.
    pub fn has(&self, name: &str) -> io::Result<bool> {
        self.named(name).map(|found| found.is_some())
    }

    /// What has the name; `None` where nothing has.
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

    /// Takes a name away, where it is there.
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

    /// What lies in it, by name.
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
        entries.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(entries)
    }

    /// Makes names durable.
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
