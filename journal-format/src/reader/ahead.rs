//! Forward over a journal's entries, all but the first of them read by another thread.
//!
//! To find, check, decompress and hash what is recorded costs about what it costs to make something
//! of it: on two cores both are done at once.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};
use std::{io, mem};

use super::{CommitEnd, Entries, Entry, Item, ReadError};
use crate::scan::Finding;
use crate::storage::{SourceStorage, Storage};

/// So much is read before a thread is worth it.
const HERE_BYTES: usize = 1 << 20;
/// A batch is full with so many bytes of payloads, or so many items.
const BATCH_BYTES: usize = 256 << 10;
const BATCH_ITEMS: usize = 1024;
/// So does one that keeps so many buffers from being read into.
const BATCH_SHARED: usize = 4;
/// Batches that wait to be taken.
const BATCHES_MAX: usize = 2;
/// What an item counts for beside its payload.
const ITEM_BYTES: usize = 64;

/// As [`Entries`], and lends as that does. Its thread ends with it.
pub struct Ahead {
    source: Source,
    /// What is still read here.
    here: usize,
}

enum Source {
    Here(Box<dyn Forward>),
    There(There),
}

/// What is read forward, whatever it lies on.
pub(super) trait Forward: Send {
    fn path(&self) -> PathBuf;
    fn next(&mut self) -> Option<Result<Item<'_>, ReadError>>;
    fn fill(&mut self, batch: &mut Batch);
}

impl<S: Storage> Forward for Entries<S> {
    fn path(&self) -> PathBuf {
        self.path()
    }

    fn next(&mut self) -> Option<Result<Item<'_>, ReadError>> {
        self.next()
    }

    fn fill(&mut self, batch: &mut Batch) {
        while !batch.is_full() {
            let goes_on = self.run(|item, shared| {
                batch.push(item, shared);
                !batch.is_full()
            });
            batch.is_last = !goes_on;
        }
    }
}

impl Ahead {
    /// Of no other storage: so this is compiled here, for speed, and not where it is called.
    pub fn of(entries: Entries<SourceStorage>) -> Self {
        Self::behind(entries, HERE_BYTES)
    }

    /// As [`Self::of`], with a thread of its own behind so many bytes.
    pub(super) fn behind(entries: impl Forward + 'static, here: usize) -> Self {
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
        let (give, taken) = sync_channel::<Box<dyn Forward>>(1);
        let (full, batches) = sync_channel(BATCHES_MAX);
        let (empties, empty) = channel();
        let spawned = thread::Builder::new().name("annals-ahead".into()).spawn(move || {
            if let Ok(entries) = taken.recv() {
                read(entries, &full, &empty);
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
            let empty = mem::replace(&mut self.batch, next).emptied();
            // Who has read all needs no room.
            drop(self.empties.send(empty));
        }
        Some(match self.batch.items.pop_front()? {
            Kept::Entry(entry, place) => {
                Ok(Item::Entry(Entry { payload: self.batch.payload(place).into(), ..entry }))
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

/// Items one after the other, and what their payloads lie in.
#[derive(Default)]
pub(super) struct Batch {
    items: VecDeque<Kept>,
    /// As they were read, kept until the batch is empty: copied for another core, they cost a third of what
    /// finding and checking them does.
    shared: Vec<Arc<Vec<u8>>>,
    /// Payloads that lie in none of those, side by side.
    bytes: Vec<u8>,
    payload_bytes: usize,
    is_last: bool,
}

/// An item; the payload of an entry lies in its batch.
enum Kept {
    Entry(Entry<'static>, Place),
    Commit(CommitEnd),
    Finding(Finding),
    Error(ReadError),
}

enum Place {
    Shared(usize, Range<usize>),
    Own(Range<usize>),
}

impl Batch {
    fn push(&mut self, item: Result<Item<'_>, ReadError>, shared: Option<&Arc<Vec<u8>>>) {
        let kept = match item {
            Ok(Item::Entry(entry)) => {
                self.payload_bytes += entry.payload.len();
                let place = self.keep(&entry.payload, shared);
                Kept::Entry(entry.without_payload(), place)
            }
            Ok(Item::Commit(end)) => Kept::Commit(end),
            Ok(Item::Finding(finding)) => Kept::Finding(finding),
            Err(error) => Kept::Error(error),
        };
        self.items.push_back(kept);
    }

    fn keep(&mut self, payload: &[u8], shared: Option<&Arc<Vec<u8>>>) -> Place {
        if let Some(shared) = shared
            && let Some(range) = range_in(shared, payload)
        {
            if self.shared.last().is_none_or(|last| !Arc::ptr_eq(last, shared)) {
                self.shared.push(Arc::clone(shared));
            }
            return Place::Shared(self.shared.len() - 1, range);
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(payload);
        Place::Own(start..self.bytes.len())
    }

    fn payload(&self, place: Place) -> &[u8] {
        match place {
            Place::Shared(at, range) => &self.shared[at][range],
            Place::Own(range) => &self.bytes[range],
        }
    }

    fn is_full(&self) -> bool {
        self.is_last
            || self.payload_bytes >= BATCH_BYTES
            || self.items.len() >= BATCH_ITEMS
            || self.shared.len() >= BATCH_SHARED
    }

    /// Its room for another, unless that is more than one needs; what is shared is let go.
    fn emptied(mut self) -> Self {
        self.shared.clear();
        self.bytes.clear();
        if self.bytes.capacity() > 2 * BATCH_BYTES {
            self.bytes = Vec::new();
        }
        self.payload_bytes = 0;
        self
    }
}

/// Where a part lies in a whole, if it does.
fn range_in(whole: &[u8], part: &[u8]) -> Option<Range<usize>> {
    let start = part.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
    let end = start.checked_add(part.len())?;
    (end <= whole.len()).then_some(start..end)
}

fn read(mut entries: Box<dyn Forward>, full: &SyncSender<Batch>, empty: &Receiver<Batch>) {
    let mut ended = false;
    while !ended {
        let mut batch = empty.try_recv().unwrap_or_default();
        entries.fill(&mut batch);
        let is_last = batch.is_last;
        ended = full.send(batch).is_err() || is_last;
    }
}
