//! One whole commit, checked frame by frame: what a writer needs to know of others' appends.

use crate::frame::{CrcSeed, FrameFault, FrameView, Trailer, kind};
use crate::limits::{COMMIT_BYTES_MAX, COMMIT_FRAMES_MAX};
use crate::units::{Mark, Offset, Sequence};

/// A commit whose every frame holds.
#[derive(Clone, Copy, Debug)]
pub struct WholeCommit {
    pub bytes: usize,
    pub first: Sequence,
    /// Its end; for a control commit the sequence before the next event's.
    pub mark: Mark,
    pub durable: Sequence,
    /// Of its first frame: tells this commit from any other that could have its sequences.
    pub salt: [u8; 16],
    /// The kind of its last frame, where that is the format's own.
    pub control: Option<u16>,
}

/// What stands where a commit should.
#[derive(Clone, Copy, Debug)]
pub enum CommitParse {
    Whole(WholeCommit),
    /// Sound so far; at least so many bytes are needed.
    Need(usize),
    Bad,
}

impl WholeCommit {
    /// Reads the commit at the beginning of `bytes`, which lies at `offset`.
    pub fn parse(bytes: &[u8], seed: &CrcSeed, offset: Offset) -> CommitParse {
        let (mut at, mut first) = (0, None);
        for _ in 0..COMMIT_FRAMES_MAX {
            if at as u64 > COMMIT_BYTES_MAX {
                return CommitParse::Bad;
            }
            let rest = &bytes[at..];
            if rest.len() < crate::frame::layout::HEADER_BYTES {
                return CommitParse::Need(at + crate::frame::layout::FRAME_BYTES_MIN);
            }
            let frame = match FrameView::parse(rest, seed, Offset(offset.0 + at as u64)) {
                Ok(frame) => frame,
                Err(FrameFault::Short { header }) => {
                    return CommitParse::Need(at + header.frame_bytes());
                }
                Err(_) => return CommitParse::Bad,
            };
            if frame.header.is_first() != (at == 0) {
                return CommitParse::Bad;
            }
            let (first, salt) = *first.get_or_insert((frame.header.sequence, frame.header.salt));
            at += frame.frame_bytes();
            if let Some(trailer) = frame.trailer {
                return Self::ended(&frame, &trailer, at, first, salt);
            }
        }
        CommitParse::Bad
    }

    fn ended(
        frame: &FrameView<'_>,
        trailer: &Trailer,
        bytes: usize,
        first: Sequence,
        salt: [u8; 16],
    ) -> CommitParse {
        if trailer.commit_bytes != bytes as u64 || trailer.first_sequence != first {
            return CommitParse::Bad;
        }
        let control = kind::is_control(frame.header.kind).then_some(frame.header.kind);
        let last =
            frame.header.sequence.0 - u64::from(control.is_some() && frame.header.sequence.0 > 0);
        CommitParse::Whole(Self {
            bytes,
            first,
            mark: Mark { sequence: Sequence(last), chain: trailer.chain },
            durable: trailer.durable,
            salt,
            control,
        })
    }
}
