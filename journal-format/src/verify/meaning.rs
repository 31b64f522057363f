//! What no sum tells: bytes that were written so, and do not say what the format lets a writer say.

use crate::frame::layout;
use crate::limits::HEADER_PAGE_BYTES;
use crate::reader::Listed;
use crate::scan::{CommitView, Finding, FrameRef, Verdict};
use crate::segment::SegmentHeader;
use crate::storage::{OpenHow, Storage, read_full};
use crate::units::{Offset, Position, SegmentNumber, Sequence};

/// Clocks are put right by seconds, and processes side by side wait for the lock: only more than
/// this is told, milliseconds.
const TIME_BACK_MS_MAX: u64 = 60_000;

/// Whether an event was recorded well before the one in front of it. A time of 0 says nothing.
pub fn runs_back(before_ms: u64, time_ms: u64) -> bool {
    time_ms > 0 && time_ms.saturating_add(TIME_BACK_MS_MAX) < before_ms
}

/// Two copies that differ, and bytes of the header page that are to be zero.
pub fn of_header<S: Storage>(storage: &S, segment: &Listed) -> Option<Finding> {
    let header = segment.sound()?;
    let mut page = vec![0; HEADER_PAGE_BYTES as usize];
    // What cannot be read is told by the walk.
    let file = storage.open(&segment.path, OpenHow::Read).ok()?;
    let read = read_full(&file, &mut page, 0).ok()?;
    if SegmentHeader::copies_sound(&page[..read]) != [true, true] {
        return None;
    }
    let tell = |verdict, offset: usize| Finding {
        verdict,
        at: Position { segment: header.number, offset: Offset(offset as u64) },
        bytes: 0,
        lost: None,
        exact: true,
    };
    let [first, second] = SegmentHeader::used_ranges();
    let differs = page[first.clone()].iter().zip(&page[second.clone()]).position(|(a, b)| a != b);
    if let Some(at) = differs {
        return Some(tell(Verdict::HeaderCopiesDiffer, second.start + at));
    }
    let plain = header.to_page();
    let free = |at: &usize| !SegmentHeader::may_differ(*at);
    let odd = (0..page.len()).filter(free).find(|at| page[*at] != plain[*at])?;
    Some(tell(Verdict::PaddingNotZero, odd))
}

/// A commit whose frames, sequences or lengths do not fit each other, or that vouches for itself.
pub fn of_commit(commit: &CommitView<'_>, segment: SegmentNumber) -> Option<Finding> {
    // What is left of a damaged one, and what it vouches for, may be of two.
    let first = commit.frames.first().filter(|_| !commit.damaged)?.header.sequence;
    let last = commit.frames.last()?.header.sequence;
    let events = !commit.frames.iter().any(|frame| frame.header.is_control());
    let verdict = if !commit.is_well_formed() {
        Verdict::CommitMalformed
    } else if commit.durable >= first && commit.durable > Sequence(0) {
        Verdict::DurableBeyond
    } else {
        return None;
    };
    Some(Finding {
        verdict,
        at: Position { segment, offset: commit.offset },
        bytes: commit.bytes.len() as u64,
        lost: events.then_some((first, last)),
        exact: true,
    })
}

/// Whether only zeros stand between a frame's payload and what follows it.
pub fn is_padded_with_zeros(commit: &CommitView<'_>, frame: &FrameRef) -> bool {
    let payload_bytes = frame.header.payload_bytes as usize;
    let body = frame.at + layout::HEADER_BYTES;
    let padding = body + payload_bytes..body + layout::body_bytes(payload_bytes);
    commit.bytes.get(padding).is_some_and(|bytes| bytes.iter().all(|byte| *byte == 0))
}
