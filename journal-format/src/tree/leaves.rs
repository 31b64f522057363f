//! The leaves of a journal, in the order of its events.

use std::path::Path;
use std::sync::Arc;

use super::Hash;
use crate::reader::{Bookmark, Catalog, ReadError, Walk, WalkOptions, WalkStep, Waypoint};
use crate::scan::Finding;
use crate::storage::Storage;
use crate::units::{Offset, Position, Sequence};
use crate::verify::VerifyFrom;

/// What is met on the way.
pub enum LeafStep<'a> {
    /// An event's leaf, with the first bytes of what it is made of: its frame.
    Leaf { sequence: Sequence, leaf: Hash, frame: &'a [u8] },
    /// A commit ends: a tree may be kept as of here.
    Commit(Bookmark),
    /// Records are missing or changed: the leaves behind have no place in the tree.
    Lost(Finding),
}

/// Shows every leaf from a place on, or from the journal's start; ends where `take` answers no.
///
/// `chain`: what does not go on from the commit before is lost, too.
///
/// # Errors
/// What the disk did not give.
pub fn leaves<S: Storage>(
    storage: &S,
    path: &Path,
    from: Option<VerifyFrom>,
    chain: bool,
    take: &mut dyn FnMut(LeafStep<'_>) -> bool,
) -> Result<(), ReadError> {
    let catalog = Arc::new(match from {
        Some(from) if path.is_dir() => Catalog::since(storage, path, from.segment)?,
        _ => Catalog::read(storage, path)?,
    });
    let options = WalkOptions { chain, map: true, confirm: true, forgiving: false, brief: false };
    let (index, entry) = from.map_or((0, None), |from| {
        let index = catalog.segments.partition_point(|it| it.name.number < from.segment);
        (index, from.at.map(|(offset, mark)| Waypoint { offset, mark }))
    });
    let journal = catalog.journal;
    let mut walk = Walk::new(storage.clone(), Arc::clone(&catalog), options, index, entry);
    while let Some(step) = walk.step()? {
        match step {
            WalkStep::Finding(finding)
                if finding.verdict.is_loss() && !take(LeafStep::Lost(finding)) =>
            {
                return Ok(());
            }
            WalkStep::Commit => {
                let segment = catalog.segments[walk.segment()].name.number;
                let Some(commit) = walk.commit() else { continue };
                let commit = commit?;
                let events = commit.frames.iter().filter(|frame| !frame.header.is_control());
                let mut count = 0;
                for frame in events {
                    count += 1;
                    let (sequence, leaf) = (frame.header.sequence, commit.leaf(frame));
                    let frame = &commit.bytes[frame.at..];
                    if !take(LeafStep::Leaf { sequence, leaf, frame }) {
                        return Ok(());
                    }
                }
                if count == 0 {
                    continue;
                }
                let offset = Offset(commit.offset.0 + commit.bytes.len() as u64);
                let end = Position { segment, offset };
                if let Some(mark) = commit.mark
                    && !take(LeafStep::Commit(Bookmark { journal, end, mark }))
                {
                    return Ok(());
                }
            }
            _ => {}
        }
    }
    Ok(())
}
