//! The lock under which ours change a store, and say what its files are then.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{BUILD, Files, Known, Reached, Stamp, place};
use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;
use crate::store::lock::lock_within;
use crate::store::turn;

/// How long anyone waits for it. Who does not get it goes on without, and the store is looked at.
pub(super) const WAIT_MAX: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(1);

/// The lock on a store's stamp. What was known of them is carried over to
/// what they are when it ends.
#[derive(Debug)]
pub struct Stamping {
    pub(super) file: File,
    store: PathBuf,
    carried: Option<Stamp>,
    /// How far the store has read when this ends.
    reached: Option<Reached>,
    /// Whose tables it has.
    by: Option<u64>,
}

impl Stamping {
    /// Waits for it, where the store has a stamp; `None` where that takes long.
    pub fn take(store: &Path) -> io::Result<Option<Self>> {
        Self::of(store, enclosure::open(&place(store), OpenHow::ReadWrite)?, WAIT_MAX)
    }

    /// The same, `None` where somebody has it now.
    pub(super) fn take_now(store: &Path) -> io::Result<Option<Self>> {
        Self::take_within(store, Duration::ZERO)
    }

    pub(super) fn take_within(store: &Path, wait: Duration) -> io::Result<Option<Self>> {
        Self::of(store, enclosure::open(&place(store), OpenHow::ReadWrite)?, wait)
    }

    pub(super) fn make(store: &Path) -> io::Result<Option<Self>> {
        let place = place(store);
        enclosure::make_folder(place.parent().unwrap_or(Path::new(".")))?;
        Self::of(store, enclosure::open(&place, OpenHow::ReadWriteOrCreate)?, WAIT_MAX)
    }

    fn of(store: &Path, file: File, wait: Duration) -> io::Result<Option<Self>> {
        let is_held = lock_within(&file, wait, PAUSE)?;
        let (store, carried, reached, by) = (store.to_owned(), None, None, None);
        Ok(is_held.then_some(Self { file, store, carried, reached, by }))
    }

    /// Notes what is known of the files as they are: what is done from here on is ours.
    pub fn note(&mut self) -> Option<Known> {
        let stamp = Stamp::read(&self.file);
        self.carried = stamp.filter(|stamp| Some(stamp.files) == Files::of(&self.store));
        self.by = self.carried.and_then(|stamp| stamp.by);
        self.carried.map(|stamp| stamp.known)
    }

    /// As [`Self::note`], by who closes a store that was only read: what is in its `-wal` may go into it.
    pub fn note_for_closing(&mut self) {
        if Files::of(&self.store).is_some_and(|files| files.wal.is_some()) {
            self.note();
            self.reached = self.carried.and_then(|stamp| stamp.reached);
        }
    }

    /// Ends it, the store having read so far by what was written meanwhile.
    pub fn end(mut self, reached: Reached) {
        (self.reached, self.by) = (Some(reached), Some(*BUILD));
    }

    /// Says what is known of the files as they are. Whether that could be written.
    pub(super) fn set(&mut self, known: Known) -> bool {
        let (reached, by) = (None, Some(*BUILD));
        self.carried = Files::of(&self.store).map(|files| Stamp { files, known, reached, by });
        self.carried.is_some_and(|stamp| stamp.write(&self.file).is_ok())
    }
}

impl Drop for Stamping {
    fn drop(&mut self) {
        if let Some(Stamp { files, known, .. }) = self.carried
            && let Some(now) = Files::of(&self.store)
            && now != files
        {
            // Where it cannot be written the store is looked at.
            let (reached, by) = (self.reached, self.by);
            drop(Stamp { files: now, known, reached, by }.write(&self.file));
        }
        // By name, not by close: a child process may hold the descriptor.
        drop(self.file.unlock());
        turn::pass();
    }
}
