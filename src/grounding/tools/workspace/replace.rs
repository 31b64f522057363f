//! Writing a file whole: beside it under a name of its own, then in its place, so that nobody ever
//! reads half of it.

use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{
    AtFlags, Gid, Mode, OFlags, RenameFlags, Stat, Uid, fchmod, fchown, linkat, mkdirat, openat,
    renameat, renameat_with, statat, unlinkat,
};
use rustix::io::Errno;

use super::{
    FOLDER_FLAGS, Place, PlaceError, Result, Snapshot, Workspace, io_error, missing, regular,
};
use crate::journal::id;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onto {
    Nothing,
    /// Nothing, or a file.
    Anything,
    /// The file that was read, as it stood then.
    Read(Snapshot),
}

impl Workspace {
    /// Writes a file whole; true where there was none. Its permissions stay, and folders on the way
    /// are made.
    pub fn write(&self, place: &Place, bytes: &[u8], onto: Onto) -> Result<bool> {
        self.changeable(place)?;
        let Some((name, folder)) = place.split() else {
            return Err(PlaceError::NotAFile { path: place.shown(), what: "a folder" });
        };
        let folder = match onto {
            Onto::Read(_) => self.folder(place, folder)?,
            Onto::Nothing | Onto::Anything => self.folder_made(place, folder)?,
        };
        let old = found(place, folder.as_fd(), name)?;
        match (&old, onto) {
            (Some(_), Onto::Nothing) => return Err(PlaceError::Exists { path: place.shown() }),
            (Some(old), _) if old.st_mode & 0o222 == 0 => {
                return Err(PlaceError::ReadOnly { path: place.shown() });
            }
            _ => {}
        }
        let temporary = format!(".annals-{}.tmp", id::execution(0));
        let written = fill(place, folder.as_fd(), &temporary, bytes, old.as_ref())
            .and_then(|()| put(place, folder.as_fd(), &temporary, name, old.is_some(), onto));
        if written.is_err() {
            // Where it is gone already it was put in its place, or never made.
            let _ = unlinkat(&folder, temporary.as_str(), AtFlags::empty());
        }
        written?;
        // The file's bytes are safe; a name that a loss of power takes back can be written again.
        let _ = rustix::fs::fsync(&folder);
        Ok(old.is_none())
    }

    pub fn make_folder(&self, place: &Place) -> Result<()> {
        self.changeable(place)?;
        self.folder_made(place, place.parts()).map(drop)
    }

    fn folder_made(&self, place: &Place, parts: &[String]) -> Result<OwnedFd> {
        let mut at = self.own_dir(place)?;
        for part in parts {
            let open = |at: BorrowedFd<'_>| openat(at, part.as_str(), FOLDER_FLAGS, Mode::empty());
            let next = match open(at.as_fd()) {
                Err(Errno::NOENT) => {
                    match mkdirat(&at, part.as_str(), Mode::from_raw_mode(0o777)) {
                        Ok(()) | Err(Errno::EXIST) => open(at.as_fd()),
                        Err(errno) => return Err(io_error(place, "made", errno.into())),
                    }
                }
                opened => opened,
            };
            at = next.map_err(|errno| self.unopened(place, at.as_fd(), part, errno))?;
        }
        Ok(at)
    }
}

fn found(place: &Place, folder: BorrowedFd<'_>, name: &str) -> Result<Option<Stat>> {
    match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => regular(place, &stat).map(|()| Some(stat)),
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(missing(place, "looked at", errno)),
    }
}

/// Makes the file under its temporary name, durable, with the permissions of the old one.
fn fill(
    place: &Place,
    folder: BorrowedFd<'_>,
    temporary: &str,
    bytes: &[u8],
    old: Option<&Stat>,
) -> Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mode = if old.is_some() { 0o600 } else { 0o666 };
    let failed = |source| io_error(place, "written", source);
    let file = openat(folder, temporary, flags, Mode::from_raw_mode(mode))
        .map_err(|errno| failed(errno.into()))?;
    let mut file = File::from(file);
    file.write_all(bytes).map_err(failed)?;
    if let Some(old) = old {
        // Only root can give a file away; for anybody else it is their own already, or stays so.
        let _ = fchown(&file, Some(Uid::from_raw(old.st_uid)), Some(Gid::from_raw(old.st_gid)));
        fchmod(&file, Mode::from_raw_mode(old.st_mode & 0o777))
            .map_err(|errno| failed(errno.into()))?;
    }
    file.sync_data().map_err(failed)
}

/// Puts the temporary file in its place, if what lies there is still what was allowed.
fn put(
    place: &Place,
    folder: BorrowedFd<'_>,
    temporary: &str,
    name: &str,
    existed: bool,
    onto: Onto,
) -> Result<()> {
    let changed = || PlaceError::Changed { path: place.shown() };
    if !existed {
        if matches!(onto, Onto::Read(_)) {
            return Err(PlaceError::NotFound { path: place.shown() });
        }
        return match put_new(folder, temporary, name) {
            Err(Errno::EXIST) if onto == Onto::Nothing => {
                Err(PlaceError::Exists { path: place.shown() })
            }
            Err(Errno::EXIST) => Err(changed()),
            put => put.map_err(|errno| io_error(place, "written", errno.into())),
        };
    }
    // What remains is the moment between this look and the rename: no system call does both.
    match (found(place, folder, name)?, onto) {
        (Some(now), Onto::Read(read)) if Snapshot::of(&now) != read => return Err(changed()),
        (None, _) => return Err(changed()),
        _ => {}
    }
    renameat(folder, temporary, folder, name)
        .map_err(|errno| io_error(place, "written", errno.into()))
}

fn put_new(folder: BorrowedFd<'_>, temporary: &str, name: &str) -> std::result::Result<(), Errno> {
    match renameat_with(folder, temporary, folder, name, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
        put => return put,
    }
    // A file system that knows no such rename makes a second name, which must be free as well.
    linkat(folder, temporary, folder, name, AtFlags::empty())?;
    unlinkat(folder, temporary, AtFlags::empty())
}
