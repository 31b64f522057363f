//! R1: the lock, its removal under a holder, and two writers at every interleaving.

use std::path::Path;

use annals_journal_format::storage::Storage;
use annals_journal_format::writer::{Durability, Writer};

use super::Two;
use crate::history::FOLDER;
use crate::image::read;

/// Operations of one append by the first writer, once both have appended before.
fn operations_of_an_append(durability: Durability) -> u64 {
    let two = Two::new(durability, 1 << 20);
    two.append(&two.first, 1).unwrap();
    two.append(&two.second, 2).unwrap();
    two.operations_of(|| two.append(&two.first, 3).unwrap())
}

#[test]
fn two_writers_may_meet_at_every_operation_of_an_append() {
    for durability in [Durability::Group, Durability::Strict, Durability::Buffered] {
        for at in 0..operations_of_an_append(durability) {
            let two = Two::new(durability, 1 << 20);
            two.append(&two.first, 1).unwrap();
            two.append(&two.second, 2).unwrap();
            let (second, noted) = (two.second.clone(), two.noted());
            // Free: it is appended. Held by the first: refused, because nobody will free it here.
            two.disk.interpose(two.disk.operations() + at, move || {
                let _refused_is_fine = noted.append(&second, 4);
            });
            two.append(&two.first, 3).unwrap();
            two.append(&two.second, 5).unwrap();
            two.append(&two.first, 6).unwrap();
            let found = read(&two.disk, Path::new(FOLDER));
            let sequences: Vec<u64> = found.entries.iter().map(|(sequence, _)| *sequence).collect();
            let gap_free: Vec<u64> = (1..=sequences.len() as u64).collect();
            assert_eq!(sequences, gap_free, "{durability:?} at {at}");
            two.history.lock().unwrap().commits.sort_by_key(|commit| {
                found.entries.iter().position(|(_, number)| commit.numbers[0] == *number)
            });
            crate::case::named(|| format!("{durability:?} at {at}"), || two.check(false));
        }
    }
}

#[test]
fn the_lock_file_may_be_removed_under_a_holder_at_every_operation() {
    for durability in [Durability::Group, Durability::Strict, Durability::Buffered] {
        for at in 0..operations_of_an_append(durability) {
            let two = Two::new(durability, 1 << 20);
            two.append(&two.first, 1).unwrap();
            two.append(&two.second, 2).unwrap();
            let cleaner = two.disk.process();
            two.disk.interpose(two.disk.operations() + at, move || {
                cleaner.remove(&Path::new(FOLDER).join("LOCK")).unwrap();
            });
            crate::case::named(
                || format!("{durability:?} at {at}"),
                || {
                    two.append(&two.first, 3).unwrap();
                    two.append(&two.second, 4).unwrap();
                    two.append(&two.first, 5).unwrap();
                    let third = two.disk.process();
                    let folder = Path::new(FOLDER);
                    let opened = Writer::open(third, folder, two.options.clone());
                    assert!(opened.unwrap().1.is_empty(), "nothing to recover");
                    let found = read(&two.disk, folder);
                    let expected = [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)];
                    assert_eq!(found.entries, expected);
                    two.check(false);
                },
            );
        }
    }
}

#[test]
fn an_open_writer_holds_no_lock_between_its_calls() {
    let two = Two::new(Durability::Group, 1 << 20);
    for number in 1..=20 {
        two.append(if number % 2 == 0 { &two.first } else { &two.second }, number).unwrap();
    }
    two.check(false);
}
