//! A segment cut short at any byte: what is recorded afterwards is read back.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::limits::HEADER_PAGE_BYTES;
use crate::scan::{SegmentScan, SliceBytes, Step};
use crate::units::Offset;

/// The payloads of every segment's events, and where its last commit ends.
fn read(segment: &Path) -> (Vec<Vec<u8>>, Offset) {
    let bytes = fs::read(segment).unwrap();
    let header = SegmentHeader::parse(&bytes[..HEADER_PAGE_BYTES as usize]).unwrap();
    let mut scan = SegmentScan::new(SliceBytes(&bytes), &header, None, Sequence(0));
    let mut payloads = Vec::new();
    while let Some(step) = scan.next_step().unwrap() {
        if let Step::Commit(commit) = step {
            let events = commit.frames.iter().filter(|frame| !frame.header.is_control());
            payloads.extend(events.map(|frame| commit.payload(frame).unwrap().into_owned()));
        }
    }
    (payloads, scan.end().offset)
}

fn append(folder: &Path, seed: u8, payload: &[u8]) {
    let (writer, _) = Writer::open(FsStorage, folder, options(Durability::Group, seed)).unwrap();
    writer.append(&[record(payload)]).unwrap();
}

fn journal(dir: &Path) -> (PathBuf, PathBuf) {
    let folder = dir.join("journal");
    let id = JournalId([3; 16]);
    let writer = Writer::create(FsStorage, &folder, id, options(Durability::Group, 1)).unwrap();
    writer.append(&[record(b"one")]).unwrap();
    writer.append(&[record(b"two"), record(&[7; 100]), record(b"four")]).unwrap();
    writer.append(&[record(&[9; 20_000])]).unwrap();
    writer.append(&[record(b"six")]).unwrap();
    drop(writer);
    let name = SegmentName { number: SegmentNumber(0), first_sequence: Sequence(1) };
    let segment = folder.join(name.to_string());
    (folder, segment)
}

#[test]
fn what_is_recorded_behind_a_cut_is_read_back_wherever_the_cut_was() {
    let dir = tempfile::tempdir().unwrap();
    let (folder, segment) = journal(dir.path());
    let (bytes, lock) = (fs::read(&segment).unwrap(), fs::read(folder.join("LOCK")).unwrap());
    let (before, end) = read(&segment);
    assert_eq!(before.len(), 6);
    // Every byte of some frames, and some of all.
    let cuts = (HEADER_PAGE_BYTES..=end.0).filter(|cut| *cut < 4_350 || cut % 211 == 0);
    for cut in cuts {
        // With word of the tail, and without.
        for knows in [true, false] {
            fs::write(&segment, &bytes[..cut as usize]).unwrap();
            match knows {
                true => fs::write(folder.join("LOCK"), &lock).unwrap(),
                false => fs::remove_file(folder.join("LOCK")).unwrap(),
            }
            for (seed, payload) in [(2, b"x"), (3, b"y"), (4, b"z")] {
                append(&folder, seed, payload);
            }
            let (after, _) = read(&segment);
            let (kept, added) = after.split_at(after.len().saturating_sub(3));
            assert_eq!(added, [b"x", b"y", b"z"], "cut at {cut}, {knows}: {after:?}");
            assert_eq!(kept, &before[..kept.len()], "cut at {cut}, {knows}");
        }
    }
}
