//! The walk that shows everything.

use std::path::Path;
use std::sync::Arc;

use super::{CommitSummary, FrameSummary, Inspected, SegmentEnd};
use crate::frame::{Flags, PayloadError};
use crate::reader::{Catalog, LockState, ReadError, Walk, WalkOptions, WalkStep};
use crate::storage::Storage;
use crate::units::Position;

/// Everything in a journal, one by one, in the order it lies there; holds one commit at a time.
/// An error ends its segment, not the walk.
pub struct Inspect<S: Storage> {
    walk: Walk<S>,
    catalog: Arc<Catalog>,
    /// Segments shown so far.
    segments: usize,
    /// The frame of the commit at hand that comes next.
    frame: Option<usize>,
    /// What the walk met and is shown after the segments before it.
    held: Option<WalkStep>,
}

impl<S: Storage> Inspect<S> {
    /// A journal's folder, or one segment.
    pub fn open(storage: S, path: &Path) -> Result<Self, ReadError> {
        let catalog = Arc::new(Catalog::read(&storage, path)?);
        let options =
            WalkOptions { chain: true, map: false, confirm: true, forgiving: true, brief: false };
        let walk = Walk::new(storage, Arc::clone(&catalog), options, 0, None);
        Ok(Self { walk, catalog, segments: 0, frame: None, held: None })
    }

    /// What was learned of the journal's lock so far.
    pub fn lock_state(&self) -> LockState {
        self.walk.lock_state()
    }

    fn advance(&mut self) -> Result<Option<Inspected>, ReadError> {
        loop {
            if let Some(frame) = self.frame {
                if let Some(shown) = self.in_commit(frame)? {
                    return Ok(Some(shown));
                }
                self.frame = None;
            }
            let step = match self.held.take() {
                Some(step) => Some(step),
                None => self.walk.step()?,
            };
            let reached = match step {
                None => self.catalog.segments.len(),
                Some(WalkStep::End(index, _)) => index + 1,
                // A finding about a segment that is passed over comes before the next begins.
                Some(WalkStep::Finding(_)) => self.segments,
                Some(WalkStep::Begin | WalkStep::Commit) => self.walk.segment() + 1,
            };
            if self.segments < reached {
                self.held = step;
                let segment = &self.catalog.segments[self.segments];
                self.segments += 1;
                return Ok(Some(Inspected::Segment(Box::new(segment.summary()))));
            }
            match step {
                None => return Ok(None),
                Some(WalkStep::Begin) => {}
                Some(WalkStep::Commit) => self.frame = Some(0),
                Some(WalkStep::Finding(finding)) => return Ok(Some(Inspected::Finding(finding))),
                Some(WalkStep::End(index, end)) => {
                    let segment = self.catalog.segments[index].name.number;
                    let (cause, offset) = (end.cause, end.offset);
                    return Ok(Some(Inspected::End(SegmentEnd { segment, cause, offset })));
                }
            }
        }
    }

    fn in_commit(&mut self, next: usize) -> Result<Option<Inspected>, ReadError> {
        let segment = self.catalog.segments.get(self.walk.segment()).map(|it| it.name.number);
        let (Some(segment), Some(commit)) = (segment, self.walk.commit()) else { return Ok(None) };
        let commit = commit?;
        if let Some(frame) = commit.frames.get(next) {
            let raw = u64::from(frame.header.payload_bytes);
            let compressed = frame.header.flags.has(Flags::COMPRESSED);
            let payload_bytes = match commit.payload(frame) {
                _ if !compressed => Ok(raw),
                Ok(payload) => Ok(payload.len() as u64),
                Err(PayloadError::Redacted) => Ok(raw),
                Err(error) => Err(error),
            };
            self.frame = Some(next + 1);
            return Ok(Some(Inspected::Frame(FrameSummary {
                at: Position { segment, offset: commit.offset_of(frame) },
                header: frame.header,
                frame_bytes: frame.header.frame_bytes() as u64,
                payload_bytes,
            })));
        }
        let summary = CommitSummary {
            at: Position { segment, offset: commit.offset },
            bytes: commit.bytes.len() as u64,
            frames: commit.frames.len(),
            whole: commit.whole,
            chain: commit.chain,
            mark: commit.mark,
            durable: commit.durable,
        };
        self.frame = None;
        Ok((next > 0).then_some(Inspected::Commit(summary)))
    }
}

impl<S: Storage> Iterator for Inspect<S> {
    type Item = Result<Inspected, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance().transpose()
    }
}
