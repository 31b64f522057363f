//! The walk over one segment.

use std::io;
use std::sync::Arc;

use super::shown::Shown;
use super::{Bytes, ChainCheck, CommitView, EndCause, Finding, FrameRef, Lookahead, ScanEnd};
use crate::chain;
use crate::frame::{CrcSeed, Flags, FrameHeader, FrameView, Trailer, kind, layout};
use crate::limits::{COMMIT_BYTES_MAX, COMMIT_FRAMES_MAX, HEADER_PAGE_BYTES};
use crate::segment::SegmentHeader;
use crate::units::{Mark, Offset, SegmentNumber, Sequence};

/// What a scan found next.
#[derive(Debug)]
pub enum Step<'a> {
    Commit(CommitView<'a>),
    Finding(Finding),
}

/// A walk over one segment, commit by commit. Never writes, never reads past its bound, and
/// holds no more than one commit.
#[derive(Debug)]
pub struct SegmentScan<B> {
    pub(super) bytes: B,
    pub(super) seed: CrcSeed,
    pub(super) segment: SegmentNumber,
    /// Where the segment's bytes end: the successor's bound, or the file's length.
    pub(super) end: Offset,
    pub(super) bounded: bool,
    pub(super) check_chain: bool,
    pub(super) end_at_zeros: bool,
    /// The highest sequence that anything outside this segment vouches for.
    pub(super) witness: Sequence,
    pub(super) at: Offset,
    pub(super) mark: Mark,
    pub(super) chain_known: bool,
    pub(super) last: Sequence,
    pub(super) seen: Sequence,
    pub(super) durable: Sequence,
    pub(super) lookahead: Option<Lookahead>,
    pub(super) commit_at: Offset,
    pub(super) frames: Vec<FrameRef>,
    pub(super) damaged: bool,
    /// The commit at hand ends here, its last frame lost.
    pub(super) must_close: bool,
    /// The commit at hand was shown; the next step begins another.
    pub(super) shown: Option<Shown>,
    pub(super) tail_told: bool,
    pub(super) ended: Option<EndCause>,
}

impl<B: Bytes> SegmentScan<B> {
    /// A scan from the segment's first frame.
    ///
    /// `bound` is where the successor's header says this segment ends; `witness` the highest
    /// sequence that a successor or the tail slot vouches for (0 where nothing does).
    pub fn new(bytes: B, header: &SegmentHeader, bound: Option<Offset>, witness: Sequence) -> Self {
        let start = Mark {
            sequence: Sequence(header.first_sequence.0.saturating_sub(1)),
            chain: if header.number.0 == 0 {
                chain::genesis(header.journal)
            } else {
                header.previous.chain
            },
        };
        Self::resume(bytes, header, bound, witness, Offset(HEADER_PAGE_BYTES), start)
    }

    /// A scan from the end of a commit that is already known.
    pub fn resume(
        bytes: B,
        header: &SegmentHeader,
        bound: Option<Offset>,
        witness: Sequence,
        at: Offset,
        mark: Mark,
    ) -> Self {
        let len = bytes.len();
        Self {
            bytes,
            seed: CrcSeed::new(&header.nonce),
            segment: header.number,
            end: Offset(bound.map_or(len, |bound| bound.0.min(len))),
            bounded: bound.is_some(),
            check_chain: true,
            end_at_zeros: false,
            witness,
            at,
            mark,
            chain_known: true,
            last: mark.sequence,
            seen: mark.sequence,
            durable: Sequence(0),
            lookahead: None,
            commit_at: at,
            frames: Vec::new(),
            damaged: false,
            must_close: false,
            shown: None,
            tail_told: false,
            ended: None,
        }
    }

    /// Leaves the chain unchecked: commits then say [`ChainCheck::Unchecked`].
    #[must_use]
    pub fn without_chain(mut self) -> Self {
        self.check_chain = false;
        self
    }

    /// Takes zeros between two commits for the end, where no successor says that it lies elsewhere,
    /// and leaves what stands behind them unread.
    #[must_use]
    pub fn ending_at_zeros(mut self) -> Self {
        self.end_at_zeros = true;
        self
    }

    /// The next commit or finding; `None` at the end, which [`Self::end`] then describes.
    pub fn next_step(&mut self) -> io::Result<Option<Step<'_>>> {
        if self.shown.take().is_some() {
            self.begin_commit();
        }
        loop {
            if self.ended.is_some() {
                return Ok(None);
            }
            if self.must_close {
                if !self.frames.is_empty() {
                    return self.close(None).map(Some);
                }
                self.chain_known = false;
                self.mark.sequence = self.last;
                self.begin_commit();
            }
            let at = self.at;
            let Some((header, whole)) = self.frame_here()? else {
                if self.end_at_zeros && self.stands_before_zeros()? {
                    self.ended = Some(EndCause::Clean);
                    return Ok(None);
                }
                match self.no_header()? {
                    Some(finding) => return Ok(Some(Step::Finding(finding))),
                    None => continue,
                }
            };
            if header.is_first() && (!self.frames.is_empty() || self.damaged) {
                // The commit before lost its last frame.
                self.must_close = true;
                continue;
            }
            let whole = whole.map_or_else(|| self.whole_frame_here(&header), Ok)?;
            let Some(trailer) = whole else {
                return self.bad_frame(&header).map(|finding| Some(Step::Finding(finding)));
            };
            self.seen = self.seen.max(top(&header));
            if !header.is_control() && header.sequence <= self.last {
                return Ok(Some(Step::Finding(self.out_of_order(&header))));
            }
            self.frames.push(FrameRef { at: (at.0 - self.commit_at.0) as usize, header });
            self.at = Offset(at.0 + header.frame_bytes() as u64);
            self.last = self.last.max(top(&header));
            if trailer.is_some() {
                return self.close(trailer).map(Some);
            }
            let too_long = self.at.0 - self.commit_at.0 > COMMIT_BYTES_MAX;
            if too_long || self.frames.len() >= COMMIT_FRAMES_MAX {
                self.must_close = true;
            }
        }
    }

    /// Where and why the scan ended; meaningful once [`Self::next_step`] gave `None`.
    pub fn end(&self) -> ScanEnd {
        ScanEnd {
            cause: self.ended.unwrap_or(EndCause::Clean),
            offset: self.at,
            mark: self.mark,
            next_sequence: self.seen.max(self.last).next(),
            durable: self.durable,
            chain_known: self.chain_known,
        }
    }

    /// What the commit that was shown lies in, where that can be kept.
    pub fn shared(&self) -> Option<&Arc<Vec<u8>>> {
        self.bytes.shared()
    }

    /// The bytes given back, for another scan over the same file.
    pub fn into_bytes(self) -> B {
        self.bytes
    }

    fn begin_commit(&mut self) {
        self.commit_at = self.at;
        self.frames.clear();
        self.damaged = false;
        self.must_close = false;
    }

    /// The bytes from the commit's start, at least up to `want` bytes past where the walk stands.
    fn bytes_here(&mut self, want: usize) -> io::Result<&[u8]> {
        let walked = (self.at.0 - self.commit_at.0) as usize;
        let bytes = slice(&mut self.bytes, self.commit_at, walked + want, self.end)?;
        Ok(bytes.get(walked..).unwrap_or_default())
    }

    /// The header that stands here, and what [`Self::whole_frame_here`] says where all of its frame is at hand.
    fn frame_here(&mut self) -> io::Result<Option<(FrameHeader, Option<Whole>)>> {
        let (seed, at) = (self.seed, self.at);
        let bytes = self.bytes_here(layout::HEADER_BYTES)?;
        Ok(FrameHeader::parse(bytes, &seed, at).map(|header| {
            let frame = bytes.get(..header.frame_bytes());
            (header, frame.map(|frame| whole(&header, frame, &seed, at)))
        }))
    }

    fn whole_frame_here(&mut self, header: &FrameHeader) -> io::Result<Whole> {
        let (seed, at) = (self.seed, self.at);
        Ok(whole(header, self.bytes_here(header.frame_bytes())?, &seed, at))
    }

    /// Ends the commit at hand and shows it.
    fn close(&mut self, trailer: Option<Trailer>) -> io::Result<Step<'_>> {
        let start = self.commit_at;
        let commit_bytes = (self.at.0 - start.0) as usize;
        let whole = !self.damaged
            && trailer.is_some_and(|trailer| trailer.commit_bytes == commit_bytes as u64)
            && self.frames.first().is_some_and(|frame| {
                frame.header.is_first()
                    && trailer.is_some_and(|it| it.first_sequence == frame.header.sequence)
            });
        let redacted = self.frames.iter().any(|frame| frame.header.flags.has(Flags::REDACTED));
        let chain = match trailer {
            _ if !self.check_chain => ChainCheck::Unchecked,
            Some(trailer) if whole && !redacted => {
                let bytes = slice(&mut self.bytes, start, commit_bytes, self.end)?;
                let chained = layout::chained_bytes(commit_bytes);
                if chain::link(self.mark.chain, &bytes[..chained]) == trailer.chain {
                    ChainCheck::Holds
                } else if self.chain_known {
                    ChainCheck::Broken
                } else {
                    ChainCheck::Unknown
                }
            }
            Some(_) if redacted => ChainCheck::Redacted,
            _ => ChainCheck::Unknown,
        };
        let mark = trailer.map(|trailer| Mark { sequence: self.last, chain: trailer.chain });
        match mark {
            Some(mark) => self.mark = mark,
            None => self.mark.sequence = self.last,
        }
        self.chain_known = mark.is_some();
        let durable = trailer.map_or(Sequence(0), |trailer| trailer.durable);
        self.durable = self.durable.max(durable);
        if whole {
            self.ended = match self.frames.last().map(|frame| frame.header.kind) {
                Some(kind::ROLL) => Some(EndCause::Roll),
                Some(kind::SEAL) => Some(EndCause::Seal),
                _ => None,
            };
        }
        let damaged = self.damaged || trailer.is_none() && self.tail_told;
        self.shown = Some(Shown { whole, chain, mark, durable, damaged });
        self.commit().map(Step::Commit)
    }
}

/// `None` where the frame does not hold; else its trailer, if it has one.
type Whole = Option<Option<Trailer>>;

fn whole(header: &FrameHeader, bytes: &[u8], seed: &CrcSeed, at: Offset) -> Whole {
    FrameView::with_header(*header, bytes, seed, at).ok().map(|frame| frame.trailer)
}

pub(super) fn top(header: &FrameHeader) -> Sequence {
    if header.is_control() {
        Sequence(header.sequence.0.saturating_sub(1))
    } else {
        header.sequence
    }
}

pub(super) fn slice<B: Bytes>(
    bytes: &mut B,
    at: Offset,
    want: usize,
    end: Offset,
) -> io::Result<&[u8]> {
    let room = usize::try_from(end.0.saturating_sub(at.0)).unwrap_or(usize::MAX);
    let bytes = bytes.bytes(at.0, want.min(room))?;
    Ok(&bytes[..bytes.len().min(room)])
}
