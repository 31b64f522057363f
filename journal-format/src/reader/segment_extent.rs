//! How much of a segment's file is journal.

use std::path::PathBuf;

use crate::segment::SegmentName;

/// A segment's file, and how much of it is journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentExtent {
    pub path: PathBuf,
    pub name: SegmentName,
    /// Bytes; `None` where that cannot be told, as of one whose header is damaged: all of it then.
    pub end: Option<u64>,
}
