//! Forward over a journal's entries, all but the first of them read by another thread.
//!
//! To find, check, decompress and hash what is recorded costs about what it costs to make something
//! of it: on two cores both are done at once.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};
use std::{io, mem};

use super::{CommitEnd, Entries, Entry, Item, ReadError};
use crate::scan::Finding;
use crate::storage::Storage;

/// So much is read before a thread is worth it.
const HERE_BYTES: usize = 1 << 20;
/// A batch is full with so many payload bytes, or so many items.
const BATCH_BYTES: usize = 256 << 10;
const BATCH_ITEMS: usize = 1024;
/// Batches that wait to be taken.
const BATCHES_MAX: usize = 2;
/// What an item counts for beside its payload.
const ITEM_BYTES: usize = 64;

/// As [`Entries`], and lends as that does. Its thread ends with it.
pub struct Ahead<S: Storage> {
    source: Source<S>,
    /// What is still read here.
    here: usize,
}

enum Source<S: Storage> {
    Here(Box<Entries<S>>),
    There(There),
}

impl<S: Storage> Ahead<S> {
    pub fn of(entries: Entries<S>) -> Self {
        Self::behind(entries, HERE_BYTES)
    }

    /// As [`Self::of`], with a thread of its own behind so many bytes.
    pub(super) fn behind(entries: Entries<S>, here: usize) -> Self {
        Self { source: Source::Here(Box::new(entries)), here }
    }

    /// The next item, as [`Entries::next`] gives it.
    #[expect(clippy::should_implement_trait, reason = "it lends: Iterator cannot say that")]
    pub fn next(&mut self) -> Option<Result<Item<'_>, ReadError>> {
        if self.here == 0 {
            self.go_ahead();
        }
        match &mut self.source {
            Source::There(there) => there.next(),
            Source::Here(entries) => {
                let item = entries.next();
                if let Some(Ok(Item::Entry(entry))) = &item {
                    self.here = self.here.saturating_sub(entry.payload.len() + ITEM_BYTES);
                }
                item
            }
        }
    }

    /// Has another thread read the rest; where none is to be had it is read here.
    fn go_ahead(&mut self) {
        self.here = usize::MAX;
        let Source::Here(entries) = &self.source else { return };
        if thread::available_parallelism().map_or(1, usize::from) < 2 {
            return;
        }
        let path = entries.path();
        let (give, taken) = sync_channel::<Box<Entries<S>>>(1);
        let (full, batches) = sync_channel(BATCHES_MAX);
        let (empties, empty) = channel();
        let spawned = thread::Builder::new().name("annals-ahead".into()).spawn(move || {
            if let Ok(entries) = taken.recv() {
                read(*entries, &full, &empty);
            }
        });
        let Ok(thread) = spawned else { return };
        let (thread, batches, batch) = (Some(thread), Some(batches), Batch::default());
        let there = There { thread, batches, empties, batch, path };
        if let Source::Here(entries) = mem::replace(&mut self.source, Source::There(there)) {
            // Nobody there to take it has panicked, which the next item says.
            drop(give.send(entries));
        }
    }
}

/// Where the thread's batches come from.
struct There {
    thread: Option<JoinHandle<()>>,
    batches: Option<Receiver<Batch>>,
    empties: Sender<Batch>,
    batch: Batch,
    path: PathBuf,
}

impl There {
    fn next(&mut self) -> Option<Result<Item<'_>, ReadError>> {
        while self.batch.items.is_empty() {
            if self.batch.is_last {
                return None;
            }
            // Nothing comes from a thread that is gone, and only a panic ends it before its last batch.
            let Some(next) = self.batches.as_ref().and_then(|it| it.recv().ok()) else {
                self.batch.is_last = true;
                let source = io::Error::other("the thread that read it panicked");
                return Some(Err(ReadError::Io { path: self.path.clone(), did: "read", source }));
            };
            let empty = mem::replace(&mut self.batch, next);
            // Who has read all needs no room.
            drop(self.empties.send(empty));
        }
        Some(match self.batch.items.pop_front()? {
            Kept::Entry(entry, payload) => {
                Ok(Item::Entry(Entry { payload: self.batch.bytes[payload].into(), ..entry }))
            }
            Kept::Commit(end) => Ok(Item::Commit(end)),
            Kept::Finding(finding) => Ok(Item::Finding(finding)),
            Kept::Error(error) => Err(error),
        })
    }
}

impl Drop for There {
    fn drop(&mut self) {
        // Its next batch finds nobody: then it ends. A panic has been told by the last item.
        drop(self.batches.take());
        drop(self.thread.take().map(JoinHandle::join));
    }
}

/// Items one after the other, their payloads side by side.
#[derive(Default)]
struct Batch {
    items: VecDeque<Kept>,
    bytes: Vec<u8>,
    is_last: bool,
}

/// An item; the payload of an entry lies in its batch.
enum Kept {
    Entry(Entry<'static>, Range<usize>),
    Commit(CommitEnd),
    Finding(Finding),
    Error(ReadError),
}

impl Batch {
    fn push(&mut self, item: Result<Item<'_>, ReadError>) {
        self.items.push_back(match item {
            Ok(Item::Entry(entry)) => {
                let start = self.bytes.len();
                self.bytes.extend_from_slice(&entry.payload);
                Kept::Entry(entry.without_payload(), start..self.bytes.len())
            }
            Ok(Item::Commit(end)) => Kept::Commit(end),
            Ok(Item::Finding(finding)) => Kept::Finding(finding),
            Err(error) => Kept::Error(error),
        });
    }

    fn is_full(&self) -> bool {
        self.is_last || self.bytes.len() >= BATCH_BYTES || self.items.len() >= BATCH_ITEMS
    }

    /// Its room for another, unless that is more than one needs.
    fn emptied(mut self) -> Self {
        self.bytes.clear();
        if self.bytes.capacity() > 2 * BATCH_BYTES {
            self.bytes = Vec::new();
        }
        self
    }
}

fn read<S: Storage>(mut entries: Entries<S>, full: &SyncSender<Batch>, empty: &Receiver<Batch>) {
    let mut ended = false;
    while !ended {
        let mut batch = empty.try_recv().map(Batch::emptied).unwrap_or_default();
        while !batch.is_full() {
            match entries.next() {
                Some(item) => batch.push(item),
                None => batch.is_last = true,
            }
        }
        let is_last = batch.is_last;
        ended = full.send(batch).is_err() || is_last;
    }
}
