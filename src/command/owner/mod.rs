//! Who is running an execution: a lock file held for as long as its process lives (ruling 2).
//!
//! The kernel lets go of the lock when the process dies, however it dies; that is how a sweep
//! tells an execution that runs from one that nobody will ever finish.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::event::ExecutionId;

#[cfg(test)]
mod tests;

/// Holds an execution's lock; dropping it lets go and removes the file.
#[derive(Debug)]
pub struct Owner {
    file: File,
    path: PathBuf,
}

impl Owner {
    /// Takes the lock of an execution, in the project's folder of owners.
    pub fn hold(owners: &Path, execution: ExecutionId) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(owners)?;
        let path = place(owners, execution);
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(false).mode(0o600).open(&path)?;
        fs2::FileExt::try_lock_exclusive(&file)?;
        Ok(Self { file, path })
    }

    /// Whether an execution had an owner that died: its lock is there, and free. Where there is
    /// none, nobody ever said they would finish it, and nobody can be told dead.
    pub fn is_gone(owners: &Path, execution: ExecutionId) -> bool {
        let Ok(file) = File::open(place(owners, execution)) else {
            return false;
        };
        match fs2::FileExt::try_lock_shared(&file) {
            // Closing lets go too: nobody else has this descriptor.
            Ok(()) => fs2::FileExt::unlock(&file).is_ok(),
            Err(_) => false,
        }
    }

    /// Whether any owner died: a look at a folder that is nearly always empty.
    pub(super) fn any_is_gone(owners: &Path) -> bool {
        let Ok(entries) = fs::read_dir(owners) else {
            return false;
        };
        let execution = |name: &str| ExecutionId::parse(name.strip_suffix(".lock")?);
        // What cannot be listed, or is no lock of ours, has no execution to interrupt.
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.filter_map(|name| execution(&name)).any(|id| Self::is_gone(owners, id))
    }

    /// Removes what a dead owner left.
    pub(super) fn remove(owners: &Path, execution: ExecutionId) {
        // A file that stays is harmless: its lock is free.
        drop(fs::remove_file(place(owners, execution)));
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        // By name before the lock goes: a lock that is there and free has no other meaning than a
        // dead owner. Explicit, since a child may hold the descriptor.
        drop(fs::remove_file(&self.path));
        drop(fs2::FileExt::unlock(&self.file));
    }
}

fn place(owners: &Path, execution: ExecutionId) -> PathBuf {
    owners.join(format!("{execution}.lock"))
}
