//! A small journal of several segments to damage, and what verify and a reader make of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use annals_journal_format::frame::{CrcSeed, FrameHeader};
use annals_journal_format::limits::HEADER_PAGE_BYTES;
use annals_journal_format::reader::{Item, Reader};
use annals_journal_format::scan::Finding;
use annals_journal_format::segment::SegmentHeader;
use annals_journal_format::storage::sim::SimStorage;
use annals_journal_format::verify::{VerifyOptions, verify};
use annals_journal_format::writer::Durability;
use annals_journal_format::{Offset, Sequence};

use crate::history::{FOLDER, append, create, options};
use crate::script::payload;

/// A frame of the sample.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub start: usize,
    pub end: usize,
    pub header: FrameHeader,
}

/// A segment of the sample.
#[derive(Clone, Debug)]
pub struct Segment {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
    pub header: SegmentHeader,
    /// The frames that count; behind them may stand a ROLL, void once there is a successor.
    pub frames: Vec<Frame>,
    /// What lies from here on is used by nothing.
    pub end: usize,
}

/// A journal to damage.
#[derive(Clone, Debug)]
pub struct Sample {
    pub segments: Vec<Segment>,
    /// The other files: the lock.
    others: BTreeMap<PathBuf, Vec<u8>>,
}

/// What verify and a reader make of a journal.
#[derive(Debug, Default)]
pub struct Survey {
    /// (sequence, number), each payload checked.
    pub entries: Vec<(u64, u64)>,
    pub findings: Vec<Finding>,
}

impl Sample {
    /// A journal of at least this many bytes of frames, in segments of about `segment_bytes_max`.
    pub fn new(seed: u64, frame_bytes_min: usize, segment_bytes_max: u64) -> Self {
        let disk = SimStorage::new(seed);
        let writer = create(&disk, options(Durability::Group, segment_bytes_max, seed));
        let (mut number, mut bytes) = (seed * 10_000, 0);
        let mut commit = 0;
        while bytes < frame_bytes_min {
            commit += 1;
            let numbers: Vec<u64> = (number + 1..=number + 1 + commit % 4 / 2).collect();
            number += numbers.len() as u64;
            bytes += numbers.iter().map(|it| payload(*it).len() + 80).sum::<usize>();
            append(&writer, &numbers).unwrap();
        }
        drop(writer);
        Self::of(&disk)
    }

    fn of(disk: &SimStorage) -> Self {
        let mut segments = Vec::new();
        let mut others = BTreeMap::new();
        for path in disk.paths() {
            let bytes = disk.bytes(&path).unwrap();
            if path.extension().is_none_or(|it| it != "seg") {
                others.insert(path, bytes);
                continue;
            }
            let header = SegmentHeader::parse(&bytes[..HEADER_PAGE_BYTES as usize]).unwrap();
            let mut frames = frames(&bytes, &header);
            // Zeros at the end are the same at every length: a page of them will do.
            let last = frames.last().map_or(HEADER_PAGE_BYTES as usize, |frame| frame.end);
            let bytes = bytes[..bytes.len().min(last + 1024)].to_vec();
            frames.retain(|frame| !frame.header.is_control());
            let end = frames.last().map_or(HEADER_PAGE_BYTES as usize, |frame| frame.end);
            segments.push(Segment { path, bytes, header, frames, end });
        }
        for (segment, next) in segments.iter().zip(&segments[1..]) {
            assert_eq!(segment.end as u64, next.header.previous.end.0);
        }
        Self { segments, others }
    }

    /// The journal on a disk, this segment's bytes replaced.
    pub fn with(&self, segment: usize, bytes: &[u8]) -> SimStorage {
        let disk = SimStorage::new(0);
        for (index, it) in self.segments.iter().enumerate() {
            disk.put(&it.path, if index == segment { bytes } else { &it.bytes });
        }
        self.others.iter().for_each(|(path, bytes)| disk.put(path, bytes));
        disk
    }

    pub fn sequences(&self) -> Vec<u64> {
        let frames = self.segments.iter().flat_map(|segment| &segment.frames);
        frames.map(|frame| frame.header.sequence.0).collect()
    }
}

/// The frames that stand in a segment, one after the other.
pub fn frames(bytes: &[u8], header: &SegmentHeader) -> Vec<Frame> {
    let seed = CrcSeed::new(&header.nonce);
    let mut start = HEADER_PAGE_BYTES as usize;
    let mut frames = Vec::new();
    while let Some(header) = FrameHeader::parse(&bytes[start..], &seed, Offset(start as u64)) {
        let end = start + header.frame_bytes();
        frames.push(Frame { start, end, header });
        start = end;
    }
    frames
}

/// Verifies and reads: what verify finds, and what a reader still delivers.
pub fn survey(disk: &SimStorage) -> Survey {
    let folder = Path::new(FOLDER);
    let mut survey = Survey { findings: verify_findings(disk), ..Survey::default() };
    let Ok(reader) = Reader::open(disk.clone(), folder) else { return survey };
    let mut entries = reader.entries(Sequence(1));
    while let Some(item) = entries.next() {
        if let Item::Entry(entry) = item.unwrap() {
            assert!(*entry.payload == *payload(entry.time_ms), "not the payload recorded");
            survey.entries.push((entry.sequence.0, entry.time_ms));
        }
    }
    survey
}

/// What verify finds.
pub fn verify_findings(disk: &SimStorage) -> Vec<Finding> {
    verify(disk, Path::new(FOLDER), VerifyOptions::default()).unwrap().findings
}
