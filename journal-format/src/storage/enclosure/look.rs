//! What a name stands for, no link followed.

use std::os::fd::AsFd;

use rustix::fs::{AtFlags, FileType, Stat, statat};
use rustix::io::Errno;
use rustix::path::Arg;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    File,
    Folder,
    Link,
    Pipe,
    Socket,
    Device,
    Unknown,
}

/// How it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    pub kind: Kind,
    pub bytes: u64,
    /// Names that it has.
    pub links: u64,
    /// Device and inode.
    pub identity: (u64, u64),
    pub owner: u32,
    /// When its content was last changed: seconds since 1970, nanoseconds.
    pub changed: (i64, u64),
}

pub(super) fn at(folder: impl AsFd, name: impl Arg) -> Result<Look, Errno> {
    statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).map(|stat| Look::of(&stat))
}

impl Look {
    // Widths differ from system to system; none of these is negative.
    #[allow(clippy::unnecessary_cast)]
    pub(super) fn of(stat: &Stat) -> Self {
        Self {
            kind: FileType::from_raw_mode(stat.st_mode).into(),
            bytes: stat.st_size as u64,
            links: stat.st_nlink as u64,
            identity: (stat.st_dev as u64, stat.st_ino as u64),
            owner: stat.st_uid,
            changed: (stat.st_mtime as i64, stat.st_mtime_nsec as u64),
        }
    }

    pub fn is_file(&self) -> bool {
        self.kind == Kind::File
    }
}

impl Kind {
    /// For a sentence that begins with the name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::File => "a file",
            Self::Folder => "a folder",
            Self::Link => "a symbolic link",
            Self::Pipe => "a pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
            Self::Unknown => "no file",
        }
    }
}

impl From<FileType> for Kind {
    fn from(kind: FileType) -> Self {
        match kind {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Folder,
            FileType::Symlink => Self::Link,
            FileType::Fifo => Self::Pipe,
            FileType::Socket => Self::Socket,
            FileType::CharacterDevice | FileType::BlockDevice => Self::Device,
            FileType::Unknown => Self::Unknown,
        }
    }
}
