//! A shared lock for a moment, so that no writer is at work while the tail is read again.

use std::path::Path;
use std::time::Duration;
use std::{io, thread};

use super::LockState;
use crate::storage::{LockKind, OpenHow, Storage, StorageFile};

/// How often, and how far apart, a reader asks before it gives up: a second in all. A writer
/// holds the lock for one write; one that was stopped in it must not stop its readers.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(10);

/// Runs `read` while no writer is at work, if that can be had; says whether it was.
pub fn while_quiet<S: Storage, T>(
    storage: &S,
    folder: &Path,
    read: impl FnOnce() -> T,
) -> Result<T, LockState> {
    let lock = match storage.open(&folder.join("LOCK"), OpenHow::Read) {
        Ok(lock) => lock,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(LockState::Absent),
        Err(_) => return Err(LockState::Refused),
    };
    for turn in 0..TRIES {
        match lock.try_lock(LockKind::Shared) {
            Ok(true) => {
                let answer = read();
                // Closing releases it as well: there is nothing to do about an error here.
                drop(lock.unlock());
                return Ok(answer);
            }
            Ok(false) if turn + 1 < TRIES => thread::sleep(PAUSE),
            Ok(false) => break,
            Err(_) => return Err(LockState::Refused),
        }
    }
    Err(LockState::Busy)
}
