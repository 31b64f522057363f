//! R3: rolling, between two writers and with a death at every operation.

use std::path::Path;

use annals_journal_format::storage::sim::{Fault, FaultKind};
use annals_journal_format::writer::Durability;

use super::Two;
use crate::history::FOLDER;
use crate::image::read;

const SEGMENT_BYTES_MAX: u64 = 16 << 10;

/// Appends by the first writer until the next of its appends rolls; returns the next number.
fn until_the_next_append_rolls(two: &Two) -> u64 {
    // How many appends fit is told by a journal of its own.
    let probe = Two::new(two.durability, SEGMENT_BYTES_MAX);
    let mut fit = 0;
    while segments(&probe) == 1 {
        fit += 1;
        probe.append(&probe.first, fit).unwrap();
    }
    for number in 1..fit {
        two.append(&two.first, number).unwrap();
    }
    assert_eq!(segments(two), 1);
    fit
}

fn segments(two: &Two) -> usize {
    let paths = two.disk.paths();
    paths.iter().filter(|path| path.extension().is_some_and(|it| it == "seg")).count()
}

#[test]
fn a_roll_between_two_writers_loses_nothing() {
    for durability in [Durability::Group, Durability::Strict, Durability::Buffered] {
        let two = Two::new(durability, SEGMENT_BYTES_MAX);
        let next = until_the_next_append_rolls(&two);
        two.append(&two.first, next).unwrap();
        assert!(segments(&two) > 1);
        // The second still has the old segment open, and its own end there.
        two.append(&two.second, next + 1).unwrap();
        two.append(&two.first, next + 2).unwrap();
        two.check(false);
        let found = read(&two.disk, Path::new(FOLDER));
        assert_eq!(found.entries.len() as u64, next + 2);
        assert_eq!(found.findings, []);
    }
}

#[test]
fn a_writer_that_dies_at_any_operation_of_a_roll_leaves_it_to_the_next() {
    for durability in [Durability::Group, Durability::Strict, Durability::Buffered] {
        let probe = Two::new(durability, SEGMENT_BYTES_MAX);
        let next = until_the_next_append_rolls(&probe);
        let operations = probe.operations_of(|| probe.append(&probe.first, next).unwrap());
        for at in 0..operations {
            let two = Two::new(durability, SEGMENT_BYTES_MAX);
            until_the_next_append_rolls(&two);
            two.disk.plan(Fault::once(two.disk.operations() + at, FaultKind::Kill));
            crate::case::named(
                || format!("{durability:?} killed at {at} of {operations}"),
                || {
                    let died = two.append(&two.first, next);
                    // Dead, it cannot tell what became of it.
                    if died.is_err() {
                        let mut history = two.history.lock().unwrap();
                        history.commits.last_mut().unwrap().told.clear();
                    }
                    two.append(&two.second, next + 1).unwrap();
                    two.append(&two.second, next + 2).unwrap();
                    let found = read(&two.other, Path::new(FOLDER));
                    let last: Vec<u64> =
                        found.entries.iter().rev().take(2).map(|(_, it)| *it).collect();
                    assert_eq!(last, [next + 2, next + 1]);
                    let history = two.history.lock().unwrap().clone();
                    let operations = two.disk.operations();
                    let moment =
                        crate::image::Moment { history: &history, operations, power_lost: false };
                    moment.check(&found.entries);
                    let snapshot = two.disk.snapshot();
                    crate::image::check_recovery(&snapshot.kill(1), moment, &two.options);
                },
            );
        }
    }
}

#[test]
fn a_second_writer_may_append_at_every_operation_of_a_roll() {
    let probe = Two::new(Durability::Group, SEGMENT_BYTES_MAX);
    let next = until_the_next_append_rolls(&probe);
    let operations = probe.operations_of(|| probe.append(&probe.first, next).unwrap());
    for at in 0..operations {
        let two = Two::new(Durability::Group, SEGMENT_BYTES_MAX);
        until_the_next_append_rolls(&two);
        let (second, noted) = (two.second.clone(), two.noted());
        two.disk.interpose(two.disk.operations() + at, move || {
            let _refused_is_fine = noted.append(&second, next + 1);
        });
        crate::case::named(
            || format!("at {at} of {operations}"),
            || {
                two.append(&two.first, next).unwrap();
                two.append(&two.second, next + 2).unwrap();
                let found = read(&two.disk, Path::new(FOLDER));
                two.history.lock().unwrap().commits.sort_by_key(|commit| {
                    found.entries.iter().position(|(_, number)| commit.numbers[0] == *number)
                });
                assert_eq!(found.findings, []);
                two.check(false);
            },
        );
    }
}
