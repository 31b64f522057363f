//! A fault at every call, once and for good: nothing false is acknowledged, and the next append
//! is clean or clearly refused.

use std::path::Path;

use annals_journal_format::storage::sim::{
    Crash, Fault, FaultKind, NamesLeft, OperationKind, SimStorage, Tail,
};
use annals_journal_format::writer::{Durability, Writer, WriterOptions};

use crate::history::{FOLDER, History, append, create, options, told};
use crate::image::{Moment, check_recovery, read};
use crate::parallel::{each, is_full};
use crate::script::{Mix, Step, script};

const KINDS: [FaultKind; 6] = [
    FaultKind::Eio,
    FaultKind::Enospc,
    FaultKind::Efbig,
    FaultKind::Eintr,
    FaultKind::ShortWrite,
    FaultKind::FailedSync,
];

struct Trial {
    durability: Durability,
    seed: u64,
    fault: Fault,
    caches_dropped: bool,
}

fn trial_options(durability: Durability, seed: u64) -> WriterOptions {
    options(durability, 16 << 10, seed)
}

fn steps(seed: u64) -> Vec<Step> {
    script(seed, 16, Mix::Everything)
}

/// The operations of the script without a fault, from the first append on.
fn trace(durability: Durability, seed: u64) -> (u64, Vec<OperationKind>) {
    let disk = SimStorage::new(seed);
    let writer = create(&disk, trial_options(durability, seed));
    let start = disk.operations();
    History::default().play(&disk, &writer, durability, &steps(seed));
    (start, disk.trace())
}

fn run(trial: &Trial) -> u64 {
    let Trial { durability, seed, fault, caches_dropped } = *trial;
    let disk = SimStorage::new(seed);
    let options = trial_options(durability, seed);
    let writer = create(&disk, options.clone());
    let mut history = History::default();
    disk.plan(fault);
    history.play(&disk, &writer, durability, &steps(seed));
    disk.heal();
    if caches_dropped {
        disk.drop_caches();
    }
    // The next append: clean or clearly refused.
    let at = history.submit(&disk, &[900_000]);
    let answer = append(&writer, &[900_000]);
    history.tell(&disk, at, told(answer, durability));
    let operations = disk.operations();
    let alive = Moment { history: &history, operations, power_lost: caches_dropped };
    alive.check(&read(&disk.process(), Path::new(FOLDER)).entries);
    let snapshot = disk.snapshot();
    check_recovery(&snapshot.kill(seed), alive, &options);
    let lost = Moment { history: &history, operations, power_lost: true };
    for (index, tail) in Tail::ALL.into_iter().enumerate() {
        if !(index as u64 + fault.at).is_multiple_of(3) && !is_full() {
            continue;
        }
        let names = NamesLeft::ALL[index % 4];
        let crash = Crash { tail, names, seed: fault.at };
        crate::case::named(
            || format!("after {crash:?}"),
            || check_recovery(&snapshot.crash(crash), lost, &options),
        );
    }
    // A second process, opening after the trouble, can append for all to see.
    drop(writer);
    let other = disk.process();
    let (second, _) = Writer::open(other.clone(), Path::new(FOLDER), options).unwrap();
    let at = history.submit(&disk, &[900_001]);
    history.tell(&disk, at, told(append(&second, &[900_001]), durability));
    let operations = disk.operations();
    let alive = Moment { history: &history, operations, power_lost: caches_dropped };
    alive.check(&read(&other, Path::new(FOLDER)).entries);
    1
}

fn every_call(durability: Durability, seed: u64) -> u64 {
    let (start, trace) = trace(durability, seed);
    let mut trials = Vec::new();
    for (at, operation) in trace.iter().enumerate().skip(start as usize) {
        for kind in KINDS {
            if !kind.meets(*operation) {
                continue;
            }
            for sticky in [false, true] {
                let fault = Fault { at: at as u64, kind, sticky };
                let drops = kind == FaultKind::FailedSync;
                for caches_dropped in if drops { &[false, true][..] } else { &[false] } {
                    let caches_dropped = *caches_dropped;
                    trials.push(Trial { durability, seed, fault, caches_dropped });
                }
            }
        }
    }
    if !is_full() {
        // Every call meets every kind of fault, once or for good by turns.
        let mut index = 0;
        trials.retain(|trial| {
            index += 1;
            durability == Durability::Group || trial.fault.sticky == (index % 4 < 2)
        });
    }
    each(&trials, |trial| {
        let Trial { caches_dropped, fault, .. } = trial;
        let case = || format!("{durability:?} {seed} {fault:?} caches dropped {caches_dropped}");
        crate::case::named(case, || run(trial))
    })
}

#[test]
fn a_fault_at_any_call_makes_no_false_acknowledgement() {
    let mut trials = 0;
    for seed in 0..if is_full() { 20 } else { 1 } {
        for durability in [Durability::Strict, Durability::Group, Durability::Buffered] {
            trials += every_call(durability, 100 + seed);
        }
    }
    println!("{trials} trials");
    assert!(trials > 500, "only {trials} trials");
}

#[test]
fn a_disk_that_is_full_at_any_byte_refuses_clearly_and_goes_on_when_there_is_room() {
    let steps = steps(200);
    let full_at: Vec<u64> = (4096..400 << 10).step_by(if is_full() { 512 } else { 4000 }).collect();
    let refused = each(&full_at, |capacity| {
        let disk = SimStorage::new(1);
        let options = trial_options(Durability::Group, 200);
        let writer = create(&disk, options.clone());
        disk.set_capacity(Some(*capacity));
        let mut history = History::default();
        history.play(&disk, &writer, Durability::Group, &steps);
        let alive = Moment { history: &history, operations: disk.operations(), power_lost: false };
        alive.check(&read(&disk.process(), Path::new(FOLDER)).entries);
        disk.set_capacity(None);
        let refused = history.commits.iter().any(|it| {
            it.told_at(u64::MAX).is_none_or(|told| told != crate::history::Told::Durable)
        });
        append(&writer, &[900_000]).unwrap();
        let at = history.submit(&disk, &[900_000]);
        history.commits[at].submitted_at = 0;
        let alive = Moment { history: &history, operations: disk.operations(), power_lost: false };
        alive.check(&read(&disk.process(), Path::new(FOLDER)).entries);
        u64::from(refused)
    });
    assert!(refused > 0, "no disk was too small");
}
