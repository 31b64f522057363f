//! Runs of consecutive sequences within one commit.

use crate::frame::{Draft, Flags};
use crate::scan::{CommitView, Finding, FrameRef, Verdict};
use crate::units::{Position, SegmentNumber, Sequence};

/// Frames of a commit whose sequences follow each other: what can be written as one commit.
pub struct Run<'a> {
    pub first: Sequence,
    pub drafts: Vec<Draft<'a>>,
}

impl<'a> Run<'a> {
    fn next(&self) -> Sequence {
        Sequence(self.first.0 + self.drafts.len() as u64)
    }
}

/// A commit's event frames above `above` whose payload opens, in runs; and findings for those
/// whose payload does not.
pub fn runs<'a>(
    commit: &CommitView<'a>,
    segment: SegmentNumber,
    above: Sequence,
) -> (Vec<Run<'a>>, Vec<Finding>) {
    let (mut runs, mut unopened) = (Vec::<Run<'a>>::new(), Vec::new());
    for frame in commit.frames {
        let header = &frame.header;
        if header.is_control() || header.sequence <= above {
            continue;
        }
        let compressed = header.flags.has(Flags::COMPRESSED) && !header.flags.has(Flags::REDACTED);
        if compressed && commit.payload(frame).is_err() {
            unopened.push(Finding {
                verdict: Verdict::PayloadDamaged,
                at: Position { segment, offset: commit.offset_of(frame) },
                bytes: header.frame_bytes() as u64,
                lost: Some((header.sequence, header.sequence)),
                exact: true,
            });
            continue;
        }
        let draft = draft(commit, frame);
        match runs.last_mut() {
            Some(run) if run.next() == header.sequence => run.drafts.push(draft),
            _ => runs.push(Run { first: header.sequence, drafts: vec![draft] }),
        }
    }
    (runs, unopened)
}

/// The frame as it stands, salt and all: only its place and its checksums become new.
fn draft<'a>(commit: &CommitView<'a>, frame: &FrameRef) -> Draft<'a> {
    let header = &frame.header;
    Draft {
        kind: header.kind,
        version: header.version,
        flags: header.flags,
        time_ms: header.time_ms,
        salt: header.salt,
        stored: commit.stored(frame),
        // Half of what is left of a short payload lies behind it.
        rest: if header.flags.has(Flags::REDACTED) { commit.rest(frame) } else { &[] },
    }
}
