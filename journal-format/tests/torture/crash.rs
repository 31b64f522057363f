//! Power lost, or every process killed, after each operation of a long history.

use annals_journal_format::storage::sim::{Crash, NamesLeft, SimStorage, Snapshot, Tail};
use annals_journal_format::writer::Durability;

use crate::history::{History, create, options};
use crate::image::{Moment, check_recovery};
use crate::parallel::{each, is_full};
use crate::script::{Mix, script};

/// Histories of a run: durability, appends, segment size, seed of the script.
const HISTORIES: [(Durability, usize, u64, u64); 4] = [
    (Durability::Group, 210, 40 << 10, 1),
    (Durability::Strict, 60, 24 << 10, 2),
    (Durability::Buffered, 210, 32 << 10, 3),
    (Durability::Group, 60, 1 << 20, 4),
];

struct Image {
    snapshot: usize,
    crash: Option<Crash>,
}

/// Plays one history and checks every image of it; returns how many there were.
fn every_image(durability: Durability, calls: usize, bytes_max: u64, seed: u64, seeds: u64) -> u64 {
    let disk = SimStorage::new(seed);
    let options = options(durability, bytes_max, seed);
    disk.record();
    let writer = create(&disk, options.clone());
    let mut history = History::default();
    let mix = if seed.is_multiple_of(2) { Mix::Appends } else { Mix::Everything };
    history.play(&disk, &writer, durability, &script(seed, calls, mix));
    let snapshots = disk.snapshots();
    let mut images = Vec::new();
    for snapshot in 0..snapshots.len() {
        images.push(Image { snapshot, crash: None });
        for (index, tail) in Tail::ALL.into_iter().enumerate() {
            for round in 0..seeds {
                let seed = seed << 40 | (snapshot as u64) << 16 | (index as u64) << 8 | round;
                let names = NamesLeft::ALL[(snapshot + index + round as usize) % 4];
                images.push(Image { snapshot, crash: Some(Crash { tail, names, seed }) });
            }
        }
    }
    each(&images, |image| {
        let snapshot: &Snapshot = &snapshots[image.snapshot];
        let disk = match image.crash {
            Some(crash) => snapshot.crash(crash),
            None => snapshot.kill(0),
        };
        let operations = snapshot.operations;
        let moment = Moment { history: &history, operations, power_lost: image.crash.is_some() };
        let case = || {
            let Image { snapshot, crash } = image;
            format!("{durability:?} script {seed} snapshot {snapshot} ({operations}): {crash:?}")
        };
        crate::case::named(case, || check_recovery(&disk, moment, &options));
        1
    })
}

#[test]
fn nothing_acknowledged_is_lost_whatever_the_operation_power_fails_at() {
    let mut images = 0;
    if is_full() {
        for seed in 1.. {
            let (durability, calls, bytes_max, _) = HISTORIES[seed as usize % HISTORIES.len()];
            images += every_image(durability, calls, bytes_max, seed, 3);
            if images >= 1_000_000 {
                break;
            }
        }
    } else {
        for (durability, calls, bytes_max, seed) in HISTORIES {
            images += every_image(durability, calls, bytes_max, seed, 2);
        }
    }
    assert!(images >= 20_000, "only {images} images");
    println!("{images} images");
}
