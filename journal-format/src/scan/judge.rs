//! What to make of bytes that should be a frame and are not: the evidence for the verdict table.

use std::io;

use super::lookahead::next_header;
use super::segment_scan::top;
use super::verdict::{Evidence, Verdict, classify};
use super::{Bytes, EndCause, Finding, Lookahead, SegmentScan};
use crate::frame::{FrameHeader, layout};
use crate::limits::SECTOR_BYTES;
use crate::units::{Offset, Position, Sequence};

impl<B: Bytes> SegmentScan<B> {
    /// A header that holds over a frame that does not: the extent is exactly that frame.
    pub(super) fn bad_frame(&mut self, header: &FrameHeader) -> io::Result<Finding> {
        let look = self.lookahead()?;
        let frame_end = Offset(self.at.0 + header.frame_bytes() as u64);
        let verdict = classify(Evidence {
            unwritten: frame_end.0 > self.bytes.len() || self.is_unwritten(self.at, frame_end)?,
            witnessed: self.is_witnessed(&look, header.sequence),
            commit_after: look.last_commit_at > Some(self.at),
        });
        self.seen = self.seen.max(top(header));
        if verdict.is_cut() {
            return Ok(self.cut(verdict, &look, frame_end));
        }
        let lost = (!header.is_control()).then_some((header.sequence, header.sequence));
        let finding = self.finding(verdict, frame_end, lost, true);
        self.pass(frame_end, top(header));
        self.must_close = header.is_last();
        Ok(finding)
    }

    /// A sound frame that does not come after the one before it.
    pub(super) fn out_of_order(&mut self, header: &FrameHeader) -> Finding {
        let frame_end = Offset(self.at.0 + header.frame_bytes() as u64);
        let finding = self.finding(Verdict::OutOfOrder, frame_end, None, true);
        self.pass(frame_end, self.last);
        self.must_close = header.is_last();
        finding
    }

    /// No header here: the end of the segment, or an extent up to the next header. `None` where
    /// the walk goes on (or has ended) with nothing to tell.
    /// Whether a commit ended here and the rest of its sector, and a header's room, are zeros.
    pub(super) fn stands_before_zeros(&mut self) -> io::Result<bool> {
        if self.bounded || self.damaged || !self.frames.is_empty() {
            return Ok(false);
        }
        let sector = SECTOR_BYTES;
        let end =
            (self.at.0 + layout::HEADER_BYTES as u64).next_multiple_of(sector).min(self.end.0);
        let want = (end - self.at.0) as usize;
        let bytes = self.bytes.bytes(self.at.0, want)?;
        Ok(bytes.iter().take(want).all(|byte| *byte == 0))
    }

    pub(super) fn no_header(&mut self) -> io::Result<Option<Finding>> {
        let look = self.lookahead()?;
        if self.at >= look.zeros_from {
            return Ok(self.only_zeros(&look));
        }
        let from = Offset(self.at.0 + 8);
        let seed = self.seed;
        let next = next_header(&mut self.bytes, &seed, from, look.zeros_from)?;
        let (extent_end, lost_to) = match next {
            Some((offset, header)) => (offset, Sequence(header.sequence.0.saturating_sub(1))),
            None => (look.zeros_from, self.last.next()),
        };
        let mut unwritten = self.is_unwritten(self.at, extent_end)?;
        if next.is_none() && !unwritten {
            unwritten = !self.ends_a_frame(extent_end)?;
        }
        let verdict = classify(Evidence {
            unwritten,
            witnessed: self.is_witnessed(&look, self.last.next()),
            commit_after: look.last_commit_at > Some(self.at),
        });
        if verdict.is_cut() {
            return Ok(Some(self.cut(verdict, &look, extent_end)));
        }
        let first_lost = self.last.next();
        let told = verdict == Verdict::AcknowledgedLoss && next.is_none();
        let lost_to = if told { lost_to.max(self.witness) } else { lost_to };
        self.tail_told |= told;
        let lost = (lost_to >= first_lost).then_some((first_lost, lost_to));
        let finding = self.finding(verdict, extent_end, lost, told || next.is_some());
        if next.is_none() {
            // How many frames stood here cannot be known: number past all that could have.
            let most = (extent_end.0 - self.at.0) / layout::FRAME_BYTES_MIN as u64;
            self.seen = self.seen.max(Sequence(self.last.0 + most.max(1)));
        }
        self.pass(extent_end, lost_to);
        // With nothing behind it, the commit's last frame is among what is damaged.
        self.must_close = next.is_none();
        Ok(Some(finding))
    }

    /// From here to the segment's end there are only zeros.
    fn only_zeros(&mut self, look: &Lookahead) -> Option<Finding> {
        let open = self.frames.first().map(|frame| frame.header.sequence);
        let first = open.unwrap_or(self.last.next());
        let witnessed = self.is_witnessed(look, first);
        if open.is_some() && !witnessed {
            return Some(self.cut(Verdict::TornTail, look, self.at));
        }
        let missing = self.bounded && self.at < self.end;
        let promised = self.witness > self.last || open.is_some();
        if (missing || (promised && witnessed)) && !self.tail_told {
            self.tail_told = true;
            let end = if self.bounded { self.end } else { self.at };
            let lost = (self.witness > self.last).then_some((self.last.next(), self.witness));
            let finding = self.finding(Verdict::AcknowledgedLoss, end, lost, true);
            self.chain_known = false;
            self.seen = self.seen.max(self.witness);
            return Some(finding);
        }
        if open.is_some() || self.damaged {
            self.must_close = true;
            return None;
        }
        self.ended = Some(if self.bounded { EndCause::Bound } else { EndCause::Clean });
        None
    }

    fn lookahead(&mut self) -> io::Result<Lookahead> {
        if let Some(look) = self.lookahead {
            return Ok(look);
        }
        let look = Lookahead::new(&mut self.bytes, &self.seed, self.at, self.end)?;
        self.seen = self.seen.max(look.sequence);
        self.lookahead = Some(look);
        Ok(look)
    }

    /// Whether anything vouches that the commit at hand was durable.
    fn is_witnessed(&self, look: &Lookahead, lost: Sequence) -> bool {
        let first = self.frames.first().map_or(lost, |frame| frame.header.sequence);
        self.bounded || self.witness.max(look.durable).max(self.durable) >= first
    }

    /// R6: the rest of the first sector, any whole sector, or the last eight bytes are zero.
    fn is_unwritten(&mut self, from: Offset, to: Offset) -> io::Result<bool> {
        let mut at = from.0;
        while at < to.0 {
            let sector_end = (at / SECTOR_BYTES + 1) * SECTOR_BYTES;
            let whole = at == from.0 || sector_end <= to.0;
            if whole && self.is_zero(at, sector_end)? {
                return Ok(true);
            }
            at = sector_end;
        }
        self.is_zero(to.0.saturating_sub(8).max(from.0), to.0)
    }

    /// Whether there are only zeros; past the file's end there are.
    fn is_zero(&mut self, from: u64, to: u64) -> io::Result<bool> {
        let want = (to - from) as usize;
        let bytes = self.bytes.bytes(from, want)?;
        Ok(bytes[..bytes.len().min(want)].iter().all(|byte| *byte == 0))
    }

    /// Whether a frame's end word stands before `end`, for a frame that could start here or
    /// after: then a whole frame was written here and its header changed since.
    fn ends_a_frame(&mut self, end: Offset) -> io::Result<bool> {
        let room = end.0 - self.at.0;
        if room < layout::FRAME_BYTES_MIN as u64 {
            return Ok(false);
        }
        let word = self.bytes.bytes(end.0 - layout::END_BYTES as u64, layout::END_BYTES)?;
        let Some((word, rest)) = word.split_first_chunk::<4>() else { return Ok(false) };
        let Some(crc) = rest.first_chunk::<4>() else { return Ok(false) };
        let frame_bytes = u64::from(u32::from_le_bytes(*word));
        if *crc == [0; 4] {
            return Ok(false);
        }
        let before = room.checked_sub(frame_bytes);
        Ok(frame_bytes >= layout::FRAME_BYTES_MIN as u64
            && frame_bytes.is_multiple_of(8)
            && before.is_some_and(|it| it == 0 || it >= layout::FRAME_BYTES_MIN as u64))
    }

    /// Goes on behind a bad extent.
    fn pass(&mut self, to: Offset, last: Sequence) {
        self.at = Offset(to.0.min(self.end.0));
        self.last = self.last.max(last);
        self.damaged = true;
        if self.frames.is_empty() {
            self.commit_at = self.at;
        }
    }

    /// Ends the journal before the commit at hand.
    fn cut(&mut self, verdict: Verdict, look: &Lookahead, extent_end: Offset) -> Finding {
        let first = self.frames.first().map(|frame| frame.header.sequence);
        self.at = self.commit_at;
        let end = Offset(look.zeros_from.0.max(extent_end.0.min(self.end.0)));
        let top = self.seen.max(look.sequence);
        let first = first.unwrap_or(self.mark.sequence.next());
        let lost = (top >= first).then_some((first, top));
        let finding = self.finding(verdict, end, lost, true);
        self.frames.clear();
        self.ended = Some(EndCause::Cut);
        finding
    }

    fn finding(
        &self,
        verdict: Verdict,
        end: Offset,
        lost: Option<(Sequence, Sequence)>,
        exact: bool,
    ) -> Finding {
        Finding {
            verdict,
            at: Position { segment: self.segment, offset: self.at },
            bytes: end.0.saturating_sub(self.at.0),
            lost,
            exact,
        }
    }
}
