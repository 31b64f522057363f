//! Who is running an execution: a lock file held for as long as its process lives (ruling 2).
//!
//! The kernel lets go of the lock when the process dies, however it dies; that is how a sweep
//! tells an execution that runs from one that nobody will ever finish. A copy of the file is a lock
//! that nobody ever held: each says which file it is.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::event::ExecutionId;
use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;

pub mod agent;
mod ancestor;
mod held;
mod identity;

#[cfg(test)]
mod tests;

pub use held::Held;
use identity::Identity;

/// Holds an execution's lock; dropping it lets go and removes the file.
#[derive(Debug)]
pub struct Owner {
    file: File,
    path: PathBuf,
}

impl Owner {
    /// Takes the lock of an execution, in the project's folder of owners.
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

    /// Removes what a dead owner left.
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
