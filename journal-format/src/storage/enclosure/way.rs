//! The way to a file: free as far as `.annals`, by descriptor and through no link from there on.

use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};
#[cfg(target_os = "linux")]
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;

use super::look::{self, Kind, Look};
use super::{FOLDER, InTheWay, must_be_used};

/// Tries, where somebody renames on the way meanwhile.
#[cfg(target_os = "linux")]
const TRIES: u32 = 16;

/// A folder that is only gone through.
pub(super) fn folder_flags() -> OFlags {
    #[cfg(target_os = "linux")]
    let access = OFlags::PATH;
    #[cfg(not(target_os = "linux"))]
    let access = OFlags::RDONLY;
    access | OFlags::DIRECTORY | OFlags::CLOEXEC
}

/// Whether a path is `.annals`, or lies in it.
pub(super) fn is_enclosed(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == FOLDER)
}

/// The folder that may be reached through links, and what of the path may not.
pub(super) fn split(path: &Path) -> (PathBuf, PathBuf) {
    let enclosed = |part: &Component<'_>| part.as_os_str() == FOLDER;
    let at = path.components().take_while(|part| !enclosed(part)).count();
    let above = match at == path.components().count() {
        true => path.parent().map_or(0, |parent| parent.components().count()),
        false => at,
    };
    let anchor: PathBuf = path.components().take(above).collect();
    (or_here(&anchor).to_owned(), path.components().skip(above).collect())
}

/// An empty path is the folder one is in.
pub(super) fn or_here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// The folder that a name is in, held, and the name.
pub(super) fn parent(path: &Path) -> io::Result<(OwnedFd, &OsStr)> {
    let Some(name) = path.file_name() else {
        return Err(Errno::INVAL.into());
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let opened = match is_enclosed(folder) {
        true => open(folder, folder_flags())?,
        false => openat(CWD, or_here(folder), folder_flags(), Mode::empty())?,
    };
    Ok((opened, name))
}

/// Where a path leads, every link followed: as [`Path::canonicalize`], in one call where no link is on the way.
///
/// # Errors
/// Where nothing lies there, or it cannot be looked at.
pub fn real(path: &Path) -> io::Result<PathBuf> {
    #[cfg(target_os = "linux")]
    if path.is_absolute()
        && path.components().all(|it| matches!(it, Component::RootDir | Component::Normal(_)))
        && let Some(Ok(_)) = through_no_link(path, OFlags::PATH | OFlags::CLOEXEC)
    {
        return Ok(path.components().collect());
    }
    path.canonicalize()
}

/// Opens what is there; nothing is made.
pub(super) fn open(path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    let flags = flags | OFlags::NOFOLLOW;
    if let Some(opened) = through_no_link(path, flags) {
        return Ok(opened?);
    }
    let (anchor, inside) = split(path);
    let anchor = openat(CWD, &anchor, folder_flags(), Mode::empty())?;
    beneath(&anchor, &inside, flags).map_err(|errno| refusal(path, errno))
}

/// Kernels before 5.6 lack `openat2`, and some sandboxes forbid what they do not know.
#[cfg(target_os = "linux")]
static LACKING: AtomicBool = AtomicBool::new(false);

/// The same in one call, where no link is on the whole way, as on most there is none; `None` where another look
/// must say what is.
#[cfg(target_os = "linux")]
fn through_no_link(path: &Path, flags: OFlags) -> Option<Result<OwnedFd, Errno>> {
    use rustix::fs::{ResolveFlags, openat2};
    let goes_up = |part: &Component<'_>| *part == Component::ParentDir;
    let is_above = |part: &Component<'_>| part.as_os_str() != FOLDER;
    let is_plain = matches!(path.components().next_back(), Some(Component::Normal(_)))
        && !path.components().skip_while(is_above).any(|part| goes_up(&part));
    if !is_plain || LACKING.load(Ordering::Relaxed) {
        return None;
    }
    let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    match openat2(CWD, path, flags, Mode::empty(), resolve) {
        Ok(opened) => Some(Ok(opened)),
        Err(Errno::NOENT) => Some(Err(Errno::NOENT)),
        Err(_) => None,
    }
}

#[cfg(not(target_os = "linux"))]
fn through_no_link(_: &Path, _: OFlags) -> Option<Result<OwnedFd, Errno>> {
    None
}

#[cfg(target_os = "linux")]
fn beneath(anchor: &OwnedFd, inside: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    use rustix::fs::{ResolveFlags, openat2};
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    for _ in 0..TRIES {
        if LACKING.load(Ordering::Relaxed) {
            break;
        }
        match openat2(anchor, inside, flags, Mode::empty(), resolve) {
            Err(Errno::AGAIN) => {}
            Err(Errno::NOSYS | Errno::PERM) => match walk(anchor, inside, flags) {
                Ok(opened) => {
                    LACKING.store(true, Ordering::Relaxed);
                    return Ok(opened);
                }
                Err(errno) => return Err(errno),
            },
            opened => return opened,
        }
    }
    walk(anchor, inside, flags)
}

#[cfg(not(target_os = "linux"))]
fn beneath(anchor: &OwnedFd, inside: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    walk(anchor, inside, flags)
}

/// The same without the kernel's help: one folder in the other, each through no link.
pub(super) fn walk(anchor: &OwnedFd, inside: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let mut parts = inside.components().peekable();
    let mut at: Option<OwnedFd> = None;
    while let Some(part) = parts.next() {
        let folder = at.as_ref().unwrap_or(anchor);
        if !matches!(part, Component::Normal(_)) {
            return Err(Errno::XDEV);
        }
        if parts.peek().is_none() {
            return openat(folder, part.as_os_str(), flags, Mode::empty());
        }
        let through = folder_flags() | OFlags::NOFOLLOW;
        at = Some(openat(folder, part.as_os_str(), through, Mode::empty())?);
    }
    Err(Errno::INVAL)
}

/// Holds that something is a regular file, and where it is to be written, that it has no other name and
/// no foreign owner.
pub(super) fn allow(path: &Path, look: Look, is_written: bool) -> io::Result<()> {
    match look.kind {
        Kind::File if is_written && look.links > 1 => {
            Err(InTheWay::Linked { at: path.to_owned(), links: look.links }.into())
        }
        Kind::File => must_be_used(path, &look, is_written),
        kind => Err(InTheWay::Other { at: path.to_owned(), what: kind.as_str() }.into()),
    }
}

/// Why something was not opened: what lies on the way is looked at, and named where it is none of ours.
pub(super) fn refusal(path: &Path, errno: Errno) -> io::Error {
    if !matches!(
        errno,
        Errno::LOOP | Errno::NOTDIR | Errno::ISDIR | Errno::NXIO | Errno::XDEV | Errno::MLINK
    ) {
        return errno.into();
    }
    let (mut at, inside) = split(path);
    let last = inside.components().count();
    for (number, part) in inside.components().enumerate() {
        let Ok(folder) = openat(CWD, &at, folder_flags(), Mode::empty()) else { break };
        let Ok(look) = look::at(&folder, part.as_os_str()) else { break };
        at.push(part);
        let is_last = number + 1 == last;
        let is_fine = if is_last {
            look.is_file() && errno != Errno::NOTDIR
        } else {
            look.kind == Kind::Folder
        };
        if !is_fine {
            return InTheWay::Other { at, what: look.kind.as_str() }.into();
        }
    }
    errno.into()
}
