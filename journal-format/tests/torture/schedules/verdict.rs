//! R4 and R6: what recovery makes of bytes that should be a commit, once and for all.

use std::path::{Path, PathBuf};

use annals_journal_format::limits::HEADER_PAGE_BYTES;
use annals_journal_format::storage::sim::{Fault, FaultKind, OperationKind, Random, SimStorage};
use annals_journal_format::writer::{Durability, Writer};

use super::Two;
use crate::history::{FOLDER, append, create, options};
use crate::image::read;

/// A journal of two commits, and the path of its only segment.
fn two_commits() -> (SimStorage, PathBuf, Vec<u64>) {
    let disk = SimStorage::new(1);
    let writer = create(&disk, options(Durability::Buffered, 1 << 20, 2));
    let segment = disk.paths().into_iter().find(|path| path.extension().is_some()).unwrap();
    let len = || disk.bytes(&segment).unwrap().len() as u64;
    let mut ends = vec![HEADER_PAGE_BYTES];
    append(&writer, &[1, 2, 3]).unwrap();
    ends.push(len());
    append(&writer, &(4..20).collect::<Vec<_>>()).unwrap();
    ends.push(len());
    (disk.clone(), segment, ends)
}

/// Found by the crash trial (buffered, stale blocks): garbage, then a torn commit. The garbage was
/// damage as long as a frame stood behind it, and a torn tail once that was cut.
#[test]
fn damage_before_a_torn_tail_is_settled_in_one_recovery() {
    for seed in 0..200 {
        let (disk, segment, ends) = two_commits();
        let mut bytes = disk.bytes(&segment).unwrap();
        let mut random = Random::new(seed);
        random.fill(&mut bytes[ends[0] as usize..ends[1] as usize]);
        let torn = (ends[1] + 200 + random.below(ends[2] - ends[1] - 300)) / 8 * 8;
        bytes[torn as usize..].fill(0);
        // Another boot, so that no tail slot says where the journal ends.
        let left = SimStorage::new(seed);
        left.put(&segment, &bytes);
        let folder = Path::new(FOLDER);
        let options = options(Durability::Buffered, 1 << 20, 3);
        let (writer, first) = Writer::open(left.clone(), folder, options.clone()).unwrap();
        assert!(!first.is_empty(), "seed {seed}");
        drop(writer);
        let found = read(&left, folder);
        let (_, second) = Writer::open(left.clone(), folder, options).unwrap();
        assert_eq!(second, [], "seed {seed}: recovered twice, after {first:?}");
        assert_eq!(read(&left, folder), found);
    }
}

/// Found by the fault trial (group, `EIO` from a write on): zeroing what a failed write left began
/// at its front and failed midway, so that the next writer saw zeros at its end, appended there,
/// and had the rest of the fragment behind its commit for good.
#[test]
fn a_fragment_that_could_not_be_erased_is_no_damage_behind_the_next_append() {
    let probe = Two::new(Durability::Group, 1 << 20);
    probe.append(&probe.first, 1).unwrap();
    probe.append(&probe.second, 2).unwrap();
    let start = probe.disk.operations();
    probe.append(&probe.first, 10).unwrap();
    let operations = probe.disk.trace().into_iter().enumerate().skip(start as usize);
    let writes = operations.filter(|(_, it)| *it == OperationKind::Write);
    for (at, _) in writes.collect::<Vec<_>>() {
        for seed in 0..60 {
            let two = Two::seeded(Durability::Group, 1 << 20, seed);
            two.append(&two.first, 1).unwrap();
            two.append(&two.second, 2).unwrap();
            two.disk.plan(Fault::sticky(at as u64, FaultKind::Eio));
            two.append(&two.first, 10).unwrap_err();
            two.disk.heal();
            two.append(&two.second, 3).unwrap();
            let found = read(&two.disk, Path::new(FOLDER));
            assert_eq!(found.findings, [], "seed {seed}, write {at}");
        }
    }
}
