//! A writer on real files.

mod begun;
mod crash;
mod cut_short;
mod held_lock;
mod passed;
mod readback;
mod redacted;
mod schedules;
mod sealed;
mod threads;

use super::*;
use crate::segment::{SegmentHeader, SegmentName};
use crate::storage::FsStorage;
use crate::units::{JournalId, SegmentNumber, Sequence};

fn options(durability: Durability, seed: u8) -> WriterOptions {
    WriterOptions { durability, compress_bytes_min: None, ..WriterOptions::new([seed; 32]) }
}

fn record(payload: &[u8]) -> Record<'_> {
    Record { kind: 1, version: 1, time_ms: 1_700_000_000_000, skippable: false, payload }
}

#[test]
fn appends_are_numbered_on_across_openings() {
    for durability in [Durability::Buffered, Durability::Group, Durability::Strict] {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("journal");
        let id = JournalId([3; 16]);
        let writer = Writer::create(FsStorage, &folder, id, options(durability, 1)).unwrap();
        let first = writer.append(&[record(b"one"), record(b"two")]).unwrap();
        assert_eq!((first.first, first.last), (Sequence(1), Sequence(2)));
        drop(writer);
        let (writer, recoveries) =
            Writer::open(FsStorage, &folder, options(durability, 2)).unwrap();
        assert!(recoveries.is_empty());
        let next = writer.append(&[record(b"three")]).unwrap();
        assert_eq!((next.first, next.last), (Sequence(3), Sequence(3)));
        assert_eq!(writer.sync().unwrap(), next.mark);
        assert_eq!(writer.watermark(), next.mark);
        assert_eq!(writer.id(), id);
    }
}

#[test]
fn a_newest_segment_of_another_journal_is_not_appended_to() {
    let dir = tempfile::tempdir().unwrap();
    let folders = ["own", "other"].map(|name| dir.path().join(name));
    for (folder, id) in folders.iter().zip([3, 4]) {
        let journal = JournalId([id; 16]);
        let writer = Writer::create(FsStorage, folder, journal, options(Durability::Group, id));
        writer.unwrap().append(&[record(b"one")]).unwrap();
    }
    let name = |number| SegmentName { number: SegmentNumber(number), first_sequence: Sequence(1) };
    let mut page = std::fs::read(folders[1].join(name(0).to_string())).unwrap();
    let header = SegmentHeader::parse(&page[..4096]).unwrap();
    let header = SegmentHeader { number: SegmentNumber(1), ..header };
    page[..4096].copy_from_slice(&header.to_page());
    let foreign = folders[0].join(name(1).to_string());
    std::fs::write(&foreign, &page).unwrap();
    let open = || Writer::open(FsStorage, &folders[0], options(Durability::Group, 2));
    let refused = open().err().map(|error| error.to_string()).unwrap_or_default();
    assert!(refused.contains("is another journal's"), "{refused}");
    assert_eq!(std::fs::read(&foreign).unwrap(), page, "nothing is written to it");
    std::fs::remove_file(foreign).unwrap();
    let next = open().unwrap().0.append(&[record(b"two")]).unwrap();
    assert_eq!(next.first, Sequence(2));
}

#[test]
fn nothing_is_acknowledged_in_a_segment_that_was_removed_or_replaced() {
    for durability in [Durability::Group, Durability::Strict] {
        for is_replaced in [true, false] {
            let dir = tempfile::tempdir().unwrap();
            let folder = dir.path().join("journal");
            let id = JournalId([3; 16]);
            let writer = Writer::create(FsStorage, &folder, id, options(durability, 1)).unwrap();
            writer.append(&[record(b"one")]).unwrap();
            let name = SegmentName { number: SegmentNumber(0), first_sequence: Sequence(1) };
            let (segment, copy) = (folder.join(name.to_string()), dir.path().join("copy"));
            std::fs::copy(&segment, &copy).unwrap();
            match is_replaced {
                true => std::fs::rename(&copy, &segment).unwrap(),
                false => std::fs::remove_file(&segment).unwrap(),
            }
            for _ in 0..3 {
                let refused = writer.append(&[record(b"two")]).unwrap_err();
                assert!(refused.to_string().contains("not recorded"), "{refused}");
            }
        }
    }
}
