//! A journal taken apart gives back its parts.

use tempfile::tempdir;

use super::*;
use crate::reader::tests::written::{journal, lay};
use crate::scan::EndCause;
use crate::storage::FsStorage;

#[test]
fn every_frame_commit_and_segment_is_shown_in_its_place() {
    let folder = tempdir().unwrap();
    let segments = journal(&[&[1, 2], &[3]]);
    lay(folder.path(), &segments);
    let shown: Vec<_> = Inspect::open(FsStorage, folder.path())
        .unwrap()
        .map(|it| match it.unwrap() {
            Inspected::Segment(it) => format!("segment {}", it.number),
            Inspected::Frame(it) => format!("frame {}", it.header.sequence),
            Inspected::Commit(it) => {
                let known = segments[it.at.segment.0 as usize].commits.iter();
                assert!(known.clone().any(|(offset, _)| *offset == it.at.offset.0));
                format!("commit of {}", it.frames)
            }
            Inspected::Finding(it) => format!("{it}"),
            Inspected::End(it) => format!("end {:?}", it.cause),
        })
        .collect();
    let bound = format!("end {:?}", EndCause::Bound);
    assert_eq!(
        shown,
        [
            "segment 0",
            "frame 1",
            "commit of 1",
            "frame 2",
            "frame 3",
            "commit of 2",
            &bound,
            "segment 1",
            "frame 4",
            "frame 5",
            "frame 6",
            "commit of 3",
            "end Clean",
        ]
    );
}
