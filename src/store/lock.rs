//! The lock beside a store: shared by every open connection, exclusive for a swap (R12).

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::dir::if_there;
use super::{StoreError, turn};
use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;

/// How long anyone waits for a store that another process holds.
pub(crate) const WAIT_MAX: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(5);

/// A held flock on `{store}.lock`.
#[derive(Debug)]
pub(crate) struct StoreLock {
    file: File,
}

/// What a connection, or a swap, may do while it holds the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    Shared,
    Exclusive,
}

impl StoreLock {
    pub(crate) fn shared(store: &Path) -> Result<Self, StoreError> {
        Self::take(store, Hold::Shared)
    }

    /// The lock of a connection that only reads: none where the folder cannot be written.
    pub(crate) fn reading(store: &Path) -> Result<Option<Self>, StoreError> {
        match Self::take(store, Hold::Shared) {
            Ok(lock) => Ok(Some(lock)),
            Err(StoreError::Io { source, .. })
                if matches!(
                    source.kind(),
                    io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
                ) =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    pub(crate) fn exclusive(store: &Path) -> Result<Self, StoreError> {
        Self::take(store, Hold::Exclusive)
    }

    /// The lock of a swap, where nobody is connected now. None is made.
    pub(crate) fn exclusive_now(store: &Path) -> Result<Option<Self>, StoreError> {
        let path = lock_path(store);
        let failed = |source| StoreError::io(&path, "locking the store", source);
        let file = enclosure::open(&path, OpenHow::Read).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }

    fn take(store: &Path, hold: Hold) -> Result<Self, StoreError> {
        let path = lock_path(store);
        // Who asks for what was never made leaves no lock, which would say that it was.
        if hold == Hold::Shared && is_gone(&path) && is_gone(store) {
            return Err(StoreError::Missing { path: store.to_owned() });
        }
        let deadline = Instant::now() + WAIT_MAX;
        let failed = |source| StoreError::io(&path, "locking the store", source);
        loop {
            turn::pass();
            let file = enclosure::open(&path, OpenHow::ReadWriteOrCreate).map_err(failed)?;
            let held = match hold {
                Hold::Shared => file.try_lock_shared(),
                Hold::Exclusive => file.try_lock(),
            };
            match held {
                // Someone may have removed the file under us: then the next comer's is another.
                Ok(()) if is_at(&file, &path).map_err(failed)? => return Ok(Self { file }),
                Ok(()) => continue,
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(source)) => return Err(failed(source)),
            }
            if Instant::now() >= deadline {
                return Err(StoreError::Locked { path: store.to_owned(), doing: "locking it" });
            }
            turn::wait(PAUSE);
        }
    }
}

impl Drop for StoreLock {
    fn drop(&mut self) {
        // By name, not by close: a child process may hold the descriptor. A failure here leaves
        // the lock to the close that follows.
        drop(self.file.unlock());
        turn::pass();
    }
}

/// Locks a file, trying again for so long; whether it was to be had.
pub(crate) fn lock_within(file: &File, wait: Duration, pause: Duration) -> io::Result<bool> {
    let deadline = Instant::now() + wait;
    loop {
        turn::pass();
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) if Instant::now() >= deadline => return Ok(false),
            Err(TryLockError::WouldBlock) => turn::wait(pause),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let held = file.metadata()?;
    let is_it = |named: enclosure::Look| named.identity == (held.dev(), held.ino());
    Ok(if_there(enclosure::look(path))?.is_some_and(is_it) && held.nlink() > 0)
}

fn is_gone(path: &Path) -> bool {
    matches!(if_there(enclosure::look(path)), Ok(None))
}

fn lock_path(store: &Path) -> PathBuf {
    beside(store, ".lock")
}

/// The path of a store with something after its name: `-wal`, `.lock`.
pub(crate) fn beside(store: &Path, suffix: &str) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
