//! A reader at a writer's heels sees every event once, in order, and never cries wolf (R7).

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use annals_journal_format::Sequence;
use annals_journal_format::reader::{Item, Reader};
use annals_journal_format::storage::FsStorage;
use annals_journal_format::writer::{Durability, Record, Writer, WriterOptions};

use super::sample;

fn chase(durability: Durability, appends: u64, threads: u64) {
    let folder = tempfile::tempdir().unwrap();
    let options = WriterOptions {
        durability,
        segment_bytes_max: 1 << 20,
        ..WriterOptions::new([durability as u8; 32])
    };
    let writer = Writer::create(FsStorage, folder.path(), sample::JOURNAL, options).unwrap();
    let (done, total) = (AtomicBool::new(false), appends * threads * 2);
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let reader = Reader::open(FsStorage, folder.path()).unwrap();
            let (mut last, mut turns) = (0, 0);
            while last < total {
                let finished = done.load(Ordering::SeqCst);
                reader.refresh().unwrap();
                let mut entries = reader.entries(Sequence(last + 1));
                while let Some(item) = entries.next() {
                    match item.unwrap() {
                        Item::Entry(entry) => {
                            assert_eq!(entry.sequence.0, last + 1);
                            let expected = sample::payload_of(entry.time_ms);
                            assert_eq!(*entry.payload, expected, "{}", entry.sequence);
                            last = entry.sequence.0;
                        }
                        Item::Commit(end) => assert!(end.whole && end.chain_holds(), "{end:?}"),
                        Item::Finding(finding) => panic!("{finding}"),
                    }
                }
                turns += 1;
                assert!(!finished || last == total, "ends at {last} of {total}");
            }
            turns
        });
        let writing: Vec<_> = (0..threads)
            .map(|thread| {
                let writer = &writer;
                scope.spawn(move || {
                    for turn in 0..appends {
                        // The payload is known by its time: threads take sequences as they come.
                        let time_ms = 1 + thread * appends + turn;
                        let payload = sample::payload_of(time_ms);
                        let record = Record {
                            kind: 1,
                            version: 1,
                            time_ms,
                            skippable: false,
                            payload: &payload,
                        };
                        writer.append(&[record, record]).unwrap();
                    }
                })
            })
            .collect();
        for thread in writing {
            thread.join().unwrap();
        }
        done.store(true, Ordering::SeqCst);
        assert!(reader.join().unwrap() > 0);
    });
}

#[test]
fn a_reader_chasing_a_buffered_writer_sees_every_event_once() {
    chase(Durability::Buffered, 2000, 2);
}

#[test]
fn a_reader_chasing_a_group_writer_sees_every_event_once() {
    chase(Durability::Group, 60, 3);
}
