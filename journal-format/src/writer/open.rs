//! Making and opening a journal.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Weak};

use super::active::{self, Active};
use super::catch_up::first_end;
use super::holding::Holding;
use super::successor::Successor;
use super::tail::{State, Tail};
use super::{AppendError, OpenError, WriterOptions};
use crate::chain;
use crate::entropy::Entropy;
use crate::lock::{self, JournalLock};
use crate::recover::{CommitEnd, CommitReader, quarantine};
use crate::storage::Storage;
use crate::units::{JournalId, Mark, Offset, SegmentNumber, Sequence};

impl<S: Storage> Tail<S> {
    pub(super) fn create(
        storage: S,
        folder: &Path,
        journal: JournalId,
        options: WriterOptions,
    ) -> Result<Self, OpenError> {
        make_folder(&storage, folder)?;
        let mut lock = open_lock(&storage, folder, &options)?;
        let held = lock.acquire()?;
        let names = active::segments(&storage, folder).map_err(OpenError::io("list", folder))?;
        if !names.is_empty() {
            return Err(OpenError::Exists { path: folder.to_owned() });
        }
        let mut entropy = Entropy::new(&options.seed);
        let mark = Mark { sequence: Sequence(0), chain: chain::genesis(journal) };
        let bound = CommitEnd { offset: Offset(0), mark };
        let number = SegmentNumber(0);
        let random = entropy.take();
        let made = Successor::begin(&storage, folder, journal, number, bound, random)
            .and_then(|first| first.finish(&storage, folder, options.durability));
        let (active, ..) = made.map_err(OpenError::io("write a segment in", folder))?;
        lock.set_active(number).map_err(OpenError::io("write the lock in", folder))?;
        let mut tail = Self::at_start(storage, folder, options, entropy, lock, active);
        tail.write_slot();
        drop(held);
        Ok(tail)
    }

    pub(super) fn open(
        storage: S,
        folder: &Path,
        options: WriterOptions,
    ) -> Result<Self, OpenError> {
        let missing = || OpenError::NoJournal { path: folder.to_owned() };
        let list = || match active::segments(&storage, folder) {
            Ok(names) => names.last().copied().ok_or_else(missing),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(missing()),
            Err(error) => Err(OpenError::io("list", folder)(error)),
        };
        // Before the lock is made: a folder that holds no journal stays as it is.
        list()?;
        let mut lock = open_lock(&storage, folder, &options)?;
        let held = lock.acquire()?;
        let held = Holding::new(held);
        let (newest, active) = loop {
            let newest = list()?;
            let active = Active::open(&storage, folder, newest)?;
            let path = folder.join(newest.to_string());
            held.also(lock::hold(&active.file, &path, options.lock_wait_ms_max)?);
            // Whoever held the segment may have rolled it meanwhile.
            if list()? == newest {
                break (newest, active);
            }
        };
        if is_foreign(&storage, folder, &active) {
            return Err(OpenError::Foreign { path: folder.join(newest.to_string()) });
        }
        let entropy = Entropy::new(&options.seed);
        let mut tail = Self::at_start(storage, folder, options, entropy, lock, active);
        tail.holding = Arc::downgrade(&held);
        let io =
            |source| OpenError::io("read the tail of", folder.join(newest.to_string()))(source);
        let next = quarantine::next_sequence(&tail.storage, folder).map_err(io)?;
        tail.next = tail.next.max(next);
        let mended = tail.lock.mend(tail.active.header.journal, tail.options.witness.as_ref());
        mended.map_err(OpenError::io("write the lock in", folder))?;
        let known = tail.locate().map_err(io)?;
        if !known {
            // Who made it may have died before its name was durable; once it is, its first slot
            // is written.
            tail.storage.sync_folder(folder).map_err(OpenError::io("flush", folder))?;
        }
        let is_all_there = tail.seen() <= tail.mark.sequence;
        let repaired = match known && is_all_there && !tail.options.is_thorough {
            // Of this boot: what stands there is what was written.
            true => tail.catch_up(false),
            false => tail.recover_tail().and_then(|()| tail.catch_up(false)),
        };
        repaired.map_err(|error| tail.open_error(error))?;
        let unproven = tail.proven.offset.0..tail.end.0;
        tail.suspect = (!unproven.is_empty()).then_some(unproven);
        // A slot that vouches for what is lost stays until an event tells of the loss.
        if !known && !tail.recoveries.iter().any(|found| found.verdict.is_loss()) {
            tail.write_slot();
        }
        drop(held);
        Ok(tail)
    }

    fn at_start(
        storage: S,
        folder: &Path,
        options: WriterOptions,
        entropy: Entropy,
        lock: JournalLock<S>,
        active: Active<S::File>,
    ) -> Self {
        let start = first_end(&active.header);
        Self {
            holding: Weak::new(),
            boot: storage.boot_id(),
            storage,
            folder: folder.to_owned(),
            options,
            entropy,
            lock,
            active,
            end: start.offset,
            commit: start.offset,
            mark: start.mark,
            next: start.mark.sequence.next(),
            proven: start,
            ends: VecDeque::new(),
            suspect: None,
            unslotted: 0,
            state: State::Sound,
            recoveries: Vec::new(),
            reader: CommitReader::default(),
            crowded: 0,
        }
    }

    /// The last word of a writer that closes, unless another has had a later one.
    pub(super) fn leave_slot(&mut self) {
        let Ok(_held) = self.acquire() else { return };
        // A slot that cannot be read witnesses nothing.
        let later = self.lock.said().is_ok_and(|said| {
            said.slot().is_some_and(|slot| {
                slot.journal == self.active.header.journal
                    && (slot.segment, slot.end, slot.proven_end)
                        >= (self.active.number(), self.end, self.proven.offset)
            })
        });
        if !later && self.lock.says(self.active.number()) {
            self.write_slot();
        }
    }

    fn open_error(&self, error: AppendError) -> OpenError {
        let path = self.folder.clone();
        match error {
            AppendError::Locked { path, waited_ms } => {
                crate::lock::LockError::Busy { path, waited_ms }.into()
            }
            error => OpenError::Tail { path, source: Box::new(error) },
        }
    }
}

/// Whether there are segments beside the newest one, and none of its journal: somebody put it there.
fn is_foreign<S: Storage>(storage: &S, folder: &Path, newest: &Active<S::File>) -> bool {
    let names = active::segments(storage, folder).unwrap_or_default();
    let others = names.into_iter().rev().filter(|name| name.number != newest.number());
    // One that cannot be read says nothing.
    let mut others = others.filter_map(|name| Active::open(storage, folder, name).ok()).peekable();
    others.peek().is_some() && !others.any(|it| it.header.journal == newest.header.journal)
}

fn open_lock<S: Storage>(
    storage: &S,
    folder: &Path,
    options: &WriterOptions,
) -> Result<JournalLock<S>, OpenError> {
    let lock = JournalLock::open(storage.clone(), folder);
    let lock = lock.map_err(OpenError::io("open the lock in", folder))?;
    Ok(lock.waiting(options.lock_wait_ms_max))
}

/// Makes the journal's folder and its parents, each durable in its own parent.
fn make_folder<S: Storage>(storage: &S, folder: &Path) -> Result<(), OpenError> {
    let missing = |folder: &&Path| storage.list(folder).is_err();
    let made: Vec<&Path> = folder.ancestors().skip(1).take_while(missing).collect();
    storage.create_folder(folder).map_err(OpenError::io("make", folder))?;
    for folder in made.into_iter().rev().chain([folder]) {
        // The parent of a relative path's first part is the empty path.
        let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        storage.sync_folder(parent).map_err(OpenError::io("flush", parent))?;
    }
    Ok(())
}
