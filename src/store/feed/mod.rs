//! What stores are fed from: a journal, up to its watermark (R8).

mod budget;
mod contents;
mod journal;
#[cfg(test)]
#[path = "../tests/memory_feed.rs"]
pub(crate) mod memory;

use std::error::Error;
use std::sync::Arc;

use crate::event::{Content, EventError, Kind, Recorded, Sequence};
use crate::fault::{Fault, Sorted};
use crate::journal::Mark;
use crate::journal::fault;

pub use journal::JournalFeed;
pub(super) use journal::step;

pub(in crate::store) use budget::{Budget, bytes_in};

/// Content at or below this is read whole; of more, its two ends. A store keeps no more.
pub const CONTENT_BYTES_MAX: u64 = 4 << 20;

#[derive(Debug)]
pub enum Step {
    Event(Arc<Recorded>),
    /// Everything so far is whole commits: a cursor may stand here.
    CommitEnd(Mark),
    /// An event that no store's rows depend on.
    Skipped(Sequence),
    Undecodable {
        sequence: Sequence,
        kind: Kind,
        error: EventError,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainAt {
    Is([u8; 32]),
    NoCommitEnd,
    /// The journal, as it is now, ends before.
    Beyond,
    /// The event there is lost: whoever has read it has what the journal lacks.
    Lost,
}

/// Reading the journal failed; the stores stay as they are.
#[derive(Debug, thiserror::Error)]
#[error("the journal could not be read")]
pub struct FeedError {
    pub source: Box<dyn Error + Send + Sync>,
}

impl Fault for FeedError {
    fn sorted(&self) -> Sorted {
        fault::of_causes(self)
    }
}

/// A journal's events as stores want them; may be read by a thread of its own.
pub trait Feed: Sync {
    fn journal(&self) -> [u8; 16];
    /// The last commit that stores may see.
    fn through(&self) -> Mark;
    /// The sequence before the first that could be here: nothing up to it is lost.
    fn begins_after(&self) -> Sequence {
        Sequence(0)
    }
    /// The same journal as of now: its last commit may be a later one.
    fn reopened(&self) -> Result<Box<dyn Feed + '_>, FeedError>;
    fn replay(&self, after: Sequence, through: Sequence) -> Result<Steps<'_>, FeedError>;
    /// An error where stores made of it would come to too much; asked at each step by who does not replay it.
    fn allows_more(&self) -> Result<(), FeedError> {
        Ok(())
    }
    fn get(&self, at: Sequence) -> Result<Option<Recorded>, FeedError>;
    /// What the chain is at a commit's last event, in the journal as it is now: a cursor that was
    /// read before is never held against an older view than its own.
    fn chain_at(&self, at: Sequence) -> Result<ChainAt, FeedError>;
    /// A content that lies elsewhere, as an inline one, or as its ends above
    /// [`CONTENT_BYTES_MAX`]. `None` where it cannot be read.
    fn content(&self, content: &Content) -> Option<Content>;
}

/// The steps of a replay. After an error it ends.
pub type Steps<'a> = Box<dyn Iterator<Item = Result<Step, FeedError>> + 'a>;
