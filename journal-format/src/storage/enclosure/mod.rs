//! The one place that opens files below `.annals`, and the stores beside it.
//!
//! A stranger's folder may hold anything under our names. So nothing at or below `.annals` is reached
//! through a symbolic link, and of a path that has no `.annals` in it the last name is not followed;
//! whatever is no regular file is neither waited for nor read; what has a second name (a hard
//! link) is not written, since that would change somebody's other file; and what belongs to somebody
//! else is neither believed nor written (`owner.rs`). The folders that lead to
//! `.annals` are the user's own, and may be links.

mod in_the_way;
mod look;
mod owner;
#[cfg(test)]
mod tests;
mod way;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, Mode, OFlags, RenameFlags, fstat, mkdirat, openat, renameat, renameat_with, unlinkat,
};
use rustix::io::Errno;

use super::OpenHow;

pub use in_the_way::{InTheWay, is_foreign, is_in_the_way};
pub use look::{Kind, Look};
pub use owner::{give, make_file_in, make_folder_in, must_be_used, must_be_used_in, owners};
pub use way::real;
use way::refusal;

/// The folder in a project that is annals' own.
pub const FOLDER: &str = ".annals";
/// What is taken at once for a file that says to be large.
const ROOM_MAX: u64 = 1 << 20;
/// What SQLite opens beside a database.
const BESIDE_DATABASE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Opens a regular file; a new one is its owner's alone. Nothing is cut off.
///
/// # Errors
/// [`InTheWay`] in an [`io::Error`] where something else lies there or on the way, and where the file
/// has another name and is to be written.
pub fn open(path: &Path, how: OpenHow) -> io::Result<File> {
    file(
        path,
        match how {
            OpenHow::Read => OFlags::RDONLY,
            OpenHow::ReadWrite => OFlags::RDWR,
            OpenHow::ReadWriteOrCreate => OFlags::RDWR | OFlags::CREATE,
            OpenHow::CreateNew => OFlags::RDWR | OFlags::CREATE | OFlags::EXCL,
        },
    )
}

/// Opens a regular file to append to, made where there is none.
///
/// # Errors
/// As [`open`].
pub fn append(path: &Path) -> io::Result<File> {
    file(path, OFlags::RDWR | OFlags::CREATE | OFlags::APPEND)
}

/// The bytes of a regular file, so many at most: who asks for one more learns that there are more.
///
/// # Errors
/// As [`open`].
pub fn read(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    contents(&open(path, OpenHow::Read)?, bytes_max)
}

/// As [`read`], of a file that was opened.
///
/// # Errors
/// Where it cannot be read.
pub fn contents(file: &File, bytes_max: u64) -> io::Result<Vec<u8>> {
    // All of a small one in one go, and the end seen in another.
    let room = file.metadata()?.len().min(bytes_max).min(ROOM_MAX);
    let mut bytes = Vec::with_capacity(room as usize + 64);
    file.take(bytes_max).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a folder, to list it or to make its names durable.
///
/// # Errors
/// [`InTheWay`] where it is none, or is reached through a link.
pub fn folder(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    match way::is_enclosed(path) {
        true => way::open(path, flags).map(File::from),
        // Who names a folder may name a link to it.
        false => Ok(File::from(openat(rustix::fs::CWD, way::or_here(path), flags, Mode::empty())?)),
    }
}

/// The names in a folder, unsorted, and what they stand for.
///
/// # Errors
/// As [`folder`].
pub fn names(path: &Path) -> io::Result<Vec<(OsString, Kind)>> {
    let mut folder = rustix::fs::Dir::new(folder(path)?)?;
    let mut names = Vec::new();
    while let Some(entry) = folder.read() {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let kind = match entry.file_type() {
            // Not every file system says.
            rustix::fs::FileType::Unknown => match look::at(folder.fd()?, name) {
                Ok(look) => look.kind,
                Err(Errno::NOENT) => continue,
                Err(errno) => return Err(errno.into()),
            },
            kind => kind.into(),
        };
        names.push((OsString::from_vec(name.to_bytes().to_vec()), kind));
    }
    Ok(names)
}

/// What a path stands for, no link followed.
///
/// # Errors
/// Where nothing lies there, or [`InTheWay`] where a link is on the way.
pub fn look(path: &Path) -> io::Result<Look> {
    if path.parent().is_some_and(way::is_enclosed) {
        let (parent, name) = way::parent(path)?;
        return Ok(look::at(&parent, name)?);
    }
    // What leads there may be a link.
    let name = path.file_name().ok_or(Errno::INVAL)?;
    Ok(look::at(rustix::fs::CWD, path.with_file_name(name))?)
}

/// Holds that what lies there may be written: a regular file, of one name, of nobody else's.
///
/// # Errors
/// As [`look()`], and [`InTheWay`] where it may not.
pub fn must_be_writable(path: &Path) -> io::Result<Look> {
    let look = look(path)?;
    way::allow(path, look, true).map(|()| look)
}

/// Whether a folder is there: below `.annals` reached through no link, elsewhere as anybody sees it.
pub fn is_folder(path: &Path) -> bool {
    match way::is_enclosed(path) {
        true => look(path).is_ok_and(|look| look.kind == Kind::Folder),
        false => path.is_dir(),
    }
}

/// Makes a folder that is its owner's alone; fine where it is there. Says whether it was made.
///
/// # Errors
/// [`InTheWay`] where something else has its name, or where a link is on the way.
pub fn make_folder(path: &Path) -> io::Result<bool> {
    let (parent, name) = way::parent(path)?;
    match make_folder_in(&parent, name)? {
        false if !is_folder(path) => Err(refusal(path, Errno::NOTDIR)),
        is_made => Ok(is_made),
    }
}

/// The same, with the folders above it that are missing. Gives those that were made, outermost first.
///
/// # Errors
/// As [`make_folder`].
pub fn make_folders(path: &Path) -> io::Result<Vec<PathBuf>> {
    let missing: Vec<_> = path
        .ancestors()
        .take_while(|path| !path.as_os_str().is_empty() && !is_folder(path))
        .collect();
    let mut made = Vec::new();
    for path in missing.into_iter().rev() {
        if make_folder(path)? {
            made.push(path.to_owned());
        }
    }
    Ok(made)
}

/// Gives a file or a folder another name, over what has it.
///
/// # Errors
/// Where that cannot be done, and [`InTheWay`] where a link is on the way, or what has the name is
/// somebody else's.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    let ((from_dir, old), (to_dir, new)) = (way::parent(from)?, way::parent(to)?);
    if let Ok(look) = look::at(&to_dir, new) {
        must_be_used(to, &look, true)?;
    }
    Ok(renameat(&from_dir, old, &to_dir, new)?)
}

/// The same, over nothing: [`io::ErrorKind::AlreadyExists`] where anything has the name. At no moment
/// has the file two names, which a death would leave it with.
///
/// # Errors
/// As [`rename`].
pub fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    let ((from_dir, old), (to_dir, new)) = (way::parent(from)?, way::parent(to)?);
    match renameat_with(&from_dir, old, &to_dir, new, RenameFlags::NOREPLACE) {
        // Not every file system can. There the name is taken first, by nothing at all.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            match look::at(&from_dir, old)?.kind {
                Kind::Folder => mkdirat(&to_dir, new, Mode::RWXU)?,
                _ => drop(open(to, OpenHow::CreateNew)?),
            }
            Ok(renameat(&from_dir, old, &to_dir, new)?)
        }
        renamed => Ok(renamed?),
    }
}

/// Takes a file's name away, whatever it stands for, a folder excepted.
///
/// # Errors
/// Where that cannot be done, and [`InTheWay`] where a link is on the way.
pub fn remove(path: &Path) -> io::Result<()> {
    let (parent, name) = way::parent(path)?;
    Ok(unlinkat(&parent, name, AtFlags::empty())?)
}

/// Takes a name away, and where it stands for a folder all that is in it. No link in there is followed.
///
/// # Errors
/// As [`remove`].
pub fn remove_whole(path: &Path) -> io::Result<()> {
    match look(path)?.kind {
        // `look` has seen the way; the standard library goes down by descriptors.
        Kind::Folder => std::fs::remove_dir_all(path),
        _ => remove(path),
    }
}

/// What is to be done with a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseUse {
    Read,
    Write,
}

/// Holds that a database, and what SQLite opens beside it, are regular files or not there, and with
/// one name each where SQLite may write. Gives the path to open with `SQLITE_OPEN_NOFOLLOW`, which
/// takes no link anywhere on the way.
///
/// # Errors
/// [`InTheWay`] where one is something else.
pub fn database(path: &Path, to: DatabaseUse) -> io::Result<PathBuf> {
    let (parent, name) = way::parent(path)?;
    for suffix in [""].iter().chain(&BESIDE_DATABASE) {
        let mut beside = name.to_owned();
        beside.push(suffix);
        match look::at(&parent, beside.as_os_str()) {
            Ok(look) => way::allow(&path.with_file_name(&beside), look, to == DatabaseUse::Write)?,
            Err(Errno::NOENT) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
    let (anchor, inside) = way::split(path);
    Ok(anchor.canonicalize()?.join(inside))
}

fn file(path: &Path, flags: OFlags) -> io::Result<File> {
    // Nothing is waited for, should it be a FIFO.
    let all = flags | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let opened = match (flags.contains(OFlags::CREATE), flags.contains(OFlags::EXCL)) {
        (true, true) => {
            let (parent, name) = way::parent(path)?;
            make_file_in(&parent, name, all).map_err(|errno| refusal(path, errno))?
        }
        (true, false) => owner::open_or_make(path, all.difference(OFlags::CREATE))?,
        _ => way::open(path, all)?,
    };
    let look = Look::of(&fstat(&opened)?);
    way::allow(path, look, flags.contains(OFlags::RDWR))?;
    Ok(File::from(opened))
}
