//! The file `LOCK`: one advisory lock for everyone, the tail slot, the active segment's number.
//!
//! ```text
//! 0     tail slot, 168 bytes
//! 512   active segment number u64, and its complement u64
//! 1024  tail slot, 168 bytes
//! ```
//!
//! A slot is written over the earlier of the two, by their turns.
//!
//! The file may be removed under a holder (`git clean` does it): what counts is the file that
//! the path names now, so a lock on any other is no lock.

mod content;
mod held;
mod lock_error;
mod said;
mod tail_slot;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{io, thread};

pub use content::LockContent;
pub use held::Held;
pub use lock_error::LockError;
pub use said::Said;
pub use tail_slot::TailSlot;

use crate::limits::{LOCK_WAIT_MS_MAX, SECTOR_BYTES};
use crate::storage::{LockKind, OpenHow, Storage, StorageFile, read_full};
use crate::units::SegmentNumber;

/// The lock's file name in a journal's folder.
pub const LOCK_NAME: &str = "LOCK";

const SLOTS_AT: [u64; 2] = [0, 2 * SECTOR_BYTES];
const FILE_BYTES: usize = SLOTS_AT[1] as usize + TailSlot::BYTES;
const ACTIVE_AT: u64 = SECTOR_BYTES;
const ACTIVE_BYTES: usize = 16;
const REOPEN_MAX: usize = 16;
const YIELDS: u32 = 64;
const PAUSE: Duration = Duration::from_micros(20);
const PAUSE_LONG: Duration = Duration::from_millis(1);
const PATIENCE: Duration = Duration::from_millis(2);
/// For so long after a look the path is taken to name the same file, unless that has lost its name.
const LOOK_HOLDS: Duration = Duration::from_millis(1);

/// A journal's lock file, open.
pub struct JournalLock<S: Storage> {
    storage: S,
    path: PathBuf,
    file: Arc<S::File>,
    identity: (u64, u64),
    /// When the path was last seen to name this file.
    looked: Option<Instant>,
    wait_ms_max: u64,
}

impl<S: Storage> JournalLock<S> {
    /// Opens the lock of the journal in `folder`, making the file where there is none.
    pub fn open(storage: S, folder: &Path) -> io::Result<Self> {
        let path = folder.join(LOCK_NAME);
        let file = Arc::new(storage.open(&path, OpenHow::ReadWriteOrCreate)?);
        let (identity, _) = file.identity()?;
        let wait_ms_max = LOCK_WAIT_MS_MAX;
        Ok(Self { storage, path, file, identity, looked: None, wait_ms_max })
    }

    /// Waits no longer than this for the lock, instead of [`LOCK_WAIT_MS_MAX`].
    pub fn waiting(self, wait_ms_max: u64) -> Self {
        Self { wait_ms_max, ..self }
    }

    /// Takes the lock for everyone's exclusion; waits at most [`LOCK_WAIT_MS_MAX`], or what
    /// [`Self::waiting`] was told, while the journal does not get on.
    ///
    /// [`Held::fresh`] says that the file was replaced since the last time: whatever it said
    /// before is forgotten, and the folder has to be listed again.
    pub fn acquire(&mut self) -> Result<Held<S::File>, LockError> {
        let mut fresh = false;
        for _ in 0..REOPEN_MAX {
            let file = Arc::clone(&self.file);
            self.wait(&file)?;
            let held = Held::new(file, fresh);
            if self.stands().map_err(|source| self.io(source))? {
                return Ok(held);
            }
            drop(held);
            *self = self.reopened().map_err(|source| self.io(source))?;
            fresh = true;
        }
        Err(LockError::Replaced { path: self.path.clone() })
    }

    /// As [`Self::is_current`], at a fifth of its cost: whether the file still has a name, and only where
    /// the last look was a while ago whether that is the path's.
    ///
    /// That is enough for who locks the segment as well, which keeps out whoever has another `LOCK`: a
    /// file that was renamed is noticed a moment later. Who acknowledges what was flushed looks anew.
    fn stands(&mut self) -> io::Result<bool> {
        let is_new = self.looked.is_some_and(|looked| looked.elapsed() < LOOK_HOLDS);
        // Where that cannot be told the path is asked.
        if is_new && self.file.is_named().unwrap_or(false) {
            return Ok(true);
        }
        let current = self.is_current()?;
        self.looked = current.then(Instant::now);
        Ok(current)
    }

    /// Has the next acquisition look at the path.
    pub fn look_anew(&mut self) {
        self.looked = None;
    }

    fn reopened(&self) -> io::Result<Self> {
        let file = self.storage.open(&self.path, OpenHow::ReadWriteOrCreate)?;
        let (identity, _) = file.identity()?;
        let (storage, path) = (self.storage.clone(), self.path.clone());
        let wait_ms_max = self.wait_ms_max;
        Ok(Self { storage, path, file: Arc::new(file), identity, looked: None, wait_ms_max })
    }

    /// What the file says now.
    pub fn said(&self) -> io::Result<Said> {
        Said::read(&*self.file)
    }

    /// Whether the lock file is still the journal's and names this segment as the newest.
    pub fn says(&self, number: SegmentNumber) -> bool {
        let named = self.said().is_ok_and(|said| said.active == Some(number));
        named && self.is_current().is_ok_and(|current| current)
    }

    /// Says which segment is the newest; only under the lock.
    pub fn set_active(&self, number: SegmentNumber) -> io::Result<()> {
        let mut bytes = [0; ACTIVE_BYTES];
        bytes[..8].copy_from_slice(&number.0.to_le_bytes());
        bytes[8..].copy_from_slice(&(!number.0).to_le_bytes());
        self.put(&bytes, ACTIVE_AT)
    }

    /// Writes the tail slot over the earlier of the two, so that a write cut short costs neither;
    /// only under the lock, and where `said` was read under it.
    pub fn set_slot(&self, slot: &TailSlot, said: &Said) -> io::Result<()> {
        let (turn, at) = said.next();
        self.put(&TailSlot { turn, ..*slot }.to_bytes(), at)
    }

    /// Makes the tail slot durable.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Whether the path still names the file held. Then it has a link at least, and no other file
    /// can have got its inode while it is open: one call answers both.
    pub fn is_current(&self) -> io::Result<bool> {
        match self.storage.identity_of(&self.path) {
            Ok(named) => Ok(named == self.identity),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Waits for as long as others get on: with many of them, each of which rolls, a turn may be a
    /// minute away. Only where nothing moves is the wait bounded.
    fn wait(&self, file: &S::File) -> Result<(), LockError> {
        // Where it cannot be tried, the wait below says why.
        for _ in 0..YIELDS {
            match file.try_lock(LockKind::Exclusive) {
                Ok(true) => return Ok(()),
                Ok(false) => thread::yield_now(),
                Err(_) => break,
            }
        }
        let mut seen = self.bytes(file)?;
        loop {
            let waited = wait(file, &self.path, self.wait_ms_max);
            let Err(LockError::Busy { .. }) = waited else { return waited };
            let said = self.bytes(file)?;
            if said == seen {
                return waited;
            }
            seen = said;
        }
    }

    /// What the file says: another thing with each roll, and with so many bytes that were written.
    fn bytes(&self, file: &S::File) -> Result<[u8; FILE_BYTES], LockError> {
        let mut bytes = [0; FILE_BYTES];
        read_full(file, &mut bytes, 0).map_err(|source| self.io(source))?;
        Ok(bytes)
    }

    fn put(&self, bytes: &[u8], at: u64) -> io::Result<()> {
        crate::storage::write_full(&*self.file, bytes, at)
    }

    fn io(&self, source: io::Error) -> LockError {
        LockError::Io { path: self.path.clone(), source }
    }
}

/// The later of a lock file's two tail slots whose sums hold. Takes no lock: a slot that is being
/// written does not hold, and then the other one does.
pub fn read_slot<F: StorageFile>(file: &F) -> io::Result<Option<TailSlot>> {
    Said::read(file).map(|said| said.slot())
}

/// Locks a file beside the lock itself: a segment, against whoever holds a `LOCK` that was
/// removed.
pub fn hold<F: StorageFile>(
    file: &Arc<F>,
    path: &Path,
    wait_ms_max: u64,
) -> Result<Held<F>, LockError> {
    wait(&**file, path, wait_ms_max)?;
    Ok(Held::new(Arc::clone(file), false))
}

/// As [`hold`], where it is free at once.
pub fn try_hold<F: StorageFile>(file: &Arc<F>) -> io::Result<Option<Held<F>>> {
    let taken = file.try_lock(LockKind::Exclusive)?;
    Ok(taken.then(|| Held::new(Arc::clone(file), false)))
}

/// No blocking call: a holder that was stopped would stop every agent with it.
fn wait(file: &impl StorageFile, path: &Path, wait_ms_max: u64) -> Result<(), LockError> {
    let mut waited = Duration::ZERO;
    for turn in 0_u32.. {
        match file.try_lock(LockKind::Exclusive) {
            Ok(true) => return Ok(()),
            Ok(false) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(source) => return Err(LockError::Io { path: path.to_owned(), source }),
        }
        if turn < YIELDS {
            thread::yield_now();
            continue;
        }
        if waited >= Duration::from_millis(wait_ms_max) {
            break;
        }
        // Whoever appends holds it for microseconds; whoever flushes under it, for longer.
        let pause = if waited < PATIENCE { PAUSE } else { PAUSE_LONG };
        thread::sleep(pause);
        waited += pause;
    }
    Err(LockError::Busy { path: path.to_owned(), waited_ms: wait_ms_max })
}
