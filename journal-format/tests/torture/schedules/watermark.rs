//! R8: a sync covers what was written before it began.

use annals_journal_format::storage::sim::{Crash, NamesLeft, OperationKind, Tail};
use annals_journal_format::writer::Durability;

use super::Two;
use crate::image::read;

#[test]
fn a_watermark_never_passes_what_its_sync_covered() {
    let probe = Two::new(Durability::Buffered, 1 << 20);
    probe.append(&probe.first, 1).unwrap();
    probe.append(&probe.second, 2).unwrap();
    let operations = probe.operations_of(|| {
        probe.first.sync().unwrap();
    });
    for at in 0..operations {
        let two = Two::new(Durability::Buffered, 1 << 20);
        two.append(&two.first, 1).unwrap();
        two.append(&two.second, 2).unwrap();
        let (second, noted) = (two.second.clone(), two.noted());
        two.disk.interpose(two.disk.operations() + at, move || {
            let _refused_is_fine = noted.append(&second, 3);
        });
        let mark = two.first.sync().unwrap();
        assert!(mark.sequence.0 >= 2, "what was written before the sync began");
        assert_eq!(two.first.watermark(), mark);
        let crash = Crash { tail: Tail::Nothing, names: NamesLeft::Nothing, seed: 0 };
        let left = read(&two.disk.snapshot().crash(crash), std::path::Path::new(super::FOLDER));
        let last = left.entries.last().map_or(0, |(sequence, _)| *sequence);
        assert!(last >= mark.sequence.0, "at {at}: watermark {} on disk {last}", mark.sequence);
    }
}

#[test]
fn a_sync_whose_flush_fails_moves_no_watermark() {
    let two = Two::new(Durability::Buffered, 1 << 20);
    two.append(&two.first, 1).unwrap();
    two.first.sync().unwrap();
    let before = two.first.watermark();
    two.append(&two.first, 2).unwrap();
    let syncs = || two.disk.trace().iter().filter(|it| **it == OperationKind::Sync).count();
    let had = syncs();
    for at in 0..200 {
        two.disk.plan(annals_journal_format::storage::sim::Fault::once(
            two.disk.operations() + at,
            annals_journal_format::storage::sim::FaultKind::FailedSync,
        ));
    }
    two.first.sync().unwrap_err();
    assert!(syncs() > had);
    assert_eq!(two.first.watermark(), before);
    two.disk.drop_caches();
    let left = read(&two.disk, std::path::Path::new(super::FOLDER));
    assert!(left.entries.last().is_some_and(|(sequence, _)| *sequence >= before.sequence.0));
}
