//! The lock on a store's stamp: whoever of ours changes the store's files holds it, one after the other.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{Files, Known, Stamp};
use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;
use crate::store::turn;

/// How long anyone waits for it. Who does not get it goes on without, and the store is looked at.
const WAIT_MAX: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(1);

/// The lock on a store's stamp. What was known of them is carried over to
/// what they are when it ends.
#[derive(Debug)]
pub struct Stamping {
    file: File,
    store: PathBuf,
    carried: Option<Stamp>,
}

/// Opens the stamp of a store.
pub(super) fn open(store: &Path) -> io::Result<File> {
    enclosure::open(&place(store), OpenHow::Read)
}

impl Stamping {
    /// Waits for it, where the store has a stamp; `None` where that takes long.
    pub fn take(store: &Path) -> io::Result<Option<Self>> {
        Self::of(store, enclosure::open(&place(store), OpenHow::ReadWrite)?)
    }

    /// The same, and makes the stamp where there is none.
    pub(super) fn make(store: &Path) -> io::Result<Option<Self>> {
        let place = place(store);
        enclosure::make_folder(place.parent().unwrap_or(Path::new(".")))?;
        Self::of(store, enclosure::open(&place, OpenHow::ReadWriteOrCreate)?)
    }

    fn of(store: &Path, file: File) -> io::Result<Option<Self>> {
        let deadline = Instant::now() + WAIT_MAX;
        loop {
            turn::pass();
            match file.try_lock() {
                Ok(()) => return Ok(Some(Self { file, store: store.to_owned(), carried: None })),
                Err(TryLockError::WouldBlock) if Instant::now() >= deadline => return Ok(None),
                Err(TryLockError::WouldBlock) => turn::wait(PAUSE),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }

    /// Notes what is known of the files as they are: what is done from here on is ours.
    pub fn note(&mut self) -> Option<Known> {
        let stamp = Stamp::read(&self.file);
        self.carried = stamp.filter(|stamp| Some(stamp.files) == Files::of(&self.store));
        self.carried.map(|stamp| stamp.known)
    }

    /// As [`Self::note`], by who closes a store that was only read: what is in its `-wal` may go into it.
    pub fn note_for_closing(&mut self) {
        if Files::of(&self.store).is_some_and(|files| files.wal.is_some()) {
            self.note();
        }
    }

    /// Says what is known of the files as they are. Whether that could be written.
    pub(super) fn set(&mut self, known: Known) -> bool {
        self.carried = Files::of(&self.store).map(|files| Stamp { files, known });
        self.carried.is_some_and(|stamp| stamp.write(&self.file).is_ok())
    }
}

impl Drop for Stamping {
    fn drop(&mut self) {
        if let Some(Stamp { files, known }) = self.carried
            && let Some(now) = Files::of(&self.store)
            && now != files
        {
            // Where it cannot be written the store is looked at.
            drop(Stamp { files: now, known }.write(&self.file));
        }
        // By name, not by close: a child process may hold the descriptor.
        drop(self.file.unlock());
        turn::pass();
    }
}

/// Where the stamp of a store lies: below the `.annals` that the store is in or beside.
fn place(store: &Path) -> PathBuf {
    let folder = store.parent().unwrap_or(Path::new("."));
    let annals = match folder.file_name().is_some_and(|name| name == ANNALS) {
        true => folder.to_owned(),
        false => folder.join(ANNALS),
    };
    annals.join("stamps").join(store.file_stem().unwrap_or_default())
}

const ANNALS: &str = ".annals";
