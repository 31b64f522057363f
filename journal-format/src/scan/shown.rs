//! The commit that a scan stands on, shown again and again; and what lets a scan stop and go on.

use std::io;

use super::segment_scan::slice;
use super::{Bytes, ChainCheck, CommitView, SegmentScan};
use crate::units::{Mark, Offset, Sequence};

/// What a scan knows of the commit that it last showed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    pub whole: bool,
    pub chain: ChainCheck,
    pub mark: Option<Mark>,
    pub durable: Sequence,
    pub damaged: bool,
}

impl<B: Bytes> SegmentScan<B> {
    /// The commit that the last step showed, once more; an empty one after any other step.
    pub fn commit(&mut self) -> io::Result<CommitView<'_>> {
        let nothing = Shown {
            whole: false,
            chain: ChainCheck::Unknown,
            mark: None,
            durable: Sequence(0),
            damaged: false,
        };
        let start = self.commit_at;
        let commit_bytes = if self.shown.is_some() { (self.at.0 - start.0) as usize } else { 0 };
        let shown = self.shown.unwrap_or(nothing);
        let bytes = slice(&mut self.bytes, start, commit_bytes, self.end)?;
        let frames = if self.shown.is_some() { self.frames.as_slice() } else { &[] };
        Ok(CommitView {
            offset: start,
            bytes: &bytes[..commit_bytes.min(bytes.len())],
            frames,
            whole: shown.whole,
            chain: shown.chain,
            mark: shown.mark,
            durable: shown.durable,
            damaged: shown.damaged,
        })
    }

    /// The chain where this scan begins is not known: its first commit cannot be checked.
    #[must_use]
    pub fn with_chain_unknown(mut self) -> Self {
        self.chain_known = false;
        self
    }

    /// Where the zeros that end the segment begin, as far as the scan had to look ahead: what
    /// lies before was judged with all of it in view.
    pub fn judged_to(&self) -> Option<Offset> {
        self.lookahead.map(|look| look.zeros_from)
    }
}
