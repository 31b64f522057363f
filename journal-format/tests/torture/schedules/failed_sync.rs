//! R5: a failed sync. The kernel has marked the pages clean; whoever trusts the next sync chains
//! acknowledged events onto lost ones.

use annals_journal_format::storage::sim::{Fault, FaultKind, OperationKind};
use annals_journal_format::writer::Durability;

use super::Two;

const SEGMENT_BYTES_MAX: u64 = 1 << 20;

#[test]
fn two_writers_and_a_failed_sync_acknowledge_nothing_that_is_not_on_disk() {
    let mut trials = 0;
    for durability in [Durability::Group, Durability::Strict] {
        for caches_dropped in [false, true] {
            for nth in 0.. {
                let two = Two::new(durability, SEGMENT_BYTES_MAX);
                two.append(&two.first, 1).unwrap();
                two.append(&two.second, 2).unwrap();
                let start = two.disk.operations();
                two.disk.plan(Fault::once(start + nth, FaultKind::FailedSync));
                // Both meet it somewhere: the first append's sync, or a fence's own.
                let answers: Vec<_> = (3..=8)
                    .map(|number| {
                        let writer = if number % 2 == 1 { &two.first } else { &two.second };
                        two.append(writer, number).is_ok()
                    })
                    .collect();
                if caches_dropped {
                    two.disk.drop_caches();
                }
                let case = || {
                    format!(
                        "{durability:?} sync at {nth} caches dropped {caches_dropped} {answers:?}"
                    )
                };
                crate::case::named(case, || two.check(caches_dropped));
                trials += 1;
                if two.disk.operations() < start + nth {
                    break;
                }
            }
        }
    }
    assert!(trials > 40, "only {trials} trials");
}

#[test]
fn an_append_between_a_write_and_its_failed_sync_is_not_lost_with_it() {
    let probe = Two::new(Durability::Group, SEGMENT_BYTES_MAX);
    probe.append(&probe.first, 1).unwrap();
    probe.append(&probe.second, 2).unwrap();
    let start = probe.disk.operations() as usize;
    probe.append(&probe.first, 3).unwrap();
    let sync = probe.disk.trace()[start..].iter().rposition(|it| *it == OperationKind::Sync);
    let at = (start + sync.unwrap()) as u64;
    for caches_dropped in [false, true] {
        let two = Two::new(Durability::Group, SEGMENT_BYTES_MAX);
        two.append(&two.first, 1).unwrap();
        two.append(&two.second, 2).unwrap();
        let (second, noted, disk) = (two.second.clone(), two.noted(), two.disk.clone());
        two.disk.interpose(at, move || {
            // The second's commit is chained onto the first's, which is written and not synced;
            // its own sync covers both, or fails for both.
            disk.plan(Fault::once(disk.operations(), FaultKind::FailedSync));
            for number in [disk.operations() + 1, disk.operations() + 30] {
                disk.plan(Fault::once(number, FaultKind::FailedSync));
            }
            let _any_answer = noted.append(&second, 4);
        });
        let _any_answer = two.append(&two.first, 3);
        two.disk.heal();
        if caches_dropped {
            two.disk.drop_caches();
        }
        let _any_answer = two.append(&two.second, 5);
        let _any_answer = two.append(&two.first, 6);
        sort_as_found(&two);
        two.check(caches_dropped);
    }
}

/// Calls under way at once may be written in either order.
fn sort_as_found(two: &Two) {
    let found = crate::image::read(&two.disk, std::path::Path::new(crate::history::FOLDER));
    two.history.lock().unwrap().commits.sort_by_key(|commit| {
        let at = found.entries.iter().position(|(_, number)| commit.numbers[0] == *number);
        at.unwrap_or(usize::MAX)
    });
}

#[test]
fn write_back_that_failed_unseen_is_met_by_the_next_sync() {
    let two = Two::new(Durability::Group, SEGMENT_BYTES_MAX);
    two.append(&two.first, 1).unwrap();
    for number in 2..=5 {
        let paths = two.disk.paths();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|it| it == "seg")) {
            two.disk.fail_write_back(path);
        }
        let writer = if number % 2 == 0 { &two.second } else { &two.first };
        let _any_answer = two.append(writer, number);
        two.check(false);
    }
    two.disk.drop_caches();
    two.check(true);
}
