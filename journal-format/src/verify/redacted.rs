//! Commits that hold redacted frames: what of them whoever knows the orders can hold to those.

use super::VerifyReport;
use crate::frame::{Flags, LeafParts, kind};
use crate::limits::REDACTED_COMMITS_MAX;
use crate::reader::{ReadError, Walk};
use crate::scan::CommitView;
use crate::storage::Storage;
use crate::units::{Chain, Position, SegmentNumber, Sequence};

/// A commit with at least one redacted frame: its chain says nothing any more.
#[derive(Clone, Debug)]
pub struct RedactedCommit {
    pub at: Position,
    pub first: Sequence,
    /// The chain at the end of the commit before it; `None` where something there does not hold, or was not read.
    pub before: Option<Chain>,
    /// Its event frames.
    pub frames: Vec<RedactedFrame>,
}

/// A frame of such a commit, redacted or not.
#[derive(Clone, Copy, Debug)]
pub struct RedactedFrame {
    pub at: Position,
    pub sequence: Sequence,
    pub kind: u16,
    pub bytes: u64,
    pub is_redacted: bool,
    /// What its leaf is made of.
    pub leaf: LeafParts,
}

impl RedactedCommit {
    /// `None` where none of its frames is redacted.
    pub(super) fn of(
        commit: &CommitView<'_>,
        segment: SegmentNumber,
        before: Option<Chain>,
    ) -> Option<Self> {
        let is_redacted = |flags: Flags| flags.has(Flags::REDACTED);
        if !commit.frames.iter().any(|frame| is_redacted(frame.header.flags)) {
            return None;
        }
        let events = commit.frames.iter().filter(|frame| !kind::is_control(frame.header.kind));
        let frames: Vec<_> = events
            .map(|frame| RedactedFrame {
                at: Position { segment, offset: commit.offset_of(frame) },
                sequence: frame.header.sequence,
                kind: frame.header.kind,
                bytes: frame.header.frame_bytes() as u64,
                is_redacted: is_redacted(frame.header.flags),
                leaf: LeafParts::of(&commit.bytes[frame.at..]),
            })
            .collect();
        let first = frames.first()?.sequence;
        let at = Position { segment, offset: commit.offset };
        Some(Self { at, first, before, frames })
    }
}

impl VerifyReport {
    /// Notes a commit that holds redacted frames; answers the chain that the next one goes on from.
    pub(super) fn take_redacted<S: Storage>(
        &mut self,
        walk: &mut Walk<S>,
        before: Option<Chain>,
    ) -> Result<Option<Chain>, ReadError> {
        let number = self.segments[walk.segment()].summary.number;
        let Some(commit) = walk.commit() else { return Ok(before) };
        let commit = commit?;
        if commit.frames.iter().all(|frame| frame.header.is_control()) {
            return Ok(before);
        }
        let redacted = RedactedCommit::of(&commit, number, before);
        let has_room = self.redacted_commits.len() < REDACTED_COMMITS_MAX;
        self.redacted_commits.extend(redacted.filter(|_| has_room));
        Ok(commit.mark.map(|mark| mark.chain))
    }
}
