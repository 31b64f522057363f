//! A writer on real files.

mod crash;
mod readback;
mod schedules;
mod threads;

use super::*;
use crate::storage::FsStorage;
use crate::units::{JournalId, Sequence};

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
