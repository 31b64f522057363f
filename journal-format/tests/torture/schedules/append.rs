//! R4: an append that fails or whose writer dies leaves nothing, or a fragment that is kept.

use std::path::Path;

use annals_journal_format::storage::sim::{Fault, FaultKind};
use annals_journal_format::writer::Durability;

use super::{Two, last_told};
use crate::history::{FOLDER, Told};
use crate::image::read;

#[test]
fn a_dead_writers_fragment_is_kept_in_quarantine_and_the_next_append_stands() {
    let mut quarantined = 0;
    for seed in 0..12 {
        let two = Two::new(Durability::Group, 1 << 20);
        two.append(&two.first, 1).unwrap();
        two.append(&two.second, 2).unwrap();
        let trace_start = two.disk.operations() as usize;
        // The write comes short, and the writer dies before it can do anything about it.
        let probe = Two::new(Durability::Group, 1 << 20);
        probe.append(&probe.first, 1).unwrap();
        probe.append(&probe.second, 2).unwrap();
        probe.append(&probe.first, 10 + seed).unwrap();
        let write = probe.disk.trace()[trace_start..]
            .iter()
            .position(|it| *it == annals_journal_format::storage::sim::OperationKind::Write)
            .unwrap();
        let at = (trace_start + write) as u64;
        two.disk.plan(Fault::once(at, FaultKind::ShortWrite));
        two.disk.plan(Fault::once(at + 1, FaultKind::Kill));
        two.append(&two.first, 10 + seed).unwrap_err();
        two.history.lock().unwrap().commits.last_mut().unwrap().told.clear();
        two.append(&two.second, 3).unwrap();
        let found = read(&two.other, Path::new(FOLDER));
        let numbers: Vec<u64> = found.entries.iter().map(|(_, number)| *number).collect();
        assert!(numbers.starts_with(&[1, 2]) && numbers.ends_with(&[3]), "{numbers:?}");
        assert_eq!(found.findings, [], "what was cut is no longer in the way");
        let kept = two.disk.paths();
        quarantined += kept.iter().filter(|path| path.ends_with(".bin")).count();
        quarantined +=
            kept.iter().filter(|it| it.to_string_lossy().contains("quarantine/")).count();
    }
    assert!(quarantined >= 6, "{quarantined} fragments kept");
}

#[test]
fn a_write_that_comes_short_is_finished_or_taken_back() {
    for kind in [FaultKind::ShortWrite, FaultKind::Enospc, FaultKind::Efbig, FaultKind::Eio] {
        for offset in 0..24 {
            for sticky in [false, true] {
                let two = Two::new(Durability::Group, 1 << 20);
                two.append(&two.first, 1).unwrap();
                two.append(&two.second, 2).unwrap();
                let at = two.disk.operations() + offset;
                two.disk.plan(Fault { at, kind, sticky });
                let answer = two.append(&two.first, 3);
                two.disk.heal();
                let case = || format!("{kind:?} at {offset} sticky {sticky}: {answer:?}");
                crate::case::named(case, || {
                    let told = last_told(&two);
                    assert!(answer.is_ok() == (told == Some(Told::Durable)));
                    two.append(&two.second, 4).unwrap();
                    two.check(false);
                });
            }
        }
    }
}
