//! Payloads that are destroyed in a journal that others write to.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::{options, record};
use crate::frame::Flags;
use crate::reader::{Item, Reader};
use crate::storage::sim::{Crash, NamesLeft, SimStorage, Tail};
use crate::storage::{FsStorage, OpenHow, Storage, StorageFile, read_full};
use crate::tree::{Builder, LeafStep, leaves};
use crate::units::{JournalId, Sequence};
use crate::verify::{VerifyOptions, verify};
use crate::writer::{Doomed, Durability, Seal, Writer, WriterOptions};

const SECRET: &[u8] = b"hunter2-hunter2-hunter2";

/// Every record's place, payload (none where it is gone) and leaf.
fn records<S: Storage>(disk: &S, folder: &Path) -> BTreeMap<u64, (Doomed, Option<Vec<u8>>)> {
    let mut known = BTreeMap::new();
    leaves(disk, folder, None, true, &mut |step| {
        if let LeafStep::Leaf { sequence, leaf, .. } = step {
            known.insert(sequence, leaf);
        }
        true
    })
    .unwrap();
    let reader = Reader::open(disk.clone(), folder).unwrap();
    let (mut entries, mut all) = (reader.entries(Sequence(1)), BTreeMap::new());
    while let Some(item) = entries.next() {
        let Item::Entry(entry) = item.unwrap() else { continue };
        let Some(leaf) = known.get(&entry.sequence) else { continue };
        let doomed = Doomed { at: entry.position, sequence: entry.sequence, leaf: *leaf };
        let is_gone = entry.flags.has(Flags::REDACTED);
        all.insert(entry.sequence.0, (doomed, (!is_gone).then(|| entry.payload.to_vec())));
    }
    all
}

fn secret<S: Storage>(disk: &S, folder: &Path) -> Vec<Doomed> {
    let all = records(disk, folder).into_values();
    let is_secret = |it: &(Doomed, Option<Vec<u8>>)| {
        it.1.as_ref().is_some_and(|payload| payload.windows(SECRET.len()).any(|it| it == SECRET))
    };
    all.filter(is_secret).map(|it| it.0).collect()
}

/// Files of the journal that hold the secret.
fn holding<S: Storage>(disk: &S, folder: &Path) -> Vec<String> {
    let mut names = disk.list(folder).unwrap();
    names.retain(|name| {
        let file = disk.open(&folder.join(name), OpenHow::Read).unwrap();
        let mut bytes = vec![0; file.len().unwrap() as usize];
        read_full(&file, &mut bytes, 0).unwrap();
        bytes.windows(SECRET.len()).any(|it| it == SECRET)
    });
    names
}

#[test]
fn payloads_go_and_nothing_else_while_others_append() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("journal");
    let small =
        |seed| WriterOptions { segment_bytes_max: 40 << 10, ..options(Durability::Group, seed) };
    let one = Writer::create(FsStorage, &folder, JournalId([9; 16]), small(1)).unwrap();
    let (is_over, acknowledged) = (AtomicBool::new(false), AtomicU64::new(0));
    let (before, seals) = thread::scope(|scope| {
        for seed in 2..5_u8 {
            let (folder, is_over, acknowledged) = (&folder, &is_over, &acknowledged);
            scope.spawn(move || {
                let writer = Writer::open(FsStorage, folder, small(seed)).unwrap().0;
                let mut turn = 0_u64;
                while !is_over.load(Ordering::Relaxed) {
                    turn += 1;
                    let text = [format!("{seed} {turn} ").as_bytes(), SECRET].concat();
                    let own = [text.as_slice(), &[7; 300]];
                    let own = if turn.is_multiple_of(5) { &own[..] } else { &own[1..] };
                    let own: Vec<_> = own.iter().map(|it| record(it)).collect();
                    writer.append(&own).unwrap();
                    acknowledged.fetch_add(own.len() as u64, Ordering::Relaxed);
                }
            });
        }
        let (mut before, mut seals) = (BTreeMap::new(), 0);
        for round in 0..8 {
            let doomed = loop {
                let doomed = secret(&FsStorage, &folder);
                if doomed.len() >= 5 {
                    break doomed;
                }
                thread::yield_now();
            };
            before.extend(doomed.iter().map(|it| (it.sequence.0, it.leaf)));
            if round == 3 {
                let mut builder = Builder::default();
                let all = records(&FsStorage, &folder);
                for (doomed, _) in all.values() {
                    builder.push(doomed.leaf, &mut |_, _| {});
                }
                let (last, size) = (Sequence(all.len() as u64), builder.size());
                // Others are mostly faster.
                seals += u64::from(one.seal(&Seal { last, size, root: builder.root() }).is_ok());
            }
            let done = one.redact(&doomed).unwrap();
            assert_eq!((done.records.len(), done.others.len()), (doomed.len(), 0));
            let again = one.redact(&doomed).unwrap();
            assert_eq!((again.records.len(), again.segments), (0, 0), "twice is once");
        }
        is_over.store(true, Ordering::Relaxed);
        (before, seals)
    });
    let all = records(&FsStorage, &folder);
    let last = acknowledged.load(Ordering::Relaxed);
    assert_eq!(all.len() as u64, last, "nothing that was acknowledged is lost");
    for (sequence, leaf) in &before {
        let (is, payload) = &all[sequence];
        assert!(payload.is_none() && is.leaf == *leaf, "{sequence}");
    }
    let rest = secret(&FsStorage, &folder);
    assert!(all.values().filter(|it| it.1.is_none()).count() == before.len());
    one.redact(&rest).unwrap();
    assert_eq!(holding(&FsStorage, &folder), [""; 0]);
    let report = verify(&FsStorage, &folder, VerifyOptions::default()).unwrap();
    assert!(report.is_clean(), "{:?}", report.findings);
    assert_eq!(report.seals.len() as u64, seals);
}

const FOLDER: &str = "/p/journal";

fn small(seed: u8) -> WriterOptions {
    WriterOptions { segment_bytes_max: 40 << 10, ..options(Durability::Group, seed) }
}

fn history(disk: &SimStorage) -> Writer<SimStorage> {
    let writer =
        Writer::create(disk.clone(), Path::new(FOLDER), JournalId([9; 16]), small(1)).unwrap();
    for index in 0..20_u8 {
        let text = [&[index; 10], SECRET].concat();
        let more = [index | 1; 5000];
        let own: &[&[u8]] = if index % 4 == 1 { &[&text, &more, b""] } else { &[&more] };
        writer.append(&own.iter().map(|it| record(it)).collect::<Vec<_>>()).unwrap();
    }
    writer
}

#[test]
fn power_lost_at_any_moment_of_it_leaves_what_can_be_ended() {
    let (disk, folder) = (SimStorage::new(1), Path::new(FOLDER));
    let writer = history(&disk);
    let (doomed, was) = (secret(&disk, folder), records(&disk, folder));
    assert_eq!(doomed.len(), 5);
    disk.record();
    let done = writer.redact(&doomed).unwrap();
    assert!(done.segments >= 2 && done.records.len() == 5, "{done:?}");
    assert_eq!(holding(&disk, folder), [""; 0]);
    let ended = records(&disk, folder);
    let mut images = 0;
    for (at, snapshot) in disk.snapshots().iter().enumerate() {
        for turn in at..at + 3 {
            let crash = Crash {
                tail: Tail::ALL[turn % Tail::ALL.len()],
                names: NamesLeft::ALL[turn % NamesLeft::ALL.len()],
                seed: turn as u64,
            };
            let (disk, what) = (snapshot.crash(crash), format!("snapshot {at} {crash:?}"));
            let writer = Writer::open(disk.clone(), folder, small(7)).unwrap().0;
            let left = records(&disk, folder);
            assert!(left.keys().eq(was.keys()), "{what}: nothing is lost");
            for (sequence, (is, payload)) in &left {
                let (old, before) = &was[sequence];
                assert_eq!(is.leaf, old.leaf, "{what}");
                assert!(payload == before || doomed.contains(old) && payload.is_none(), "{what}");
            }
            writer.redact(&doomed).unwrap();
            assert_eq!(records(&disk, folder), ended, "{what}");
            assert_eq!(holding(&disk, folder), [""; 0], "{what}");
            let report = verify(&disk, folder, VerifyOptions::default()).unwrap();
            assert!(report.is_clean(), "{what}: {:?}", report.findings);
            images += 1;
        }
    }
    assert!(images > 50, "{images}");
}

#[test]
fn what_is_not_what_was_ordered_stays() {
    let (disk, folder) = (SimStorage::new(1), Path::new(FOLDER));
    let writer = history(&disk);
    let doomed = secret(&disk, folder);
    let other = Doomed { leaf: [7; 32], ..doomed[0] };
    let done = writer.redact(&[other]).unwrap();
    assert_eq!((done.records, done.others), (Vec::new(), vec![doomed[0].sequence]));
    assert_eq!(secret(&disk, folder).len(), doomed.len());
}
