//! Whose files are used, and whose the new ones are.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{CWD, Gid, Mode, OFlags, Uid, fchown, fstat, mkdirat, openat};
use rustix::io::Errno;
use rustix::path::Arg;

use super::look::{self, Look};
use super::{FOLDER, InTheWay, way};

/// Tries, where somebody makes and removes the same name meanwhile.
const TRIES: u32 = 16;

/// Whose files are written: this user's, root's, and those of who called sudo.
pub fn owners() -> Vec<u32> {
    let own = rustix::process::geteuid().as_raw();
    // Anybody but root could say anything there.
    let caller = std::env::var("SUDO_UID").ok().filter(|_| own == 0); // not called by it
    [own, 0].into_iter().chain(caller.and_then(|uid| uid.parse().ok())).collect()
}

/// Below `.annals`, what is read whoever's it is: it says of itself whether it holds, or is taken for a
/// stranger's by who reads it.
const READ_OF_ALL: [&str; 3] = ["journal", "quarantine", "config.toml"];

/// Holds that what lies there is of somebody whose files are used. To be read, below `.annals`, it may also
/// be of whose that folder is: then it is another user's project that was named.
///
/// # Errors
/// [`InTheWay`] where it is anybody else's.
pub fn must_be_used(path: &Path, look: &Look, is_written: bool) -> io::Result<()> {
    match owners().contains(&look.owner) || !is_written && is_read(path, look.owner) {
        true => Ok(()),
        false => Err(InTheWay::Owned { at: path.to_owned(), owner: look.owner }.into()),
    }
}

fn is_read(path: &Path, owner: u32) -> bool {
    let (above, inside) = way::split(path);
    let mut parts = inside.components().map(|part| part.as_os_str());
    if parts.next().is_none_or(|name| name != FOLDER) {
        return true;
    }
    parts.next().is_some_and(|name| READ_OF_ALL.iter().any(|it| name == *it))
        || look::at(CWD, above.join(FOLDER)).is_ok_and(|annals| annals.owner == owner)
}

/// The same of what lies in a folder that is held and may be used itself.
///
/// # Errors
/// As [`must_be_used`].
pub fn must_be_used_in(
    folder: impl AsFd,
    name: &Path,
    owner: u32,
    is_written: bool,
) -> io::Result<()> {
    let is_used = owners().contains(&owner) || !is_written && fstat(folder)?.st_uid == owner;
    match is_used {
        true => Ok(()),
        false => Err(InTheWay::Owned { at: name.to_owned(), owner }.into()),
    }
}

/// Gives what was just made to whose the folder is that it lies in, where root made it in the folder of
/// a user whose files it writes: else that user could neither read it nor append to it.
///
/// # Errors
/// Where it cannot be given away.
pub fn give(made: impl AsFd, folder: impl AsFd) -> io::Result<()> {
    match heir(folder)? {
        Some((user, group)) => Ok(given(made, user, group)?),
        None => Ok(()),
    }
}

/// Makes a folder in one that is held, its owner's alone. Says whether it was made.
///
/// # Errors
/// Where it cannot be made.
pub fn make_folder_in<N: Arg + Copy>(folder: impl AsFd, name: N) -> io::Result<bool> {
    match mkdirat(&folder, name, Mode::RWXU) {
        Ok(()) => {}
        Err(Errno::EXIST) => return Ok(false),
        Err(errno) => return Err(errno.into()),
    }
    if let Some((user, group)) = heir(&folder)? {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        given(openat(&folder, name, flags, Mode::empty())?, user, group)?;
    }
    Ok(true)
}

/// Makes a file in a folder that is held, its owner's alone; fails where anything has the name.
///
/// # Errors
/// Where it cannot be made.
pub fn make_file_in<N: Arg>(folder: impl AsFd, name: N, flags: OFlags) -> Result<OwnedFd, Errno> {
    let flags = flags | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
    let made = openat(&folder, name, flags, Mode::RUSR | Mode::WUSR)?;
    if let Some((user, group)) = heir(&folder)? {
        given(&made, user, group)?;
    }
    Ok(made)
}

/// Opens a file, made where there is none.
pub(super) fn open_or_make(path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    for _ in 0..TRIES {
        match way::open(path, flags) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            opened => return opened,
        }
        let (folder, name) = way::parent(path)?;
        match make_file_in(&folder, name, flags) {
            Err(Errno::EXIST) => {}
            made => return made.map_err(|errno| way::refusal(path, errno)),
        }
    }
    Err(Errno::AGAIN.into())
}

/// Who gets what root makes in a folder; `None` where it is its maker's.
fn heir(folder: impl AsFd) -> Result<Option<(Uid, Gid)>, Errno> {
    if !rustix::process::geteuid().is_root() {
        return Ok(None);
    }
    let about = fstat(folder)?;
    let is_heir = about.st_uid != 0 && owners().contains(&about.st_uid);
    Ok(is_heir.then(|| (Uid::from_raw(about.st_uid), Gid::from_raw(about.st_gid))))
}

fn given(made: impl AsFd, user: Uid, group: Gid) -> Result<(), Errno> {
    // Somebody may have put another in its place, which was theirs before, or somebody else's.
    if fstat(&made)?.st_uid != 0 {
        return Ok(());
    }
    match fchown(made, Some(user), Some(group)) {
        // A file system without owners, or a root that may give nothing away.
        Err(Errno::PERM | Errno::NOSYS | Errno::NOTSUP) => Ok(()),
        given => given,
    }
}
