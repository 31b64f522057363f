//! What inspecting shows.

use crate::frame::{FrameHeader, PayloadError};
use crate::reader::SegmentSummary;
use crate::scan::{ChainCheck, EndCause, Finding};
use crate::units::{Mark, Offset, Position, SegmentNumber, Sequence};

/// One thing in a journal, in the order it lies there.
#[derive(Clone, Debug)]
pub enum Inspected {
    Segment(Box<SegmentSummary>),
    Frame(FrameSummary),
    /// The commit whose frames came before.
    Commit(CommitSummary),
    Finding(Finding),
    End(SegmentEnd),
}

/// A valid frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameSummary {
    pub at: Position,
    pub header: FrameHeader,
    /// Bytes of the whole frame.
    pub frame_bytes: u64,
    /// Bytes of the payload as recorded, or why it does not open.
    pub payload_bytes: Result<u64, PayloadError>,
}

/// A commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommitSummary {
    pub at: Position,
    pub bytes: u64,
    pub frames: usize,
    pub whole: bool,
    pub chain: ChainCheck,
    /// `None` where its last frame is damaged.
    pub mark: Option<Mark>,
    pub durable: Sequence,
}

/// Where and why a segment ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentEnd {
    pub segment: SegmentNumber,
    pub cause: EndCause,
    pub offset: Offset,
}
