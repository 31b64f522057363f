//! Reading a journal: lock-free, never writing, on a folder or on one segment alone.
//!
//! [`Reader`] lists the segments and answers for places; [`Entries`] and [`EntriesBack`] run
//! forward and backward, [`Ahead`] with a second thread. What is wrong with the journal comes as a [`Finding`] between the
//! entries, at its place; an error means that the disk did not answer.
//!
//! [`Finding`]: crate::scan::Finding

mod ahead;
mod back_commit;
mod bookmark;
mod catalog;
mod entries;
mod entries_back;
mod entry;
mod item;
mod listed;
mod lock_state;
mod lost_nonce;
mod read_error;
#[expect(clippy::module_inception, reason = "the folder is named for its main type")]
mod reader;
mod segment_extent;
mod source;
mod state;
mod tail_lock;
mod walk;
mod walk_begin;
mod walk_tail;
mod waypoints;

pub use ahead::Ahead;
pub use bookmark::Bookmark;
pub use entries::Entries;
pub use entries_back::EntriesBack;
pub use entry::{Entry, OwnedEntry};
pub use item::{CommitEnd, Item};
pub use listed::{Listed, SegmentSummary, Standing};
pub use lock_state::LockState;
pub use read_error::ReadError;
pub use reader::Reader;
pub use segment_extent::SegmentExtent;

pub(crate) use catalog::Catalog;
pub(crate) use walk::{Walk, WalkOptions, WalkStep};
pub(crate) use waypoints::Waypoint;

#[cfg(test)]
pub(crate) mod tests;
