//! Power lost inside recovery, at each of its operations.

use std::path::Path;

use annals_journal_format::storage::sim::{Crash, NamesLeft, SimStorage, Tail};
use annals_journal_format::writer::{Durability, Writer};

use crate::history::{FOLDER, History, Told, append, create, options};
use crate::image::{Moment, check_recovery, read};
use crate::parallel::{each, is_full};
use crate::script::{Mix, script};

#[test]
fn a_crash_inside_recovery_ends_as_one_crash_does() {
    let images = Durability::Group;
    let mut sum = 0;
    for (durability, seed) in [(images, 11), (Durability::Buffered, 12), (Durability::Strict, 13)] {
        sum += crash_recoveries(durability, seed, if is_full() { 1 } else { 4 });
    }
    println!("{sum} images");
    assert!(sum > 1000, "only {sum} images");
}

/// Crashes every `stride`th image again, at every operation of its recovery.
fn crash_recoveries(durability: Durability, seed: u64, stride: usize) -> u64 {
    let disk = SimStorage::new(seed);
    let options = options(durability, 24 << 10, seed);
    disk.record();
    let writer = create(&disk, options.clone());
    let mut history = History::default();
    history.play(&disk, &writer, durability, &script(seed, 50, Mix::Everything));
    let snapshots = disk.snapshots();
    let firsts: Vec<_> = snapshots.iter().enumerate().skip(seed as usize % stride).collect();
    let firsts: Vec<_> = firsts.into_iter().step_by(stride).collect();
    each(&firsts, |(index, snapshot)| {
        let tails = [Tail::PrefixBytes, Tail::Subset, Tail::Stale, Tail::PrefixSectors];
        let first = Crash {
            tail: tails[index % tails.len()],
            names: NamesLeft::ALL[index % 3 + 1],
            seed: *index as u64,
        };
        let image = snapshot.crash(first);
        let Some(recovered) = recovered(&image, &options) else { return 0 };
        let image = snapshot.crash(first);
        image.record();
        let Ok((writer, _)) = Writer::open(image.clone(), Path::new(FOLDER), options.clone())
        else {
            panic!("opened before, not now: {first:?}");
        };
        // The first append belongs to recovery: it may rewrite an unproven tail.
        let mut second_history = history.clone();
        let next = 2_000_000;
        for commit in &mut second_history.commits {
            let told = commit.told_at(snapshot.operations);
            commit.told = told.map(|told| (0, told)).into_iter().collect();
            if commit.submitted_at > snapshot.operations {
                commit.submitted_at = u64::MAX;
            } else {
                commit.submitted_at = 0;
            }
            // What the first crash may have left of unacknowledged commits is settled by it.
            let there = recovered.iter().any(|(_, number)| commit.numbers.contains(number));
            if !there && commit.submitted_at == 0 {
                commit.told = vec![(0, Told::NotRecorded)];
            }
        }
        second_history.commits.retain(|commit| commit.submitted_at == 0);
        second_history.watermarks.clear();
        let at = second_history.submit(&image, &[next]);
        append(&writer, &[next]).unwrap();
        if durability != Durability::Buffered {
            second_history.tell(&image, at, Told::Durable);
        }
        let mut images = 0;
        for (second_index, second) in image.snapshots().iter().enumerate() {
            for (tail_index, tail) in Tail::ALL.into_iter().enumerate() {
                let names = NamesLeft::ALL[(second_index + tail_index) % 4];
                let crash = Crash { tail, names, seed: (*index as u64) << 20 | images };
                let case = || format!("{durability:?} {seed}: image {index} {first:?}: {crash:?}");
                crate::case::named(case, || {
                    let twice = second.crash(crash);
                    let moment = Moment {
                        history: &second_history,
                        operations: second.operations,
                        power_lost: true,
                    };
                    check_recovery(&twice, moment, &options);
                    let mut found = read(&twice, Path::new(FOLDER)).entries;
                    found.retain(|(_, number)| *number < 1_000_000);
                    assert_eq!(found, recovered, "not the end state of one crash");
                });
                images += 1;
            }
        }
        images
    })
}

fn recovered(
    image: &SimStorage,
    options: &annals_journal_format::writer::WriterOptions,
) -> Option<Vec<(u64, u64)>> {
    let (writer, _) = Writer::open(image.clone(), Path::new(FOLDER), options.clone()).ok()?;
    drop(writer);
    Some(read(image, Path::new(FOLDER)).entries)
}
