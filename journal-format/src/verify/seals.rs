//! Whether what seals say is so.

use std::path::Path;

use super::{SegmentReport, VerifyReport};
use crate::frame::{CrcSeed, FrameView, kind, layout};
use crate::scan::{Finding, Verdict};
use crate::storage::{OpenHow, Storage, read_full};
use crate::tree::{Builder, Hash, LeafStep, leaves};
use crate::units::Position;

const SEAL_PAYLOAD_BYTES: usize = 64;

/// What a SEAL commit says of the records before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToldSeal {
    pub at: Position,
    pub size: u64,
    pub root: Hash,
}

impl ToldSeal {
    /// `None` where its payload is none.
    pub fn parse(at: Position, payload: &[u8]) -> Option<Self> {
        let (size, rest) = payload.split_first_chunk()?;
        let (root, _) = rest.split_first_chunk()?;
        Some(Self { at, size: u64::from_le_bytes(*size), root: *root })
    }
}

/// What stands behind the last commit that counts, in segments that others follow: there the walk ends.
pub(super) fn behind_bounds<S: Storage>(storage: &S, report: &VerifyReport) -> Vec<ToldSeal> {
    let pairs = report.segments.windows(2);
    let told = |pair: &[SegmentReport]| {
        let [before, after] = pair else { return None };
        let (header, bound) = (before.summary.header?, after.summary.header?.previous.end);
        // What cannot be read is told by the walk.
        let file = storage.open(&before.summary.path, OpenHow::Read).ok()?;
        let mut bytes = [0; layout::frame_bytes(SEAL_PAYLOAD_BYTES, true)];
        read_full(&file, &mut bytes, bound.0).ok()?; // as above
        let frame = FrameView::parse(&bytes, &CrcSeed::new(&header.nonce), bound).ok()?;
        let at = Position { segment: before.summary.number, offset: bound };
        (frame.header.kind == kind::SEAL).then(|| ToldSeal::parse(at, frame.stored))?
    };
    pairs.filter_map(told).collect()
}

/// The seals that do not hold. Where a record is damaged or lost no root comes out, and what is told of that is
/// enough; of a journal without its first segment none does either.
pub(super) fn check<S: Storage>(storage: &S, path: &Path, report: &VerifyReport) -> Vec<Finding> {
    let begins = report.segments.first().is_some_and(|it| it.summary.number.0 == 0);
    if report.seals.is_empty() || report.is_damaged() || !begins {
        return Vec::new();
    }
    let (mut seals, mut builder) = (report.seals.iter().peekable(), Builder::default());
    let mut broken = Vec::new();
    let mut held = |builder: &Builder, is_end: bool| {
        while let Some(seal) = seals.next_if(|it| is_end || it.size <= builder.size()) {
            if seal.size != builder.size() || builder.root() != seal.root {
                let (verdict, at) = (Verdict::SealBroken, seal.at);
                broken.push(Finding { verdict, at, bytes: 0, lost: None, exact: true });
            }
        }
    };
    let mut take = |step: LeafStep<'_>| match step {
        LeafStep::Leaf { leaf, .. } => {
            builder.push(leaf, &mut |_, _| {});
            true
        }
        // A seal stands behind a commit.
        LeafStep::Commit(_) => {
            held(&builder, false);
            true
        }
        LeafStep::Lost(_) => false,
    };
    match leaves(storage, path, None, false, &mut take) {
        Ok(()) => held(&builder, true),
        // What the disk does not give is told by the walk before.
        Err(_) => broken.clear(),
    }
    broken
}
