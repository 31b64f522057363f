//! One commit, in place.

use std::borrow::Cow;

use crate::frame::{FrameHeader, PayloadError, layout, leaf, open_payload};
use crate::units::{Mark, Offset, Sequence};

/// Whether a commit continues the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainCheck {
    /// Recomputed, and the same.
    Holds,
    /// Recomputed, and not the same.
    Broken,
    /// Cannot be recomputed: one of its frames, or the end of the commit before, is damaged.
    Unknown,
    /// Cannot be recomputed: a payload was redacted. The leaf vouches for it.
    Redacted,
    /// Was not asked for.
    Unchecked,
}

/// A sound frame in a commit.
#[derive(Clone, Copy, Debug)]
pub struct FrameRef {
    /// From the commit's first byte.
    pub at: usize,
    pub header: FrameHeader,
}

/// One commit, in place: its sound frames, and whether they are all of it.
#[derive(Clone, Copy, Debug)]
pub struct CommitView<'a> {
    /// Where `bytes` lie in the segment.
    pub offset: Offset,
    pub bytes: &'a [u8],
    pub frames: &'a [FrameRef],
    /// Every frame of the commit is here.
    pub whole: bool,
    pub chain: ChainCheck,
    /// Its end; `None` where its last frame is damaged.
    pub mark: Option<Mark>,
    /// What its trailer vouches for.
    pub durable: Sequence,
    /// A finding told of bytes in it.
    pub damaged: bool,
}

impl<'a> CommitView<'a> {
    /// Whether it is what one append writes: whole, and its sequences one after the other. One that
    /// a finding tells of already is not held to this.
    pub fn is_well_formed(&self) -> bool {
        let mut pairs = self.frames.windows(2);
        let one_by_one =
            pairs.all(|pair| pair[1].header.sequence == pair[0].header.sequence.next());
        let control = self.frames.iter().any(|frame| frame.header.is_control());
        self.damaged || (self.whole && one_by_one && (!control || self.frames.len() == 1))
    }

    /// The stored bytes of a frame's payload.
    pub fn stored(&self, frame: &FrameRef) -> &'a [u8] {
        let start = frame.at + layout::HEADER_BYTES;
        &self.bytes[start..start + frame.header.payload_bytes as usize]
    }

    /// The bytes of a frame's body behind its payload.
    pub fn rest(&self, frame: &FrameRef) -> &'a [u8] {
        let body = frame.at + layout::HEADER_BYTES;
        let payload_bytes = frame.header.payload_bytes as usize;
        &self.bytes[body + payload_bytes..body + layout::body_bytes(payload_bytes)]
    }

    /// A frame's payload as it was recorded.
    pub fn payload(&self, frame: &FrameRef) -> Result<Cow<'a, [u8]>, PayloadError> {
        open_payload(&frame.header, self.stored(frame))
    }

    /// What stands for a frame in a tree, redacted or not.
    pub fn leaf(&self, frame: &FrameRef) -> [u8; 32] {
        leaf(&self.bytes[frame.at..])
    }

    /// Where a frame lies in the segment.
    pub fn offset_of(&self, frame: &FrameRef) -> Offset {
        Offset(self.offset.0 + frame.at as u64)
    }
}
