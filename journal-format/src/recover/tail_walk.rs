//! From a known commit end to the journal's end, every bad byte judged.

use std::io;

use crate::scan::{EndCause, Finding, SegmentScan, Step, Window};
use crate::segment::SegmentHeader;
use crate::storage::StorageFile;
use crate::units::{Mark, Offset, Sequence};

/// The end of a commit in the active segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommitEnd {
    pub offset: Offset,
    pub mark: Mark,
}

/// What stands between a known commit end and the end of the active segment.
#[derive(Debug)]
pub struct TailWalk {
    /// Where the next commit goes.
    pub end: Offset,
    /// Where the last event commit starts, and what it ends with.
    pub commit: Offset,
    pub mark: Mark,
    /// The lowest sequence never seen here.
    pub next: Sequence,
    /// The highest sequence that a commit here vouches for.
    pub durable: Sequence,
    /// The last commit ends, in order: at most [`ENDS_MAX`].
    pub ends: Vec<CommitEnd>,
    /// A ROLL or SEAL commit stands at the end.
    pub closed: bool,
    pub findings: Vec<Finding>,
}

/// Commit ends that are remembered until they are proven.
pub const ENDS_MAX: usize = 1024;

impl TailWalk {
    /// Walks from `start`; `witness` is the highest sequence known to have been on disk.
    pub fn new<F: StorageFile>(
        file: &F,
        header: &SegmentHeader,
        start: CommitEnd,
        witness: Sequence,
    ) -> io::Result<Self> {
        let window = Window::new(file)?;
        let mut scan = SegmentScan::resume(window, header, None, witness, start.offset, start.mark);
        let mut walk = Self {
            end: start.offset,
            commit: start.offset,
            mark: start.mark,
            next: start.mark.sequence.next(),
            durable: Sequence(0),
            ends: Vec::new(),
            closed: false,
            findings: Vec::new(),
        };
        while let Some(step) = scan.next_step()? {
            match step {
                Step::Finding(finding) => walk.findings.push(finding),
                Step::Commit(commit) => {
                    let is_event = commit.frames.iter().any(|frame| !frame.header.is_control());
                    if !is_event {
                        // Without a mark of its own: it is where the next commit would go.
                        walk.end = commit.offset;
                        continue;
                    }
                    walk.commit = commit.offset;
                    walk.end = Offset(commit.offset.0 + commit.bytes.len() as u64);
                    if let Some(mark) = commit.mark {
                        walk.mark = mark;
                        walk.ends.push(CommitEnd { offset: walk.end, mark });
                        if walk.ends.len() >= 2 * ENDS_MAX {
                            walk.ends.drain(..ENDS_MAX);
                        }
                    }
                }
            }
        }
        let end = scan.end();
        walk.closed = matches!(end.cause, EndCause::Roll | EndCause::Seal);
        if !walk.closed {
            walk.end = walk.behind_all(end.offset);
            walk.mark = end.mark;
        }
        walk.next = end.next_sequence;
        walk.durable = end.durable;
        Ok(walk)
    }

    /// Where a commit is met by every reader: at a multiple of 8, and behind the whole of a frame that
    /// the file ends in, since its header still claims all of it.
    fn behind_all(&self, end: Offset) -> Offset {
        let kept = self.findings.iter().filter(|finding| !finding.verdict.is_cut());
        let ends = kept.map(|finding| finding.at.offset.0 + finding.bytes);
        Offset(ends.fold(end.0, u64::max).next_multiple_of(8))
    }
}
