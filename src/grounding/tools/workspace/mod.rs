//! The project's files, as tools reach them: one folder at a time from the root, by descriptor, and
//! never through a symbolic link, so that nobody who changes the tree meanwhile can lead a tool out
//! of it.

mod path;
mod replace;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat, fstat, openat, statat};
use rustix::io::Errno;

pub use super::error::PlaceError;
pub use path::Place;
pub use replace::Onto;

#[derive(Debug)]
pub struct Workspace {
    /// As it was given, and without symbolic links.
    given: PathBuf,
    root: PathBuf,
    dir: OwnedFd,
}

type Result<T> = std::result::Result<T, PlaceError>;

/// A folder is opened as one, and not through a link.
const FOLDER_FLAGS: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Nothing is waited for, should it be a FIFO by then.
const FILE_FLAGS: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

impl Workspace {
    pub fn open(root: &Path) -> Result<Self> {
        let failed = |source| PlaceError::Io {
            path: root.to_string_lossy().into_owned(),
            did: "opened",
            source,
        };
        let real = root.canonicalize().map_err(failed)?;
        let dir = openat(CWD, &real, FOLDER_FLAGS, Mode::empty())
            .map_err(|errno| failed(errno.into()))?;
        Ok(Self { given: root.to_owned(), root: real, dir })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn place(&self, text: &str) -> Result<Place> {
        Place::parse(text, [&self.root, &self.given])
    }

    /// A place that a walk found below the root; `None` for what is not below it, or has a name that
    /// is no text.
    pub fn found(&self, path: &Path) -> Option<Place> {
        let inside = path.strip_prefix(&self.root).ok()?; // not below it
        let parts = inside.components().map(|part| part.as_os_str().to_str().map(str::to_owned));
        Some(Place::of_parts(parts.collect::<Option<Vec<_>>>()?))
    }

    /// Opens a regular file, and nothing else.
    pub fn file(&self, place: &Place) -> Result<File> {
        self.opened(place).map(|(file, _)| file)
    }

    /// The whole of a regular file, and how it stood.
    pub fn read(&self, place: &Place, bytes_max: usize) -> Result<(Vec<u8>, Snapshot)> {
        let (file, stat) = self.opened(place)?;
        let mut bytes = Vec::new();
        let failed = |source| io_error(place, "read", source);
        file.take(bytes_max as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() > bytes_max {
            return Err(PlaceError::TooLarge {
                path: place.shown(),
                bytes: u64::try_from(stat.st_size).unwrap_or(bytes.len() as u64),
                bytes_max: bytes_max as u64,
            });
        }
        Ok((bytes, Snapshot::of(&stat)))
    }

    /// How a regular file stands; `None` where there is none.
    pub fn snapshot(&self, place: &Place) -> Result<Option<Snapshot>> {
        match self.looked_at(place) {
            Ok((_, stat)) => Ok(Some(Snapshot::of(&stat))),
            Err(PlaceError::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether a folder is there, reached through no link.
    pub fn is_folder(&self, place: &Place) -> bool {
        self.folder(place, place.parts()).is_ok()
    }

    pub fn changeable(&self, place: &Place) -> Result<()> {
        if place.is_protected() {
            return Err(PlaceError::Protected { path: place.shown() });
        }
        match place.commanded() {
            Some(at) => Err(PlaceError::Commanded { path: place.shown(), at: at.to_owned() }),
            None => Ok(()),
        }
    }

    fn opened(&self, place: &Place) -> Result<(File, Stat)> {
        let (folder, _) = self.looked_at(place)?;
        let name = place.split().map_or(".", |(name, _)| name);
        let file = openat(&folder, name, FILE_FLAGS, Mode::empty())
            .map_err(|errno| self.unopened(place, folder.as_fd(), name, errno))?;
        let stat = fstat(&file).map_err(|errno| io_error(place, "looked at", errno.into()))?;
        regular(place, &stat)?;
        Ok((File::from(file), stat))
    }

    fn looked_at(&self, place: &Place) -> Result<(OwnedFd, Stat)> {
        let Some((name, folder)) = place.split() else {
            return Err(PlaceError::NotAFile { path: place.shown(), what: "a folder" });
        };
        let folder = self.folder(place, folder)?;
        let stat = statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)
            .map_err(|errno| missing(place, "looked at", errno))?;
        regular(place, &stat)?;
        Ok((folder, stat))
    }

    /// Opens the folders on the way to a place, each in the one before it.
    fn folder(&self, place: &Place, parts: &[String]) -> Result<OwnedFd> {
        let mut at = self.own_dir(place)?;
        for part in parts {
            at = openat(&at, part.as_str(), FOLDER_FLAGS, Mode::empty())
                .map_err(|errno| self.unopened(place, at.as_fd(), part, errno))?;
        }
        Ok(at)
    }

    fn own_dir(&self, place: &Place) -> Result<OwnedFd> {
        self.dir.try_clone().map_err(|source| io_error(place, "opened", source))
    }

    /// Why a part of the way was not opened. What lies there is looked at again: where that does
    /// not explain the error, somebody changed it in between.
    fn unopened(
        &self,
        place: &Place,
        folder: BorrowedFd<'_>,
        part: &str,
        errno: Errno,
    ) -> PlaceError {
        let path = place.shown();
        let Ok(stat) = statat(folder, part, AtFlags::SYMLINK_NOFOLLOW) else {
            return match errno {
                Errno::NOTDIR | Errno::LOOP => PlaceError::Changed { path },
                errno => missing(place, "opened", errno),
            };
        };
        match (FileType::from_raw_mode(stat.st_mode), errno) {
            (FileType::Symlink, _) => PlaceError::Link { path, at: part.to_owned() },
            (FileType::Directory, Errno::NOTDIR) | (_, Errno::LOOP | Errno::NOENT) => {
                PlaceError::Changed { path }
            }
            (_, Errno::NOTDIR) => PlaceError::NotAFolder { path, at: part.to_owned() },
            _ => io_error(place, "opened", errno.into()),
        }
    }
}

fn regular(place: &Place, stat: &Stat) -> Result<()> {
    let path = place.shown();
    let what = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => return Ok(()),
        FileType::Symlink => {
            let at = place.split().map_or(".", |(name, _)| name).to_owned();
            return Err(PlaceError::Link { path, at });
        }
        FileType::Directory => "a folder",
        FileType::Fifo => "a pipe",
        FileType::Socket => "a socket",
        FileType::CharacterDevice | FileType::BlockDevice => "a device",
        _ => "no regular file",
    };
    Err(PlaceError::NotAFile { path, what })
}

fn missing(place: &Place, did: &'static str, errno: Errno) -> PlaceError {
    match errno {
        Errno::NOENT => PlaceError::NotFound { path: place.shown() },
        errno => io_error(place, did, errno.into()),
    }
}

fn io_error(place: &Place, did: &'static str, source: io::Error) -> PlaceError {
    PlaceError::Io { path: place.shown(), did, source }
}

/// How a file stood: enough to tell that somebody changed it meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    device: u64,
    inode: u64,
    bytes: i64,
    changed: (i64, i64),
}

impl Snapshot {
    fn of(stat: &Stat) -> Self {
        // The types of these fields differ from system to system.
        #[allow(clippy::unnecessary_cast)]
        Self {
            device: stat.st_dev as u64,
            inode: stat.st_ino as u64,
            bytes: stat.st_size as i64,
            changed: (stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        }
    }
}
