//! Reading ahead: the same, in as many batches as it takes, and no longer than it is asked for.

use tempfile::tempdir;

use super::{Seen, forward, open};
use crate::reader::{Ahead, Item};
use crate::storage::FsStorage;
use crate::units::{JournalId, Sequence};
use crate::writer::{Durability, Record, Writer, WriterOptions};

#[test]
fn a_long_journal_is_read_ahead_as_it_is_read_and_given_up_at_any_place() {
    let folder = tempdir().unwrap();
    let folder = folder.path().join("journal");
    let options = WriterOptions { durability: Durability::Buffered, ..WriterOptions::new([1; 32]) };
    let writer = Writer::create(FsStorage, &folder, JournalId([9; 16]), options).unwrap();
    for number in 0..6_000_u32 {
        let payload = number.to_le_bytes().repeat(number as usize % 400);
        let record =
            Record { kind: 7, version: 1, time_ms: 1, skippable: false, payload: &payload };
        writer.stage(&[record]).unwrap();
    }
    // One that is a batch of its own.
    let noise: Vec<u8> =
        (0..900_000_u32).map(|it| (it.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    writer
        .stage(&[Record { kind: 7, version: 1, time_ms: 1, skippable: false, payload: &noise }])
        .unwrap();
    writer.sync().unwrap();
    let reader = open(&folder);
    let seen = forward(&reader, 1);
    assert_eq!(seen.entries.len(), 6_001);
    let mut ahead = Ahead::behind(reader.entries(Sequence(1)), 1 << 20);
    let mut again = Seen::default();
    while let Some(item) = ahead.next() {
        again.take(item.unwrap());
    }
    assert!(ahead.next().is_none(), "and stays at its end");
    assert_eq!(again, seen);
    for taken in [0, 1, 5, 700, 3_000, 6_001] {
        let mut ahead = Ahead::behind(reader.entries(Sequence(2)), 0);
        for number in 0..taken {
            if let Some(Item::Entry(entry)) = ahead.next().transpose().unwrap() {
                assert!(entry.sequence.0 >= 2 && entry.sequence.0 <= number + 2);
            }
        }
    }
}
