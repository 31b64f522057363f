//! What a reader gets of a journal: the scan alone, bounded as the successors say.

use std::path::Path;

use crate::limits::HEADER_PAGE_BYTES;
use crate::scan::{Finding, SegmentScan, SliceBytes, Step};
use crate::segment::SegmentHeader;
use crate::storage::{OpenHow, Storage, StorageFile, read_full};
use crate::units::{Mark, Sequence};
use crate::writer::active::segments;

/// Everything in a journal that counts.
#[derive(Debug, Default)]
pub(super) struct Readback {
    pub events: Vec<(u64, Vec<u8>)>,
    pub marks: Vec<Mark>,
    pub findings: Vec<Finding>,
    pub segments: usize,
}

impl Readback {
    pub fn of<S: Storage>(storage: &S, folder: &Path) -> Self {
        let mut readback = Self::default();
        let files: Vec<_> = segments(storage, folder)
            .unwrap()
            .into_iter()
            .map(|name| {
                let file = storage.open(&folder.join(name.to_string()), OpenHow::Read).unwrap();
                let mut bytes = vec![0; file.len().unwrap() as usize];
                read_full(&file, &mut bytes, 0).unwrap();
                let header = SegmentHeader::parse(&bytes[..HEADER_PAGE_BYTES as usize]).unwrap();
                (header, bytes)
            })
            .collect();
        readback.segments = files.len();
        for (index, (header, bytes)) in files.iter().enumerate() {
            let bound = files.get(index + 1).map(|(next, _)| {
                assert_eq!(next.number.0, header.number.0 + 1, "a segment is missing");
                next.previous.end
            });
            let mut scan = SegmentScan::new(SliceBytes(bytes), header, bound, Sequence(0));
            while let Some(step) = scan.next_step().unwrap() {
                match step {
                    Step::Finding(finding) => readback.findings.push(finding),
                    Step::Commit(commit) => {
                        let events = commit.frames.iter().filter(|it| !it.header.is_control());
                        let before = readback.events.len();
                        readback.events.extend(events.map(|frame| {
                            let payload = commit.payload(frame).unwrap().into_owned();
                            (frame.header.sequence.0, payload)
                        }));
                        if readback.events.len() > before {
                            assert_eq!(commit.chain, crate::scan::ChainCheck::Holds);
                            readback.marks.extend(commit.mark);
                        }
                    }
                }
            }
        }
        readback
    }

    pub fn payloads(&self) -> Vec<&[u8]> {
        self.events.iter().map(|(_, payload)| payload.as_slice()).collect()
    }

    /// Sequences are 1, 2, 3 … without a gap.
    pub fn is_gap_free(&self) -> bool {
        self.events.iter().zip(1..).all(|((sequence, _), expected)| *sequence == expected)
    }
}
