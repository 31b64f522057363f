//! Finding commits from their ends.

use super::source::Source;
use crate::frame::{CrcSeed, FrameView, layout};
use crate::limits::{COMMIT_BYTES_MAX, HEADER_PAGE_BYTES};
use crate::scan::{Bytes, FrameRef};
use crate::units::{Mark, Offset, Sequence};

/// A commit found from its end: where it lies, and its frames.
#[derive(Clone, Debug)]
pub struct BackCommit {
    pub offset: Offset,
    pub frames: Vec<FrameRef>,
    pub mark: Option<Mark>,
    pub whole: bool,
}

impl BackCommit {
    /// The first byte behind it.
    pub fn end(&self) -> Offset {
        let last = |frame: &FrameRef| frame.at + frame.header.frame_bytes();
        Offset(self.offset.0 + self.frames.last().map_or(0, last) as u64)
    }

    /// The whole commit that ends at `end`; `None` where none does.
    pub fn ending_at(
        source: &mut Source,
        seed: &CrcSeed,
        end: Offset,
    ) -> std::io::Result<Option<Self>> {
        let Some(word_at) = end.0.checked_sub(layout::END_BYTES as u64) else { return Ok(None) };
        let word = source.bytes(word_at, layout::END_BYTES)?;
        let Some(length) = word.first_chunk::<4>() else { return Ok(None) };
        let frame_bytes = u64::from(u32::from_le_bytes(*length));
        let starts = HEADER_PAGE_BYTES..=end.0.saturating_sub(layout::FRAME_BYTES_MIN as u64);
        let Some(last_at) = end.0.checked_sub(frame_bytes).filter(|at| starts.contains(at)) else {
            return Ok(None);
        };
        let bytes = source.bytes(last_at, frame_bytes as usize)?;
        let last = FrameView::parse(bytes, seed, Offset(last_at));
        // A frame that does not hold has no trailer.
        let Some(trailer) = last.ok().and_then(|frame| frame.trailer) else { return Ok(None) };
        let start = end.0.checked_sub(trailer.commit_bytes).filter(|at| starts.contains(at));
        let Some(start) = start.filter(|_| trailer.commit_bytes <= COMMIT_BYTES_MAX) else {
            return Ok(None);
        };
        let bytes = source.bytes(start, trailer.commit_bytes as usize)?;
        let Some(bytes) = bytes.get(..trailer.commit_bytes as usize) else { return Ok(None) };
        let Some(frames) = whole_frames(bytes, seed, start) else { return Ok(None) };
        let first = frames.first().map(|frame| frame.header.sequence);
        let last = frames.last().map_or(Sequence(0), |frame| frame.header.sequence);
        Ok((first == Some(trailer.first_sequence)).then_some(Self {
            offset: Offset(start),
            frames,
            mark: Some(Mark { sequence: last, chain: trailer.chain }),
            whole: true,
        }))
    }
}

/// The frames of one whole commit, or nothing.
fn whole_frames(bytes: &[u8], seed: &CrcSeed, start: u64) -> Option<Vec<FrameRef>> {
    let (mut frames, mut at) = (Vec::<FrameRef>::new(), 0);
    while at < bytes.len() {
        let offset = Offset(start + at as u64);
        let frame = FrameView::parse(&bytes[at..], seed, offset).ok()?;
        let follows = frames.last().is_none_or(|before| {
            frame.header.is_control() || frame.header.sequence > before.header.sequence
        });
        let ends = at + frame.frame_bytes() == bytes.len();
        if frame.header.is_first() != (at == 0) || frame.header.is_last() != ends || !follows {
            return None;
        }
        frames.push(FrameRef { at, header: frame.header });
        at += frame.frame_bytes();
    }
    Some(frames)
}
