//! Who is running an execution: a lock file held for as long as its process lives (ruling 2).
//!
//! The kernel lets go of the lock when the process dies, however it dies; that is how a sweep
//! tells an execution that runs from one that nobody will ever finish. A copy of the file is a lock
//! that nobody ever held: each says which file it is.

pub mod agent;
mod ancestor;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{io, thread};

use super::enclosure::OpenHow;
use super::{boot, enclosure};
use crate::event::ExecutionId;

/// Holds an execution's lock; dropping it lets go and removes the file.
#[derive(Debug)]
pub struct Owner {
    file: File,
    path: PathBuf,
}

impl Owner {
    pub fn hold(owners: &Path, execution: ExecutionId) -> io::Result<Self> {
        enclosure::make_folder(owners)?;
        let path = place(owners, execution);
        let file = enclosure::open(&path, OpenHow::ReadWriteOrCreate)?;
        fs2::FileExt::try_lock_exclusive(&file)?;
        let owner = Self { file, path };
        Identity::write(&owner.file)?;
        Ok(owner)
    }

    /// Whether an execution had an owner here that died: its lock is there, is the very file that
    /// was locked, and is free. Where there is none, nobody ever said they would finish it, and
    /// nobody can be told dead; of a copy, the owner may live where it was copied from.
    pub fn is_gone(owners: &Path, execution: ExecutionId) -> bool {
        look(owners, execution).is_some_and(|file| Identity::is_its_own(&file) && is_free(&file))
    }

    /// Whether an execution's lock is there and free, and be it a copy: for a repair, which was
    /// asked to close what nobody will finish *here*.
    pub fn is_left(owners: &Path, execution: ExecutionId) -> bool {
        look(owners, execution).is_some_and(|file| is_free(&file))
    }

    /// Whether any owner died: a look at a folder that is nearly always empty.
    pub(crate) fn any_is_gone(owners: &Path) -> bool {
        // What cannot be listed, or is no lock of ours, has no execution to interrupt.
        let Ok(names) = enclosure::names(owners) else {
            return false;
        };
        let execution = |name: &str| ExecutionId::parse(name.strip_suffix(".lock")?);
        let names = names.into_iter().filter_map(|(name, _)| name.into_string().ok());
        names.filter_map(|name| execution(&name)).any(|id| Self::is_gone(owners, id))
    }

    pub(crate) fn remove(owners: &Path, execution: ExecutionId) {
        // A file that stays is harmless: its lock is free.
        drop(enclosure::remove(&place(owners, execution)));
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        // By name before the lock goes: a lock that is there and free has no other meaning than a
        // dead owner. Explicit, since a child may hold the descriptor.
        drop(enclosure::remove(&self.path));
        drop(fs2::FileExt::unlock(&self.file));
    }
}

/// An execution's lock file. Not waited for, whatever lies there.
fn look(owners: &Path, execution: ExecutionId) -> Option<File> {
    enclosure::open(&place(owners, execution), OpenHow::Read).ok() // absent, or none of ours
}

fn is_free(file: &File) -> bool {
    match fs2::FileExt::try_lock_shared(file) {
        // Closing lets go too: nobody else has this descriptor.
        Ok(()) => fs2::FileExt::unlock(file).is_ok(),
        Err(_) => false,
    }
}

fn place(owners: &Path, execution: ExecutionId) -> PathBuf {
    owners.join(format!("{execution}.lock"))
}

const PAUSE: Duration = Duration::from_millis(20);

#[derive(Debug)]
pub struct Held {
    file: File,
    path: PathBuf,
}

impl Held {
    /// Takes a lock, waiting so long for whoever has it; `None` where they still have it then.
    pub fn take(owners: &Path, name: &str, within: Duration) -> io::Result<Option<Self>> {
        enclosure::make_folder(owners)?;
        let (path, began) = (file_of(owners, name), Instant::now());
        loop {
            let file = enclosure::open(&path, OpenHow::ReadWriteOrCreate)?;
            match fs2::FileExt::try_lock_exclusive(&file) {
                // Whoever let go removed the file: a lock on that one keeps nobody out.
                Ok(()) if is_at(&file, &path) => return Ok(Some(Self { file, path })),
                Ok(()) => continue,
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
                Err(_) if began.elapsed() >= within => return Ok(None),
                Err(_) => thread::sleep(PAUSE),
            }
        }
    }

    pub fn is_held(owners: &Path, name: &str) -> bool {
        // Where there is no such file, or it cannot be opened, nobody is known to have it.
        enclosure::open(&file_of(owners, name), OpenHow::Read).is_ok_and(|file| !is_free(&file))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // By name before the lock goes, so that what is removed is ours. A file that stays is free.
        drop(enclosure::remove(&self.path));
        drop(fs2::FileExt::unlock(&self.file));
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), enclosure::look(path)) {
        (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == there.identity,
        _ => false,
    }
}

fn file_of(owners: &Path, name: &str) -> PathBuf {
    owners.join(format!("{name}.lock"))
}

const BYTES_MAX: u64 = 256;

/// Which file a lock was taken on. The boot is for people: a device and an inode that match are the
/// file itself, in whatever boot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    boot: String,
    device: u64,
    inode: u64,
}

impl Identity {
    fn of(file: &File) -> io::Result<Self> {
        let boot = boot().unwrap_or("-").to_owned();
        let about = file.metadata()?;
        Ok(Self { boot, device: about.dev(), inode: about.ino() })
    }

    /// What a file's text says; `None` where it says nothing of the kind.
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let boot = words.next()?.to_owned();
        let (device, inode) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        words.next().is_none().then_some(Self { boot, device, inode })
    }

    pub(super) fn write(mut file: &File) -> io::Result<()> {
        let Self { boot, device, inode } = Self::of(file)?;
        file.set_len(0)?;
        file.rewind()?;
        file.write_all(format!("{boot} {device} {inode}\n").as_bytes())
    }

    /// Whether a file says that it is itself: not copied from elsewhere, nor left by a build that
    /// wrote nothing.
    pub(super) fn is_its_own(file: &File) -> bool {
        let mut text = String::new();
        let Ok(_) = file.take(BYTES_MAX).read_to_string(&mut text) else { return false };
        let Ok(about) = file.metadata() else { return false };
        Self::parse(&text).is_some_and(|it| (it.device, it.inode) == (about.dev(), about.ino()))
    }
}
