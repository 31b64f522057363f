//! A bound on what a journal that somebody handed over may cost in the cache: a few megabytes can be made
//! to tell of gigabytes.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::entry::Entry;
use crate::event::{Content, Recorded, Sequence};
use crate::journal::Mark;
use crate::store::feed::{ChainAt, Step, Steps};
use crate::store::{Feed, FeedError};

/// What stores may come to however small the journal, and for each of its bytes.
const BYTES_MIN: u64 = 128 << 20;
const BYTES_PER_BYTE: u64 = 32;
/// So many steps, or bytes of content, are fed between two looks at the folder.
const STEPS: u64 = 256;
const CONTENT_BYTES: u64 = 8 << 20;

/// A feed that ends with an error once the stores made of it are too large.
pub(super) struct Budget<'f> {
    feed: &'f dyn Feed,
    folder: PathBuf,
    pub bytes_max: u64,
    steps: AtomicU64,
    content_bytes: AtomicU64,
    is_over: AtomicBool,
}

/// Why the feed ended.
#[derive(Debug, thiserror::Error)]
#[error("the stores made of it come to more than {bytes_max} bytes")]
struct OverBudget {
    bytes_max: u64,
}

impl<'f> Budget<'f> {
    /// For stores in `folder`, made of a journal of so many bytes.
    pub fn of(feed: &'f dyn Feed, folder: &Path, journal_bytes: u64) -> Self {
        let bytes_max = BYTES_MIN.saturating_add(journal_bytes.saturating_mul(BYTES_PER_BYTE));
        let (steps, content_bytes) = (AtomicU64::new(0), AtomicU64::new(0));
        let (folder, is_over) = (folder.to_owned(), AtomicBool::new(false));
        Self { feed, folder, bytes_max, steps, content_bytes, is_over }
    }

    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    fn look(&self) -> Result<(), FeedError> {
        let due = self.steps.fetch_add(1, Ordering::Relaxed).is_multiple_of(STEPS)
            || self.content_bytes.load(Ordering::Relaxed) > CONTENT_BYTES;
        if due {
            self.content_bytes.store(0, Ordering::Relaxed);
            // What cannot be measured now can be the next time.
            let bytes = Entry::about(&self.folder).map_or(0, |(_, bytes)| bytes);
            if bytes > self.bytes_max {
                self.is_over.store(true, Ordering::Relaxed);
            }
        }
        match self.is_over() {
            true => {
                let source = Box::new(OverBudget { bytes_max: self.bytes_max });
                Err(FeedError { source })
            }
            false => Ok(()),
        }
    }
}

impl Feed for Budget<'_> {
    fn journal(&self) -> [u8; 16] {
        self.feed.journal()
    }

    fn through(&self) -> Mark {
        self.feed.through()
    }

    fn begins_after(&self) -> Sequence {
        self.feed.begins_after()
    }

    fn reopened(&self) -> Result<Box<dyn Feed + '_>, FeedError> {
        Ok(Box::new(self))
    }

    fn replay(&self, after: Sequence, through: Sequence) -> Result<Steps<'_>, FeedError> {
        let steps = self.feed.replay(after, through)?;
        Ok(Box::new(steps.map(|step: Result<Step, FeedError>| self.look().and(step))))
    }

    fn get(&self, at: Sequence) -> Result<Option<Recorded>, FeedError> {
        self.feed.get(at)
    }

    fn chain_at(&self, at: Sequence) -> Result<ChainAt, FeedError> {
        self.feed.chain_at(at)
    }

    fn content(&self, content: &Content) -> Option<Content> {
        let found = self.feed.content(content);
        if let Some(Content::Inline(bytes)) = &found {
            self.content_bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        }
        found
    }
}
